package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.SequencedSink;
import java.nio.charset.StandardCharsets;

/** A stream whose sender continues after the rows that are stored. Confined to the I/O thread. */
final class ResumedStream
{
    private final String name;
    private final String producer;
    private final long stored;
    /** Sequence of its next row. */
    private long next;
    /** Number of its last row that was not rejected. */
    private long lastAccepted;

    private ResumedStream(final String name, final String producer, final long stored, final int id)
    {
        this.name = name;
        this.producer = producer;
        this.stored = stored;
        lastAccepted = stored;
        next = RowSequence.of(id, stored + 1);
    }

    /**
     * Opens a stream for a connection.
     *
     * @param bytes        contains its name
     * @param acknowledged number up to which an earlier connection has acknowledged rows; 0 if the sender does not
     *                     know. A processor with several units may know a lower number after a restart, because a unit
     *                     stores the numbers of the rows that it received
     * @throws WireFormatException if the name is invalid, or the rows are not stored with their numbers
     */
    static ResumedStream open(final byte[] bytes, final int from, final int to, final long acknowledged,
        final AdapterContext adapter, final String peer) throws WireFormatException
    {
        final String name = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (name.isEmpty() || name.chars().anyMatch(each -> each <= ' ' || each == 127 || each == '\uFFFD'))
        {
            throw new WireFormatException(InputRejectReason.WRONG_STREAM, 1,
                "the name of the stream is empty or contains blanks or control characters, peer=" + peer +
                "; correct the name (test.stream of the load generator)");
        }
        if (acknowledged < 0 || acknowledged >= RowSequence.MAX_NUMBER)
        {
            throw new WireFormatException(InputRejectReason.WRONG_STREAM, 1,
                "the number of acknowledged rows is out of range, number=" + acknowledged + " stream=" + name +
                " peer=" + peer + "; correct the sender");
        }
        final String producer = adapter.name + '/' + name;
        final int id = Producers.id(producer);
        final long stored = adapter.out.receivedFrom(producer);
        if (stored == SequencedSink.NOT_STORED || id == 0)
        {
            throw new WireFormatException(InputRejectReason.STREAM_NOT_STORED, 1, "streams cannot be resumed here, " +
                (id == 0 ? "because there were more than " + Producers.MAX + " of them since the start" :
                "because no stage after this adapter stores the numbers of rows") + ", stream=" + name + " peer=" +
                peer + "; set <durable>true</durable> of the processor, or send without the name of a stream " +
                "(test.stream of the load generator)");
        }
        return new ResumedStream(name, producer, Math.max(stored, acknowledged), id);
    }

    String name()
    {
        return name;
    }

    /** The number of the last row that was stored when the connection was opened, as far as either side knows. */
    long stored()
    {
        return stored;
    }

    /** Numbers the rows that a decoder adds from now on. */
    void begin(final BatchAssembler out)
    {
        out.numberFrom(next);
    }

    void end(final BatchAssembler out)
    {
        final long first = next;
        next = out.endNumbering();
        // Other connections number rows of the same batch.
        final long last = out.lastSequence();
        if (last >= first && last < next)
        {
            lastAccepted = RowSequence.number(last);
        }
    }

    /** The number of its last row so far. */
    long sent()
    {
        return RowSequence.number(next) - 1;
    }

    /** The number up to which each row is stored or was rejected. */
    long storedNow(final BatchAssembler out)
    {
        final long now = out.receivedFrom(producer);
        return now >= lastAccepted || lastAccepted == stored ? sent() : now;
    }
}
