package dev.millrace.cql.runtime.flow;

import java.util.Arrays;
import java.util.List;

/**
 * Operators that go through instants together, because they hang on the same inputs. An instant is gone through once
 * all inputs that count are beyond it.
 *
 * <p>Threads: the engine's.
 */
public final class FlowRegion
{
    private final TimedInput[] inputs;
    private final FlowOperator[] operators;
    private final FollowsTime[] followers;
    private final OutputOperator[] outputs;
    /** Operators that have said once that they wake by themselves; their number is {@code alarmCount}. */
    private final FlowOperator[] alarms;
    private int alarmCount;
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
        inputs = only(TimedInput.class);
        followers = only(FollowsTime.class);
        outputs = only(OutputOperator.class);
        alarms = new FlowOperator[this.operators.length];
        operators.forEach(operator -> operator.region(this));
    }

    @SuppressWarnings("unchecked")
    private <T> T[] only(final Class<T> type)
    {
        return Arrays.stream(operators).filter(type::isInstance)
            .toArray(length -> (T[])java.lang.reflect.Array.newInstance(type, length));
    }

    /** An operator will wake by itself from now on. */
    void addAlarm(final FlowOperator operator)
    {
        alarms[alarmCount++] = operator;
    }

    FlowOperator[] operators()
    {
        return operators;
    }

    List<OutputOperator> outputs()
    {
        return List.of(outputs);
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
            for (final FollowsTime follower : followers)
            {
                follower.progress(closedNs);
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

    /** Gives what has gathered to the sinks, and the time when it has moved without rows; to all, also if one fails. */
    void flush(final long heartbeatNs)
    {
        RuntimeException failure = null;
        for (final OutputOperator output : outputs)
        {
            try
            {
                flush(output, heartbeatNs);
            }
            catch (final RuntimeException unexpected)
            {
                failure = failure == null ? unexpected : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    private static void flush(final OutputOperator output, final long heartbeatNs)
    {
        if (heartbeatNs == FlowOperator.BEGINNING)
        {
            output.flush();
        }
        else
        {
            output.heartbeat(heartbeatNs);
        }
    }

    long progressNs()
    {
        return progressNs;
    }

    private long closedNs()
    {
        if (inputs.length == 1)
        {
            return inputs[0].closedNs();
        }
        long closedNs = FlowOperator.NEVER;
        long silentNs = FlowOperator.BEGINNING;
        boolean areAllSilent = true;
        for (final TimedInput input : inputs)
        {
            if (input.isSilent())
            {
                silentNs = Math.max(silentNs, input.closedNs());
            }
            else
            {
                areAllSilent = false;
                closedNs = Math.min(closedNs, input.closedNs());
            }
        }
        return areAllSilent ? silentNs : closedNs;
    }

    private long nextNs()
    {
        long nextNs = FlowOperator.NEVER;
        for (final TimedInput input : inputs)
        {
            nextNs = Math.min(nextNs, input.nextNs());
        }
        for (int i = 0; i < alarmCount; i++)
        {
            nextNs = Math.min(nextNs, alarms[i].wakeNs());
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
