package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.flow.FlowTime;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Requests to discard partitions of a unit once their rows that wait for their instant are processed. Requests are
 * numbered in order. A row that arrives afterwards has the number of the last request that includes its partition, and
 * waits until that request is done.
 *
 * <p>Confined to the engine thread.
 */
public final class DiscardQueue implements StateHolder
{
    private final List<Next> waiting = new ArrayList<>();
    private int asked;

    /**
     * A request.
     *
     * @param number  from 1
     * @param input   index of the input
     * @param untilNs time of the last waiting row of the partitions
     */
    record Next(int number, int input, PartitionPredicate partitions, long untilNs)
    {
    }

    /** Adds a request that is due when the instant of the last waiting row has passed. */
    void add(final int input, final PartitionPredicate partitions, final long untilNs)
    {
        waiting.add(new Next(++asked, input, partitions, untilNs));
    }

    /** Whether rows of some partitions must wait, because a request is pending. */
    public boolean isWaiting()
    {
        return !waiting.isEmpty();
    }

    /**
     * Whether a row must wait.
     *
     * @param number of the request before it; 0 if none exists
     * @return true until that request is done
     */
    public boolean isWaiting(final int number)
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            if (waiting.get(i).number == number)
            {
                return true;
            }
        }
        return false;
    }

    /** The first instant after which a request is due; {@link FlowTime#NEVER} when none is pending. */
    public long dueNs()
    {
        long dueNs = FlowTime.NEVER;
        for (int i = 0; i < waiting.size(); i++)
        {
            dueNs = Math.min(dueNs, waiting.get(i).untilNs);
        }
        return dueNs;
    }

    /** Removes the first request that is due when an instant has passed; {@code null} if none exists. */
    Next due(final long nowNs)
    {
        for (int i = 0; i < waiting.size(); i++)
        {
            if (waiting.get(i).untilNs <= nowNs)
            {
                return waiting.remove(i);
            }
        }
        return null;
    }

    /**
     * The number of the last pending request that includes rows with null, 0 if none exists.
     *
     * @param input index of the input
     */
    public int ofNull(final int input)
    {
        return last(input, test -> test.ofNull());
    }

    /**
     * The number of the last pending request that includes the rows of a string, 0 if none exists.
     *
     * @param input index of the input
     */
    public int ofString(final int input, final String value)
    {
        return last(input, test -> test.ofString(value));
    }

    /**
     * The number of the last pending request that includes the rows of an integer, a time or a boolean, 0 if none
     * exists.
     *
     * @param input index of the input
     */
    public int ofLong(final int input, final long value)
    {
        return last(input, test -> test.ofLong(value));
    }

    /**
     * The number of the last pending request that includes the rows of a float, 0 if none exists.
     *
     * @param input index of the input
     */
    public int ofFloat(final int input, final float value)
    {
        return last(input, test -> test.ofFloat(value));
    }

    /**
     * The number of the last pending request that includes the rows of a double, 0 if none exists.
     *
     * @param input index of the input
     */
    public int ofDouble(final int input, final double value)
    {
        return last(input, test -> test.ofDouble(value));
    }

    private int last(final int input, final Predicate<PartitionPredicate> isAbout)
    {
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            if (waiting.get(i).input == input && isAbout.test(waiting.get(i).partitions))
            {
                return waiting.get(i).number;
            }
        }
        return 0;
    }

    @Override
    public void write(final StateOutput to)
    {
        if (isWaiting())
        {
            throw new StateException("cannot write state before pending partitions are discarded, partitions=" +
                waiting.size());
        }
        to.writeInt(asked);
    }

    @Override
    public void read(final StateInput from)
    {
        asked = from.readInt();
    }
}
