package dev.millrace.cql.runtime.pattern;

/**
 * Which of the labellings of a partition count, and when.
 *
 * <p>Threads: the engine's.
 */
abstract class MatchMode
{
    /** Takes matches. */
    interface Reports
    {
        /** Puts a match out. */
        void match(Candidates candidates, int node, long timeNs);

        /** Puts a row without match out. */
        void unmatched(Candidates candidates, long sequence);

        /** Counts a match that cannot be followed as the statement says. */
        void fault(String reason, String detail);
    }

    private final PatternProgram program;
    private final PatternProgram.Rules rules;
    private final Trails trails;
    private final Stepper stepper;
    private final Reports reports;
    private final boolean[] isAccepting;
    private long holdArrival;

    MatchMode(final PatternProgram program, final Trails trails, final Stepper stepper, final Reports reports)
    {
        this.program = program;
        this.trails = trails;
        this.stepper = stepper;
        this.reports = reports;
        rules = program.rules();
        isAccepting = new boolean[program.follow().length];
        for (int i = 0; i < isAccepting.length; i++)
        {
            for (final int next : program.follow()[i])
            {
                isAccepting[i] |= next == PatternProgram.END;
            }
        }
    }

    final PatternProgram program()
    {
        return program;
    }

    final PatternProgram.Rules rules()
    {
        return rules;
    }

    final Trails trails()
    {
        return trails;
    }

    final Stepper stepper()
    {
        return stepper;
    }

    final Reports reports()
    {
        return reports;
    }

    /** Whether a match may be complete at a position. */
    final boolean isAccepting(final int position)
    {
        return isAccepting[position];
    }

    /** Lets all runs take a row, and begins those that start with it. */
    abstract void step(Candidates candidates, long sequence);

    /** Forgets what a step has begun that was given up. */
    void abort()
    {
        stepper.abort();
    }

    /** Decides what can be decided now. */
    abstract void settle(Candidates candidates);

    /** When something may have to be decided without a row. */
    abstract long timerNs(Candidates candidates, long nowNs);

    /** Acts on the timer; {@link #settle} follows. */
    abstract void fire(Candidates candidates, long nowNs);

    /** The earliest time that a match may bear that is complete but not yet decided. */
    long holdNs(final Candidates candidates)
    {
        return SlotClock.NEVER;
    }

    /** First row of that match; valid after {@link #holdNs}. */
    final long holdArrival()
    {
        return holdArrival;
    }

    /** Notes the earlier of two undecided matches. */
    final long earlier(final long holdNs, final long timeNs, final long arrival)
    {
        if (timeNs < holdNs || timeNs == holdNs && arrival < holdArrival)
        {
            holdArrival = arrival;
            return timeNs;
        }
        return holdNs;
    }

    final long start(final Candidates candidates, final int entry)
    {
        return trails.start(candidates.node(entry));
    }

    /** Drops the entries of some starts. */
    final void drop(final Candidates candidates, final long from, final long to, final boolean onlyRuns)
    {
        int kept = candidates.head();
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            final long start = start(candidates, i);
            if (start >= from && start < to && (!onlyRuns || !candidates.isDone(i)))
            {
                trails.release(candidates.node(i));
            }
            else
            {
                candidates.keep(i, kept++);
            }
        }
        candidates.limit(kept);
    }

    /** Drops everything that is not decided. */
    final void forget(final Candidates candidates)
    {
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            trails.release(candidates.node(i));
        }
        candidates.limit(candidates.head());
        final Candidates.PendingReports pending = candidates.pending();
        for (int i = 0; i < pending.size(); i++)
        {
            trails.release(pending.node(i));
        }
        pending.size(0);
    }

    /** Drops the oldest start, when a partition has become too large. */
    final void dropOldest(final Candidates candidates)
    {
        if (!candidates.isEmpty())
        {
            drop(candidates, 0, start(candidates, candidates.head()) + 1, false);
        }
    }

    /** When the oldest run is out of its WITHIN. */
    final long expiryNs(final Candidates candidates)
    {
        if (rules.withinNs() == 0 || candidates.isEmpty())
        {
            return SlotClock.NEVER;
        }
        return plus(candidates.timeNs(start(candidates, candidates.head())), rules.limitNs());
    }

    /** Drops the runs that are out of their WITHIN. */
    final void expire(final Candidates candidates, final long nowNs)
    {
        long until = 0;
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            final long start = start(candidates, i);
            if (plus(candidates.timeNs(start), rules.limitNs()) > nowNs)
            {
                break;
            }
            until = start + 1;
        }
        drop(candidates, 0, until, true);
    }

    /** Sum that stays at the end of time. */
    static long plus(final long timeNs, final long durationNs)
    {
        final long sum = timeNs + durationNs;
        return sum < timeNs ? SlotClock.NEVER - 1 : sum;
    }
}
