package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * Operators that go through instants together, because they hang on the same inputs. An instant is gone through once
 * all inputs that count are beyond it.
 *
 * <p>Threads: the engine's.
 */
public final class FlowRegion
{
    private final List<TimedInput> inputs = new ArrayList<>();
    private final FlowOperator[] operators;
    private final List<OutputOperator> outputs = new ArrayList<>();
    private long nowNs = FlowOperator.BEGINNING;
    private long progressNs = FlowOperator.BEGINNING;
    private boolean hasBegun;

    /**
     * Makes a region.
     *
     * @param operators all, inputs before those that read them
     */
    public FlowRegion(final List<FlowOperator> operators)
    {
        this.operators = operators.toArray(new FlowOperator[0]);
        for (final FlowOperator operator : operators)
        {
            if (operator instanceof TimedInput input)
            {
                inputs.add(input);
            }
            if (operator instanceof OutputOperator output)
            {
                outputs.add(output);
            }
        }
    }

    FlowOperator[] operators()
    {
        return operators;
    }

    List<OutputOperator> outputs()
    {
        return outputs;
    }

    /** The instant gone through last. */
    long nowNs()
    {
        return nowNs;
    }

    /** Goes through all instants that are complete. */
    void advance()
    {
        final long closedNs = closedNs();
        long nextNs = nextNs();
        while (nextNs <= closedNs && nextNs != FlowOperator.NEVER)
        {
            nowNs = Math.max(nowNs, nextNs);
            instant();
            nextNs = nextNs();
        }
        if (closedNs > progressNs || !hasBegun)
        {
            hasBegun = true;
            progressNs = closedNs;
            for (final FlowOperator operator : operators)
            {
                operator.progress(closedNs);
            }
        }
    }

    /** Goes through what is left: nothing more will come at all. */
    void finish()
    {
        advance();
        for (final FlowOperator operator : operators)
        {
            operator.finish(progressNs);
        }
    }

    /** Gives what has gathered to the sinks, and the time when it has moved without rows. */
    void flush(final long heartbeatNs)
    {
        for (final OutputOperator output : outputs)
        {
            output.flush();
            if (heartbeatNs != FlowOperator.BEGINNING)
            {
                output.heartbeat(heartbeatNs);
            }
        }
    }

    long progressNs()
    {
        return progressNs;
    }

    private long closedNs()
    {
        long closedNs = FlowOperator.NEVER;
        long silentNs = FlowOperator.BEGINNING;
        for (final TimedInput input : inputs)
        {
            if (input.isSilent())
            {
                silentNs = Math.max(silentNs, input.closedNs());
            }
            else
            {
                closedNs = Math.min(closedNs, input.closedNs());
            }
        }
        return closedNs == FlowOperator.NEVER ? silentNs : closedNs;
    }

    private long nextNs()
    {
        long nextNs = FlowOperator.NEVER;
        for (final TimedInput input : inputs)
        {
            nextNs = Math.min(nextNs, input.nextNs());
        }
        for (final FlowOperator operator : operators)
        {
            nextNs = Math.min(nextNs, operator.wakeNs());
        }
        return nextNs;
    }

    private void instant()
    {
        try
        {
            for (final TimedInput input : inputs)
            {
                input.load(nowNs);
            }
            for (final FlowOperator operator : operators)
            {
                if (operator.isDue(nowNs))
                {
                    operator.run(nowNs);
                }
            }
        }
        finally
        {
            for (final FlowOperator operator : operators)
            {
                operator.delta().clear();
            }
        }
    }
}
