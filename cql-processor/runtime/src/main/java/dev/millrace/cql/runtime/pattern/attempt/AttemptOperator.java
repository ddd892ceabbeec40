package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.cql.runtime.flow.Delta;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FollowsTime;
import dev.millrace.cql.runtime.flow.PartitionTest;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.function.Function;

/**
 * MATCH_RECOGNIZE over the rows of another operator, by a generated {@link AttemptPattern}.
 *
 * <p>Threads: the engine's. Failure: as the pattern.
 */
public final class AttemptOperator extends FlowOperator implements FollowsTime
{
    private final FlowOperator input;
    private final AttemptPattern pattern;

    /**
     * Makes an operator.
     *
     * @param input         stream
     * @param factory       makes the pattern
     * @param result        store for rows of matches
     * @param target        where they go, over the same store
     * @param maxAttempts   attempts of a partition
     * @param maxPartitions partitions
     * @param idleNs        how long a partition that is kept without end may be without rows; 0 when it is kept
     */
    public AttemptOperator(final FlowOperator input, final Function<AttemptSetup, AttemptPattern> factory,
        final RowStore result, final ReplayOperator target, final int maxAttempts, final int maxPartitions,
        final long idleNs)
    {
        super(result, input);
        this.input = input;
        pattern = factory.apply(new AttemptSetup(result, new ReplayTarget(target, result), input.store().layout(),
            maxAttempts, maxPartitions, result.memory(), idleNs, this::reject));
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                pattern.take(input.store(), in.row(i), nowNs);
            }
        }
        pattern.endOfRows(in.size());
    }

    @Override
    public void progress(final long closedNs)
    {
        pattern.progress(closedNs);
    }

    @Override
    protected void finish(final long closedNs)
    {
        pattern.finish(closedNs);
    }

    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        pattern.forget(partitions, column);
    }

    @Override
    public long forgottenKeys()
    {
        return pattern.forgottenKeys();
    }

    @Override
    public long stateSize()
    {
        return pattern.stateSize();
    }

    @Override
    protected void write(final StateOutput to)
    {
        pattern.write(to);
    }

    @Override
    protected void read(final StateInput from)
    {
        pattern.read(from);
    }
}
