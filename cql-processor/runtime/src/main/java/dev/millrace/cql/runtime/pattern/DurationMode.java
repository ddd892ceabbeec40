package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;

/**
 * DURATION and DURATION MULTIPLES OF: a candidate counts when a time after its first row, which may be a column of it,
 * all rows since then are one complete labelling.
 *
 * <p>Threads: the engine's.
 */
final class DurationMode extends MatchMode
{
    /** Reason of a first row whose column says no length of time. */
    static final String NO_DURATION = "pattern-duration";

    private final StepTable reported = new StepTable();
    private final RowStore rows;

    DurationMode(final PatternProgram program, final Trails trails, final Stepper stepper, final Reports reports,
        final RowStore rows)
    {
        super(program, trails, stepper, reports);
        this.rows = rows;
    }

    /** The period that begins with a row; 0 when its column says none. */
    private long durationNs(final Candidates candidates, final long start)
    {
        final int column = rules().durationOf();
        if (column < 0)
        {
            return rules().durationNs();
        }
        final int row = candidates.row(start);
        final long units = rows.isNull(row, column) ? 0 : rows.getLong(row, column);
        return units <= 0 ? 0 : units > Long.MAX_VALUE / rules().durationNs() ? Long.MAX_VALUE :
            units * rules().durationNs();
    }

    @Override
    void step(final Candidates candidates, final long sequence)
    {
        stepper().begin(candidates, sequence);
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            extend(candidates.node(i), program().follow()[candidates.position(i)]);
        }
        if (durationNs(candidates, sequence) > 0)
        {
            extend(Trails.NONE, program().first());
        }
        else if (canBegin())
        {
            reports().fault(NO_DURATION, "DURATION by a column: no attempt begins with a row whose column is null " +
                "or not above 0, value=" + rows.value(candidates.row(sequence), rules().durationOf()));
        }
    }

    private boolean canBegin()
    {
        for (final int position : program().first())
        {
            if (position != PatternProgram.END && stepper().child(Trails.NONE, position) != Trails.NONE)
            {
                return true;
            }
        }
        return false;
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
                final long durationNs = durationNs(candidates, start);
                firstNs = Math.min(firstNs, rules().repeats() ? nextTickNs(timeNs, nowNs, durationNs) :
                    plus(timeNs, durationNs));
                before = start;
                if (!rules().repeats() && rules().durationOf() < 0)
                {
                    break;
                }
            }
        }
        return firstNs;
    }

    private static long nextTickNs(final long startNs, final long nowNs, final long durationNs)
    {
        final long ticks = (nowNs - startNs) / durationNs + 1;
        return ticks > (Long.MAX_VALUE - startNs) / durationNs ? SlotClock.NEVER - 1 : startNs + ticks * durationNs;
    }

    private boolean isTick(final long startNs, final long nowNs, final long durationNs)
    {
        final long passedNs = nowNs - startNs;
        return passedNs > 0 && (rules().repeats() ? passedNs % durationNs == 0 : passedNs == durationNs);
    }

    @Override
    void fire(final Candidates candidates, final long nowNs)
    {
        reported.clear();
        int first = candidates.head();
        int kept = first;
        while (first < candidates.limit())
        {
            final long start = start(candidates, first);
            int end = first;
            while (end < candidates.limit() && start(candidates, end) == start)
            {
                end++;
            }
            final boolean isDue = isTick(candidates.timeNs(start), nowNs, durationNs(candidates, start));
            if (isDue)
            {
                report(candidates, first, end, nowNs);
            }
            for (int i = first; i < end; i++)
            {
                if (isDue && !rules().repeats())
                {
                    trails().release(candidates.node(i));
                }
                else
                {
                    candidates.keep(i, kept++);
                }
            }
            first = end;
        }
        candidates.limit(kept);
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
