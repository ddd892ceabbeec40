package dev.millrace.cql.processor.durable;

import dev.millrace.api.stage.SequencedSink;
import dev.millrace.cql.processor.durable.unit.BatchRecorder;
import dev.millrace.cql.processor.durable.unit.ReceivedKeys;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.processor.worker.StoredRows;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.StoredRelation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows that the groups of a processor have received and stored, by channel: up to which number of each producer,
 * and the keys of a relation.
 *
 * <p>Threads: opened by the thread that starts the processor; changed while no row is in the processor.
 * {@link #storedRows} and its result are thread-safe after the start.
 */
public final class ReceivedRows
{
    private final ProcessorWiring wiring;
    private final UnitSet units;
    /** By channel; replaced as a whole. */
    private volatile Map<String, List<BatchRecorder>> recorders = Map.of();

    ReceivedRows(final ProcessorWiring wiring, final UnitSet units)
    {
        this.wiring = wiring;
        this.units = units;
    }

    /**
     * Appends all that the groups receive to the journals of their units, once their records are replayed.
     *
     * @param groups    all groups, by channel
     * @param rejection counts rows that cannot be appended
     */
    void open(final Map<String, List<PipelineGroup>> groups, final RejectionHandler rejection)
    {
        final Map<String, List<BatchRecorder>> opened = new HashMap<>();
        groups.forEach((channel, fed) -> fed.forEach(group ->
        {
            for (int i = 0; i < group.members().size(); i++)
            {
                final BatchRecorder recorder = units.of(group.members().get(i).worker(), channel).add(group,
                    group.replay(i), newKeys(channel, group, rejection), rejection);
                opened.computeIfAbsent(channel, id -> new ArrayList<>()).add(recorder);
                group.recordTo(i, recorder);
            }
        }));
        recorders = opened;
    }

    /** A change of the rules has replaced the recorders, by channel. */
    void changed(final Map<String, List<BatchRecorder>> opened)
    {
        recorders = opened;
    }

    /** The recorders of a channel on all units. */
    List<BatchRecorder> recorders(final String channel)
    {
        return recorders.getOrDefault(channel, List.of());
    }

    /** The keys that a member of a group will receive; {@code null} unless the channel has a primary key. */
    ReceivedKeys newKeys(final String channel, final PipelineGroup group, final RejectionHandler rejection)
    {
        return group.primaryKey().length == 0 ? null : new ReceivedKeys(group.schema().type(), group.primaryKey(),
            wiring.openMemory("", "primary keys of " + channel), rejection);
    }

    /** The rows of a channel that all groups that it feeds have stored. */
    public StoredRows storedRows(final String channel)
    {
        return new StoredRows()
        {
            @Override
            public long receivedFrom(final int producer)
            {
                return ReceivedRows.this.receivedFrom(channel, producer);
            }

            @Override
            public boolean hasRejected()
            {
                return ReceivedRows.this.hasRejected(channel);
            }
        };
    }

    /**
     * The number up to which all groups that a channel feeds have stored the rows of a producer. Rows that a group did
     * not receive do not count, so it may be earlier; groups drop what they have received. Thread-safe after the start.
     */
    private long receivedFrom(final String channel, final int producer)
    {
        return recorders(channel).stream().mapToLong(each -> each.receivedFrom(producer)).min()
            .orElse(SequencedSink.NOT_STORED);
    }

    /** Whether rows of a channel were passed to its groups, but not stored by one of them. Thread-safe. */
    boolean hasRejected(final String channel)
    {
        return recorders(channel).stream().anyMatch(BatchRecorder::hasRejected);
    }

    /** The rows of a relation channel that its groups have received; {@code null} if no group reads its keys. */
    public StoredRelation storedRelation(final String channel)
    {
        final Map<String, Long> numbers = new HashMap<>();
        ReceivedKeys all = null;
        for (final BatchRecorder recorder : recorders(channel))
        {
            recorder.marks().addTo(numbers);
            if (recorder.keys() != null)
            {
                all = all == null ? recorder.keys().copy() : all;
                all.addAll(recorder.keys());
            }
        }
        return all == null ? null : new StoredRelation(all.count(), all.toArray(), numbers);
    }

    /**
     * Raises the numbers of received rows of the groups that a channel feeds, so that a unit that seldom gets rows of a
     * producer does not make it send many again; called while no row is in the processor.
     *
     * @param sent   numbers of rows that were passed to all groups of the channel
     * @param active of the units that have received them: these, or those that they follow
     */
    public void raise(final String channel, final SequenceMarks sent, final ReceivedRows active)
    {
        if (!active.hasRejected(channel))
        {
            recorders(channel).forEach(each -> each.raise(sent));
        }
    }
}
