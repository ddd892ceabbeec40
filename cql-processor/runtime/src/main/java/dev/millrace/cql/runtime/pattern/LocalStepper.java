package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;

/**
 * Lets the runs of a partition take a row, where conditions read only the row and rows physically before it: each
 * condition is computed at most once a row, and what happens to a run depends on its position alone. So of runs at one
 * position only the most preferred is followed, unless starts must be told apart or all matches count.
 *
 * <p>Threads: the engine's. Failure: what a condition throws leaves the runs as they were.
 */
final class LocalStepper
{
    private static final int NEW = -1;

    private final PatternProgram program;
    private final PatternKernel kernel;
    private final RowStore rows;
    private final LocalView view;
    private final int maxRuns;
    private final boolean allMatches;
    private final boolean mergesStarts;
    private final boolean[] isAccepting;
    private final boolean[] goesOn;
    private final boolean[] prefersToGoOn;
    /** Registers that a row of a variable goes to. */
    private final int[][] registersOf;
    private LocalRuns next;
    private LocalRuns runs;
    private final WaitingMatches waiting = new WaitingMatches();
    /** Positions at which a run stands already that later ones may yield to. */
    private long seen;
    /** Starts of those runs. */
    private final long[] seenStarts;
    private long seenStart;
    private long arrival;
    private long timeNs;
    private long tested;
    private long passed;
    private int dropped;

    LocalStepper(final PatternProgram program, final PatternKernel kernel, final RowStore rows, final LocalView view,
        final int maxRuns)
    {
        this.program = program;
        this.kernel = kernel;
        this.rows = rows;
        this.view = view;
        this.maxRuns = maxRuns;
        final PatternProgram.Rules rules = program.rules();
        allMatches = rules.allMatches();
        mergesStarts = rules.withinNs() == 0 && rules.skip() == PatternProgram.Skip.PAST_LAST_ROW;
        final int positions = program.follow().length;
        isAccepting = new boolean[positions];
        goesOn = new boolean[positions];
        seenStarts = new long[positions];
        prefersToGoOn = new boolean[positions];
        for (int i = 0; i < positions; i++)
        {
            for (final int following : program.follow()[i])
            {
                isAccepting[i] |= following == PatternProgram.END;
                goesOn[i] |= following != PatternProgram.END;
            }
            prefersToGoOn[i] = program.follow()[i][0] != PatternProgram.END;
        }
        registersOf = new int[program.variables().length][];
        for (int i = 0; i < registersOf.length; i++)
        {
            registersOf[i] = view.registersOf(i);
        }
    }

    /**
     * Lets runs take the row that the view stands on.
     *
     * @param before  runs of the partition; not changed
     * @param after   empty; gets the runs after the row, without claims
     * @param matches empty; gets complete matches that need not wait (ALL MATCHES), without claims
     */
    void step(final LocalRuns before, final LocalRuns after, final LocalRuns matches, final long rowArrival,
        final long rowTimeNs)
    {
        runs = before;
        next = after;
        arrival = rowArrival;
        timeNs = rowTimeNs;
        tested = program.unconditional();
        passed = tested;
        dropped = 0;
        seen = 0;
        seenStart = Long.MIN_VALUE;
        waiting.clear();
        if (allMatches)
        {
            for (int i = 0; i < before.size(); i++)
            {
                extendAll(i, program.follow()[before.position(i)], matches);
            }
            extendAll(NEW, program.first(), matches);
        }
        else
        {
            stepFirst();
        }
    }

    private void stepFirst()
    {
        long decided = Long.MIN_VALUE;
        for (int i = 0; i < runs.size(); i++)
        {
            final long start = runs.start(i);
            if (start == decided)
            {
                continue;
            }
            if (runs.isDone(i))
            {
                next.copy(runs, i, LocalRuns.DONE);
                waiting.add(start, runs.end(i));
            }
            else if (extendFirst(i, start, program.follow()[runs.position(i)]))
            {
                decided = start;
            }
        }
        extendFirst(NEW, arrival, program.first());
    }

    /** Goes on to positions that are preferred to the end; true when a match is complete, which all else yields to. */
    private boolean extendFirst(final int run, final long start, final int[] positions)
    {
        if (!mergesStarts && start != seenStart)
        {
            seenStart = start;
            seen = 0;
        }
        for (final int position : positions)
        {
            if (position == PatternProgram.END)
            {
                return false;
            }
            if (!passes(program.labels()[position]))
            {
                continue;
            }
            boolean isNew = true;
            if (prefersToGoOn[position])
            {
                isNew = (seen & 1L << position) == 0 || !waiting.sharesFate(seenStarts[position], start);
                if (isNew)
                {
                    seen |= 1L << position;
                    seenStarts[position] = start;
                    add(next, run, position);
                }
            }
            if (isAccepting[position])
            {
                if (isNew)
                {
                    final int match = add(next, run, position);
                    if (match >= 0)
                    {
                        next.done(match, arrival, timeNs);
                        waiting.add(start, arrival);
                    }
                }
                // Not new: an older start is complete with this row, so that this one is part of its match.
                return true;
            }
        }
        return false;
    }

    private void extendAll(final int run, final int[] positions, final LocalRuns matches)
    {
        for (final int position : positions)
        {
            if (position == PatternProgram.END || !passes(program.labels()[position]))
            {
                continue;
            }
            if (isAccepting[position])
            {
                matches.done(add(matches, run, position), arrival, timeNs);
            }
            if (goesOn[position])
            {
                add(next, run, position);
            }
        }
    }

    private int add(final LocalRuns to, final int run, final int position)
    {
        if (to.size() >= maxRuns && to == next)
        {
            dropped++;
            return NEW;
        }
        final int added = run == NEW ? to.begin(position, arrival, timeNs) : to.copy(runs, run, position);
        for (final int register : registersOf[program.labels()[position]])
        {
            if (!view.isFirst(register) || to.register(added, register) == LocalRuns.UNSET)
            {
                to.register(added, register, view.captured(register));
            }
        }
        return added;
    }

    private boolean passes(final int variable)
    {
        final long bit = 1L << variable;
        if ((tested & bit) == 0)
        {
            tested |= bit;
            passed |= kernel.test(variable, view, rows) ? bit : 0;
        }
        return (passed & bit) != 0;
    }

    /** Runs that had no room in this step. */
    int dropped()
    {
        return dropped;
    }
}
