package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StatePart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Partitions that a unit has to forget when rows of theirs that wait for their instant are done with. They have numbers
 * in the order in which they were asked for. A row that comes afterwards has the number of the last one that is about
 * its partition, and waits until that is done.
 *
 * <p>Threads: the engine's.
 */
public final class Forgettings implements StatePart
{
    private final List<Next> waiting = new ArrayList<>();
    private int asked;

    /**
     * What is to be forgotten.
     *
     * @param number     from 1
     * @param input      number of the way in
     * @param partitions which
     * @param untilNs    time of their last row that waits
     */
    record Next(int number, int input, PartitionTest partitions, long untilNs)
    {
    }

    /** Adds one that is due when the instant of the last row that waits is over. */
    void add(final int input, final PartitionTest partitions, final long untilNs)
    {
        waiting.add(new Next(++asked, input, partitions, untilNs));
    }

    /**
     * Whether rows of some partitions have to wait.
     *
     * @return true when something is still to be forgotten
     */
    public boolean isWaiting()
    {
        return !waiting.isEmpty();
    }

    /**
     * Whether a row has to wait.
     *
     * @param number of the forgetting before it; 0 when there is none
     * @return true until that is done
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

    /**
     * The first instant after which something is to be forgotten.
     *
     * @return {@link Unit#NEVER} when nothing is
     */
    public long dueNs()
    {
        long dueNs = Unit.NEVER;
        for (int i = 0; i < waiting.size(); i++)
        {
            dueNs = Math.min(dueNs, waiting.get(i).untilNs);
        }
        return dueNs;
    }

    /** Takes the first one that is due when an instant is over; {@code null} when there is none. */
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
     * The number of the last forgetting that waits and is about rows without value.
     *
     * @param input number of the way in
     * @return 0 when there is none
     */
    public int ofNull(final int input)
    {
        return last(input, test -> test.ofNull());
    }

    /**
     * The number of the last forgetting that waits and is about the rows of a string.
     *
     * @param input number of the way in
     * @param value of the row
     * @return 0 when there is none
     */
    public int ofString(final int input, final String value)
    {
        return last(input, test -> test.ofString(value));
    }

    /**
     * The number of the last forgetting that waits and is about the rows of a whole number, a time or a boolean.
     *
     * @param input number of the way in
     * @param value of the row
     * @return 0 when there is none
     */
    public int ofLong(final int input, final long value)
    {
        return last(input, test -> test.ofLong(value));
    }

    /**
     * The number of the last forgetting that waits and is about the rows of a float.
     *
     * @param input number of the way in
     * @param value of the row
     * @return 0 when there is none
     */
    public int ofFloat(final int input, final float value)
    {
        return last(input, test -> test.ofFloat(value));
    }

    /**
     * The number of the last forgetting that waits and is about the rows of a double.
     *
     * @param input number of the way in
     * @param value of the row
     * @return 0 when there is none
     */
    public int ofDouble(final int input, final double value)
    {
        return last(input, test -> test.ofDouble(value));
    }

    private int last(final int input, final Predicate<PartitionTest> isAbout)
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
            throw new StateException("state is written when partitions that are to be forgotten are, partitions=" +
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
