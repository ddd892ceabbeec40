package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * ALL MATCHES: every labelling of every start, put out with its last row.
 *
 * <p>Threads: the engine's.
 */
final class AllMatchesMode extends MatchMode
{
    private static final int FIRST_LENGTH = 16;

    private final boolean[] goesOn;
    private int[] complete = new int[FIRST_LENGTH];
    private int completeCount;

    AllMatchesMode(final PatternProgram program, final Trails trails, final Stepper stepper, final Reports reports)
    {
        super(program, trails, stepper, reports);
        goesOn = new boolean[program.follow().length];
        for (int i = 0; i < goesOn.length; i++)
        {
            for (final int next : program.follow()[i])
            {
                goesOn[i] |= next != PatternProgram.END;
            }
        }
    }

    @Override
    void step(final Candidates candidates, final long sequence)
    {
        completeCount = 0;
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
            if (child == Trails.NONE)
            {
                continue;
            }
            if (isAccepting(position) && !trails().report(child))
            {
                if (completeCount == complete.length)
                {
                    complete = Arrays.copyOf(complete, completeCount * 2);
                }
                complete[completeCount++] = child;
            }
            if (goesOn[position])
            {
                stepper().add(position, child);
            }
        }
    }

    @Override
    void abort()
    {
        super.abort();
        completeCount = 0;
    }

    @Override
    void settle(final Candidates candidates)
    {
        for (int i = 0; i < completeCount; i++)
        {
            reports().match(candidates, complete[i], candidates.timeNs(trails().end(complete[i])));
        }
        completeCount = 0;
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
}
