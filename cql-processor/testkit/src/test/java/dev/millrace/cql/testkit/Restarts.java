package dev.millrace.cql.testkit;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Moments at which a run continues with a new engine that restores the state of the last one. Stateless. */
final class Restarts
{
    private static final int MOST = 4;

    private Restarts()
    {
    }

    /**
     * Draws a few moments.
     *
     * @param random   random numbers
     * @param arrivals number of arrivals
     * @return numbers of the arrivals that follow
     */
    static Set<Integer> some(final Random random, final int arrivals)
    {
        final Set<Integer> some = new TreeSet<>();
        for (int n = random.nextInt(MOST) + 1; n > 0 && arrivals > 0; n--)
        {
            some.add(random.nextInt(arrivals));
        }
        return some;
    }
}
