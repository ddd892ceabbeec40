package dev.millrace.command.recovery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares stored rows with expected rows, by key, in order. The rows of a key must be the same in the same order; keys
 * are independent of each other. Rows of both sides may be added in any alternation, and equal ones are forgotten, so
 * that long runs need little memory. Not thread-safe.
 */
public final class RowComparison
{
    /** How many rows after a difference are searched for the point at which both sides agree again. */
    static final int LOOK_AHEAD = 500;
    private static final int MOST_EXAMPLES = 10;

    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final List<String> examples = new ArrayList<>();
    private long expected;
    private long delivered;
    private long missing;
    private long doubled;
    private long wrong;

    /** The rows of one key that are not compared yet. */
    private static final class Lane
    {
        final Deque<double[]> expected = new ArrayDeque<>();
        final Deque<double[]> delivered = new ArrayDeque<>();
        /** The last rows that were equal, to recognize a row that is stored twice. */
        final Deque<double[]> recent = new ArrayDeque<>();

        void remember(final double[] row)
        {
            if (recent.size() == LOOK_AHEAD)
            {
                recent.removeFirst();
            }
            recent.addLast(row);
        }

        boolean isRepeated(final double[] row)
        {
            return recent.stream().anyMatch(each -> Arrays.equals(each, row));
        }
    }

    /** Adds the next expected row of a key. */
    public void expect(final String key, final double... row)
    {
        expected++;
        final Lane lane = lane(key);
        lane.expected.add(row);
        match(key, lane, false);
    }

    /** Adds the next stored row of a key. */
    public void deliver(final String key, final double... row)
    {
        delivered++;
        final Lane lane = lane(key);
        lane.delivered.add(row);
        match(key, lane, false);
    }

    /** Whether rows are stored for which no row is expected yet. */
    public boolean isAhead()
    {
        return lanes.values().stream().anyMatch(lane -> !lane.delivered.isEmpty() && lane.expected.isEmpty());
    }

    /** Whether rows are expected that are not stored yet. */
    public boolean isBehind()
    {
        return lanes.values().stream().anyMatch(lane -> !lane.expected.isEmpty());
    }

    /** All rows of both sides were added: counts the remaining differences. */
    public void end()
    {
        lanes.forEach((key, lane) -> match(key, lane, true));
    }

    public long expected()
    {
        return expected;
    }

    public long delivered()
    {
        return delivered;
    }

    public long missing()
    {
        return missing;
    }

    public long doubled()
    {
        return doubled;
    }

    public long wrong()
    {
        return wrong;
    }

    /** Returns the first differences in words. */
    public List<String> examples()
    {
        return List.copyOf(examples);
    }

    private Lane lane(final String key)
    {
        return lanes.computeIfAbsent(key, name -> new Lane());
    }

    private void match(final String key, final Lane lane, final boolean isLast)
    {
        while (!lane.expected.isEmpty() && !lane.delivered.isEmpty())
        {
            if (Arrays.equals(lane.expected.getFirst(), lane.delivered.getFirst()))
            {
                lane.delivered.removeFirst();
                lane.remember(lane.expected.removeFirst());
            }
            else if (isLast || Math.min(lane.expected.size(), lane.delivered.size()) > LOOK_AHEAD)
            {
                resolve(key, lane);
            }
            else
            {
                return;
            }
        }
        if (isLast)
        {
            lane.expected.forEach(row -> miss(key, row));
            lane.expected.clear();
            lane.delivered.forEach(row -> refuse(key, lane, row));
            lane.delivered.clear();
        }
    }

    /** Finds the nearest point at which both sides agree again, and counts the rows before it. */
    private void resolve(final String key, final Lane lane)
    {
        final int lost = distance(lane.expected, lane.delivered.getFirst());
        final int added = distance(lane.delivered, lane.expected.getFirst());
        if (lost == Integer.MAX_VALUE && added == Integer.MAX_VALUE)
        {
            replace(key, lane);
        }
        else if (lost < added)
        {
            for (int i = 0; i < lost; i++)
            {
                miss(key, lane.expected.removeFirst());
            }
        }
        else
        {
            for (int i = 0; i < added; i++)
            {
                refuse(key, lane, lane.delivered.removeFirst());
            }
        }
    }

    private static int distance(final Deque<double[]> rows, final double[] row)
    {
        final Iterator<double[]> each = rows.iterator();
        for (int i = 0; i <= LOOK_AHEAD && each.hasNext(); i++)
        {
            if (Arrays.equals(each.next(), row))
            {
                return i;
            }
        }
        return Integer.MAX_VALUE;
    }

    /** Another row is stored instead of an expected one. */
    private void replace(final String key, final Lane lane)
    {
        final double[] row = lane.delivered.removeFirst();
        final double[] instead = lane.expected.removeFirst();
        wrong++;
        example("wrong", key, row, ", expected " + Arrays.toString(instead));
    }

    private void miss(final String key, final double[] row)
    {
        missing++;
        example("missing", key, row, "");
    }

    private void refuse(final String key, final Lane lane, final double[] row)
    {
        if (lane.isRepeated(row))
        {
            doubled++;
            example("doubled", key, row, "");
        }
        else
        {
            wrong++;
            example("wrong", key, row, ", not expected");
        }
    }

    private void example(final String what, final String key, final double[] row, final String note)
    {
        if (examples.size() < MOST_EXAMPLES)
        {
            examples.add(what + ' ' + key + ' ' + Arrays.toString(row) + note);
        }
    }
}
