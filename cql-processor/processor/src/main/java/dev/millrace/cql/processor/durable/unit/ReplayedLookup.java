package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.network.partition.RowDecoder;
import java.nio.ByteBuffer;

/** Decodes the stored answers of a look-up. Confined to the thread that replays. */
final class ReplayedLookup
{
    private final RecordedLookup lookup;
    private final RowDecoder decoder;

    ReplayedLookup(final RecordedLookup lookup)
    {
        this.lookup = lookup;
        decoder = RowDecoder.forJournal(lookup.schema(), column -> true);
    }

    /** Passes a record on, after its kind and number. */
    void read(final ByteBuffer record, final ReplayedAnswers to)
    {
        to.add(lookup, record.get(), record, decoder);
    }
}
