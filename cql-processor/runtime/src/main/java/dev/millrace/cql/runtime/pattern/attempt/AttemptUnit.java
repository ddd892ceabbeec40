package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.PartitionTest;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowFaults;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;

/**
 * MATCH_RECOGNIZE over the batches of a channel, by a generated {@link AttemptPattern}: rows are not copied, matches
 * go into the region behind.
 *
 * <p>Threads: the engine's. Failure: as the pattern.
 */
public final class AttemptUnit implements FlowUnit
{
    private final AttemptPattern pattern;
    private RowFaults faults = RowFaults.NONE;

    /**
     * Makes a unit.
     *
     * @param input         layout of the rows of the channel
     * @param factory       makes the pattern
     * @param result        store for rows of matches
     * @param target        where they go, over the same store
     * @param maxAttempts   attempts of a partition
     * @param maxPartitions partitions
     * @param idleNs        how long a partition that is kept without end may be without rows; 0 when it is kept
     */
    public AttemptUnit(final RowLayout input, final Function<AttemptSetup, AttemptPattern> factory,
        final RowStore result, final ReplayOperator target, final int maxAttempts, final int maxPartitions,
        final long idleNs)
    {
        pattern = factory.apply(new AttemptSetup(result, new ReplayTarget(target, result), input, maxAttempts,
            maxPartitions, result.memory(), idleNs, (reason, detail) -> faults.reject(reason, detail)));
    }

    @Override
    public void open(final RowFaults to)
    {
        faults = to;
    }

    @Override
    public void open(final RowFaults to, final StateInput from)
    {
        faults = to;
        pattern.read(from);
    }

    @Override
    public void write(final StateOutput to)
    {
        pattern.write(to);
    }

    @Override
    public void rows(final int input, final EventBatch batch, final long[] timesNs, final int[] rows, final int count,
        final long closesNs)
    {
        pattern.take(batch, timesNs, rows, count);
        pattern.endOfRows(count);
    }

    @Override
    public void advance(final long closedNs)
    {
        pattern.progress(closedNs);
    }

    @Override
    public void finish(final long closedNs)
    {
        pattern.finish(closedNs);
    }

    @Override
    public void forget(final int input, final PartitionTest partitions, final long notBeforeNs)
    {
        throw new IllegalStateException("our bug, please report it: a pattern that cannot forget was told to");
    }

    @Override
    public void discard(final int input, final PartitionTest partitions)
    {
        throw new StateException("matches cannot be told apart by partition");
    }

    @Override
    public List<QueryOutput> outputs()
    {
        return List.of();
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
