package dev.millrace.cql.runtime.pattern;

/**
 * DURATION and DURATION MULTIPLES OF: a candidate counts when a fixed time after its first row all rows since then are
 * one complete labelling.
 *
 * <p>Threads: the engine's.
 */
final class DurationMode extends MatchMode
{
    private final StepTable reported = new StepTable();

    DurationMode(final PatternProgram program, final Trails trails, final Stepper stepper, final Reports reports)
    {
        super(program, trails, stepper, reports);
    }

    @Override
    void step(final Candidates candidates, final long sequence)
    {
        stepper().begin(candidates, sequence);
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            extend(candidates.node(i), program().follow()[candidates.position(i)]);
        }
        extend(Trails.NONE, program().first());
    }

    private void extend(final int node, final int[] positions)
    {
        for (final int position : positions)
        {
            final int child = position == PatternProgram.END ? Trails.NONE : stepper().child(node, position);
            if (child != Trails.NONE)
            {
                // Also when nothing may follow: it is looked at when the time is over.
                stepper().add(position, child);
            }
        }
    }

    @Override
    void settle(final Candidates candidates)
    {
        final Candidates.PendingReports pending = candidates.pending();
        while (pending.size() > 0)
        {
            long start = Candidates.NO_START;
            for (int i = 0; i < pending.size(); i++)
            {
                start = Math.min(start, pending.start(i));
            }
            if (!candidates.isEmpty() && start(candidates, candidates.head()) < start)
            {
                return;
            }
            release(candidates, pending, start);
        }
    }

    /** Puts the reports of a start out that nobody blocks any more; what it covers is not wanted. */
    private void release(final Candidates candidates, final Candidates.PendingReports pending, final long start)
    {
        long limit = 0;
        for (int i = 0; i < pending.size(); i++)
        {
            if (pending.start(i) == start)
            {
                reports().match(candidates, pending.node(i), pending.timeNs(i));
                trails().release(pending.node(i));
                limit = pending.limit(i);
            }
        }
        drop(candidates, start + 1, limit, false);
        int kept = 0;
        for (int i = 0; i < pending.size(); i++)
        {
            if (pending.start(i) >= limit)
            {
                pending.keep(i, kept++);
            }
            else if (pending.start(i) != start)
            {
                trails().release(pending.node(i));
            }
        }
        pending.size(kept);
    }

    @Override
    long holdNs(final Candidates candidates)
    {
        long holdNs = SlotClock.NEVER;
        for (int i = 0; i < candidates.pending().size(); i++)
        {
            holdNs = earlier(holdNs, candidates.pending().timeNs(i),
                candidates.arrival(candidates.pending().start(i)));
        }
        return holdNs;
    }

    @Override
    long timerNs(final Candidates candidates, final long nowNs)
    {
        long firstNs = SlotClock.NEVER;
        long before = -1;
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            final long start = start(candidates, i);
            if (start != before)
            {
                final long timeNs = candidates.timeNs(start);
                firstNs = Math.min(firstNs, rules().repeats() ? nextTickNs(timeNs, nowNs) :
                    plus(timeNs, rules().durationNs()));
                before = start;
                if (!rules().repeats())
                {
                    break;
                }
            }
        }
        return firstNs;
    }

    private long nextTickNs(final long startNs, final long nowNs)
    {
        return plus(startNs, ((nowNs - startNs) / rules().durationNs() + 1) * rules().durationNs());
    }

    private boolean isTick(final long startNs, final long nowNs)
    {
        final long passedNs = nowNs - startNs;
        return passedNs > 0 && (rules().repeats() ? passedNs % rules().durationNs() == 0 :
            passedNs == rules().durationNs());
    }

    @Override
    void fire(final Candidates candidates, final long nowNs)
    {
        reported.clear();
        long finished = -1;
        int first = candidates.head();
        while (first < candidates.limit())
        {
            final long start = start(candidates, first);
            int end = first;
            while (end < candidates.limit() && start(candidates, end) == start)
            {
                end++;
            }
            if (isTick(candidates.timeNs(start), nowNs))
            {
                report(candidates, first, end, nowNs);
                finished = start;
                if (!rules().repeats() && !rules().allMatches() && candidates.pending().size() > 0)
                {
                    break;
                }
            }
            first = end;
        }
        if (!rules().repeats())
        {
            drop(candidates, 0, finished + 1, false);
        }
    }

    private void report(final Candidates candidates, final int first, final int end, final long nowNs)
    {
        for (int i = first; i < end; i++)
        {
            final int node = candidates.node(i);
            if (!isAccepting(candidates.position(i)) || reported.get(node) != StepTable.MISSING)
            {
                continue;
            }
            if (rules().allMatches())
            {
                reported.put(node, 1);
                reports().match(candidates, node, nowNs);
                continue;
            }
            trails().retain(node);
            candidates.pending().add(trails().start(node), nowNs, candidates.next(), node);
            return;
        }
    }
}
