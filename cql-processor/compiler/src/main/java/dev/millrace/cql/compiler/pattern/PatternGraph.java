package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.runtime.pattern.PatternProgram;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The paths through the positions of a pattern: where it may begin, what may follow each position, and where it may
 * end. Paths that the order of preference excludes, those after the end in a list, are omitted.
 *
 * <p>Immutable; arrays must not be modified.
 */
public final class PatternGraph
{
    private final int[] first;
    private final int[][] follow;
    private final boolean[] accepts;
    private final int[] leastBefore;

    PatternGraph(final PatternProgram program)
    {
        // All labellings count with ALL MATCHES; with DURATION, those that are complete when the time has come.
        final boolean all = program.rules().allMatches() || program.rules().durationNs() > 0;
        first = taken(program.first(), all);
        follow = new int[program.follow().length][];
        accepts = new boolean[follow.length];
        for (int i = 0; i < follow.length; i++)
        {
            follow[i] = taken(program.follow()[i], all);
            accepts[i] = Arrays.stream(program.follow()[i]).anyMatch(next -> next == PatternProgram.END);
        }
        leastBefore = leastBefore();
    }

    /** The positions before the end; with ALL MATCHES also those after it. */
    private static int[] taken(final int[] next, final boolean all)
    {
        int count = 0;
        final int[] positions = new int[next.length];
        for (final int position : next)
        {
            if (position != PatternProgram.END)
            {
                positions[count++] = position;
            }
            else if (!all)
            {
                break;
            }
        }
        return Arrays.copyOf(positions, count);
    }

    /** Breadth-first search: the minimum number of rows before each position. */
    private int[] leastBefore()
    {
        final int[] least = new int[follow.length];
        Arrays.fill(least, Integer.MAX_VALUE);
        final Deque<Integer> open = new ArrayDeque<>();
        for (final int position : first)
        {
            least[position] = 0;
            open.add(position);
        }
        while (!open.isEmpty())
        {
            final int position = open.remove();
            for (final int next : follow[position])
            {
                if (least[next] == Integer.MAX_VALUE)
                {
                    least[next] = least[position] + 1;
                    open.add(next);
                }
            }
        }
        return least;
    }

    /** Positions where a match may begin, in order of preference. */
    public int[] first()
    {
        return first;
    }

    /** Positions that may follow a position, in order of preference. */
    public int[] follow(final int position)
    {
        return follow[position];
    }

    /** Number of positions. */
    public int size()
    {
        return follow.length;
    }

    /** Whether a match may end with a position; it may also continue. */
    public boolean accepts(final int position)
    {
        return accepts[position];
    }

    /** Whether a match always ends with a position. */
    boolean ends(final int position)
    {
        return accepts[position] && follow[position].length == 0;
    }

    /** Whether an attempt can reach a position. */
    boolean isReached(final int position)
    {
        return leastBefore[position] != Integer.MAX_VALUE;
    }

    /** The minimum number of rows of an attempt before a position. */
    int leastBefore(final int position)
    {
        return leastBefore[position];
    }

    /**
     * Whether each match that is not empty has a row of a set of variables.
     *
     * @param variables mask
     * @param labels    variable of each position
     */
    boolean isIn(final long variables, final int[] labels)
    {
        final boolean[] seen = new boolean[follow.length];
        final Deque<Integer> open = new ArrayDeque<>();
        int[] next = first;
        while (next != null)
        {
            for (final int position : next)
            {
                if (!seen[position] && (variables & 1L << labels[position]) == 0)
                {
                    if (accepts[position])
                    {
                        return false;
                    }
                    seen[position] = true;
                    open.add(position);
                }
            }
            next = open.isEmpty() ? null : follow[open.remove()];
        }
        return true;
    }

    /** Whether an attempt may reach two positions of a set, or one of them twice. */
    boolean mayRepeat(final boolean[] set)
    {
        final boolean[] seen = new boolean[follow.length];
        final Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < set.length; i++)
        {
            if (set[i])
            {
                open.add(i);
            }
        }
        while (!open.isEmpty())
        {
            for (final int next : follow[open.remove()])
            {
                if (set[next])
                {
                    return true;
                }
                if (!seen[next])
                {
                    seen[next] = true;
                    open.add(next);
                }
            }
        }
        return false;
    }
}
