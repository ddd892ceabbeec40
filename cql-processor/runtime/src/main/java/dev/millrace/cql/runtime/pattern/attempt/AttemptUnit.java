package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.flow.FlowTime;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.row.RowFaultHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;

/**
 * MATCH_RECOGNIZE over the batches of a channel, by a generated {@link AttemptPattern}. Its output is complete up to
 * the earliest time that an undecided match may have.
 *
 * <p>Confined to the engine thread. Failure: see the pattern.
 */
public final class AttemptUnit implements FlowUnit, MatchTarget
{
    private final AttemptPattern pattern;
    private final MatchRows results;
    private final QueryOutput output;
    private final int partitionColumn;
    private final List<Forgetting> forgettings = new ArrayList<>();
    private long completeNs = FlowTime.BEGINNING;
    private RowFaultHandler faults = RowFaultHandler.NONE;

    /** Partitions to discard when the instant of their last row in flight has passed. */
    private record Forgetting(PartitionPredicate partitions, long untilNs)
    {
    }

    /**
     * Limits of a pattern.
     *
     * @param maxAttempts maximum number of attempts per partition
     * @param idleNs      how long a partition of unbounded state may be without rows; 0 when it never expires
     */
    public record Limits(int maxAttempts, int maxPartitions, long idleNs)
    {
    }

    /**
     * @param factory         creates the pattern
     * @param results         store for rows of matches
     * @param output          receives the rows
     * @param aggregates      aggregates that are computed over all rows of a match
     * @param partitionColumn column of the key by which rows are partitioned; negative when partitions are never
     *                        discarded
     */
    public AttemptUnit(final Function<AttemptContext, AttemptPattern> factory, final MatchRows results,
        final QueryOutput output, final Limits limits, final RowAggregates.Aggregate[] aggregates,
        final int partitionColumn)
    {
        this.results = results;
        this.output = output;
        this.partitionColumn = partitionColumn;
        pattern = factory.apply(new AttemptContext(results, this, limits.maxAttempts, limits.maxPartitions,
            results.memory(), limits.idleNs, aggregates, (reason, detail) -> faults.reject(reason, detail)));
    }

    @Override
    public void open(final RowFaultHandler to)
    {
        faults = to;
    }

    @Override
    public void open(final RowFaultHandler to, final StateInput from)
    {
        faults = to;
        completeNs = from.readLong();
        pattern.read(from);
    }

    @Override
    public void write(final StateOutput to)
    {
        if (!forgettings.isEmpty())
        {
            throw new StateException("cannot write state before pending partitions are discarded, partitions=" +
                forgettings.size());
        }
        to.writeLong(completeNs);
        pattern.write(to);
    }

    @Override
    public void rows(final int input, final EventBatch batch, final long[] timesNs, final int[] rows, final int count,
        final long closesNs)
    {
        if (forgettings.isEmpty())
        {
            pattern.take(batch, timesNs, rows, count);
            pattern.endOfRows(count);
        }
        else
        {
            rowsAroundForgettings(batch, timesNs, rows, count);
        }
    }

    /**
     * A batch may also contain rows of later instants than the one that a discard waits for: the discard happens
     * between them.
     */
    private void rowsAroundForgettings(final EventBatch batch, final long[] timesNs, final int[] rows, final int count)
    {
        int from = 0;
        while (from < count)
        {
            int to = from;
            while (to < count && (forgettings.isEmpty() || timesNs[to] <= forgettings.get(0).untilNs))
            {
                to++;
            }
            if (to > from)
            {
                pattern.take(batch, Arrays.copyOfRange(timesNs, from, to), Arrays.copyOfRange(rows, from, to),
                    to - from);
                pattern.endOfRows(to - from);
            }
            if (to < count)
            {
                advance(forgettings.get(0).untilNs);
            }
            from = to;
        }
    }

    @Override
    public void put(final int row, final long timeNs)
    {
        final int to = output.row(timeNs, EventBatch.INSERT);
        try
        {
            results.copy(row, output.batch(), to);
        }
        catch (final RowRejectedException cause)
        {
            output.drop();
            faults.reject(cause.reason(), cause.getMessage());
        }
        results.free(row);
    }

    @Override
    public void close(final long timeNs)
    {
        completeNs = Math.max(completeNs, timeNs);
    }

    @Override
    public long completeNs(final long closedNs)
    {
        return completeNs;
    }

    @Override
    public void advance(final long closedNs)
    {
        pattern.progress(closedNs);
        while (!forgettings.isEmpty() && forgettings.get(0).untilNs <= closedNs)
        {
            pattern.forget(forgettings.remove(0).partitions, partitionColumn);
        }
    }

    @Override
    public void finish(final long closedNs)
    {
        pattern.finish(closedNs);
    }

    @Override
    public void forget(final int input, final PartitionPredicate partitions, final long notBeforeNs)
    {
        if (partitionColumn < 0)
        {
            return;
        }
        if (notBeforeNs == FlowTime.BEGINNING)
        {
            pattern.forget(partitions, partitionColumn);
        }
        else
        {
            forgettings.add(new Forgetting(partitions, notBeforeNs));
        }
    }

    @Override
    public void discard(final int input, final PartitionPredicate partitions)
    {
        throw new StateException("matches cannot be separated by partition");
    }

    @Override
    public List<QueryOutput> outputs()
    {
        return List.of(output);
    }

    @Override
    public void state(final ObjLongConsumer<String> figures)
    {
        figures.accept("AttemptUnit", pattern.stateSize());
    }

    @Override
    public long forgottenKeys()
    {
        return pattern.forgottenKeys();
    }
}
