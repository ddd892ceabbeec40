package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.pattern.attempt.AttemptPattern;

/**
 * Without ALL MATCHES: at each start the most preferred labelling counts, once all that are preferred to it are dead;
 * the oldest undecided start blocks younger ones. All starts are followed at the
 * same time, so that nothing is read again when one dies.
 *
 * <p>Threads: the engine's.
 */
final class FirstMatchMode extends MatchMode
{
    private final long[] scratch;
    private final int skipWord;

    FirstMatchMode(final PatternProgram program, final Registers registers, final Trails trails,
        final Stepper stepper, final Reports reports)
    {
        super(program, trails, stepper, reports);
        scratch = new long[registers.words()];
        skipWord = registers.skipWord();
    }

    @Override
    void step(final Candidates candidates, final long sequence)
    {
        final Stepper stepper = stepper();
        stepper.begin(candidates, sequence);
        long decided = Candidates.NO_START;
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            final int node = candidates.node(i);
            final long start = trails().start(node);
            if (start == decided)
            {
                continue;
            }
            if (candidates.isDone(i))
            {
                stepper.put(Candidates.DONE, node);
            }
            else if (extend(node, program().follow()[candidates.position(i)]))
            {
                decided = start;
            }
        }
        if (!extend(Trails.NONE, program().first()) && rules().empty() && isEmptyPossible())
        {
            stepper.put(Candidates.DONE, stepper.empty(scratch));
        }
    }

    private boolean isEmptyPossible()
    {
        for (final int position : program().first())
        {
            if (position == PatternProgram.END)
            {
                return true;
            }
        }
        return false;
    }

    /** Goes on to positions that are preferred to the end; true when a match is complete, which all else yields to. */
    private boolean extend(final int node, final int[] positions)
    {
        for (final int position : positions)
        {
            if (position == PatternProgram.END)
            {
                return false;
            }
            final int child = stepper().child(node, position);
            if (child == Trails.NONE)
            {
                continue;
            }
            boolean isNew = true;
            if (program().follow()[position][0] != PatternProgram.END)
            {
                isNew = stepper().add(position, child);
            }
            if (isAccepting(position))
            {
                if (isNew)
                {
                    stepper().put(Candidates.DONE, child);
                }
                // Not new: an older start is complete with this row, so that this one is part of its match.
                return true;
            }
        }
        return false;
    }

    @Override
    void settle(final Candidates candidates)
    {
        while (!candidates.isEmpty())
        {
            final int node = candidates.node(candidates.head());
            final long start = trails().start(node);
            passOver(candidates, start);
            if (!candidates.isDone(candidates.head()))
            {
                break;
            }
            final long end = trails().end(node);
            final long last = Math.max(start, end);
            reports().match(candidates, node, candidates.timeNs(last));
            candidates.matched(last);
            final long next = end < start ? start + 1 : next(node, start, end);
            candidates.removeHead();
            trails().release(node);
            candidates.scan(next);
            drop(candidates, 0, next, false);
        }
        if (candidates.isEmpty())
        {
            passOver(candidates, candidates.next());
        }
        else if (rules().skip() == PatternProgram.Skip.PAST_LAST_ROW)
        {
            dropCovered(candidates);
        }
    }

    /** Rows before this one are decided. */
    private void passOver(final Candidates candidates, final long until)
    {
        if (rules().unmatched())
        {
            for (long i = candidates.scan(); i < until; i++)
            {
                if (i > candidates.lastMatched())
                {
                    reports().unmatched(candidates, i);
                }
            }
        }
        candidates.scan(until);
    }

    private long next(final int node, final long start, final long end)
    {
        return switch (rules().skip())
        {
            case PAST_LAST_ROW -> end + 1;
            case TO_NEXT_ROW -> start + 1;
            case TO_FIRST, TO_LAST ->
            {
                final long target = trails().word(node, skipWord);
                if (target <= start)
                {
                    reports().fault(AttemptPattern.BAD_SKIP, target < 0 ?
                        "AFTER MATCH SKIP: the variable has no row in the match" :
                        "AFTER MATCH SKIP: the variable has the first row of the match");
                    yield end + 1;
                }
                yield target;
            }
        };
    }

    /** When the oldest start is sure to have a match, younger ones within it are not wanted any more. */
    private void dropCovered(final Candidates candidates)
    {
        final long oldest = start(candidates, candidates.head());
        for (int i = candidates.head(); i < candidates.limit() && start(candidates, i) == oldest; i++)
        {
            if (candidates.isDone(i))
            {
                drop(candidates, oldest + 1, trails().end(candidates.node(i)) + 1, false);
                return;
            }
        }
    }

    @Override
    long timerNs(final Candidates candidates, final long nowNs)
    {
        return expiryNs(candidates);
    }

    @Override
    void fire(final Candidates candidates, final long nowNs)
    {
        expire(candidates, nowNs);
    }

    @Override
    long holdNs(final Candidates candidates)
    {
        if (candidates.isEmpty())
        {
            return SlotClock.NEVER;
        }
        if (rules().unmatched())
        {
            final long start = start(candidates, candidates.head());
            return earlier(SlotClock.NEVER, candidates.timeNs(start), candidates.arrival(start));
        }
        long holdNs = SlotClock.NEVER;
        for (int i = candidates.head(); i < candidates.limit(); i++)
        {
            if (candidates.isDone(i))
            {
                final int node = candidates.node(i);
                holdNs = earlier(holdNs, candidates.timeNs(Math.max(trails().start(node), trails().end(node))),
                    candidates.arrival(trails().start(node)));
            }
        }
        return holdNs;
    }
}
