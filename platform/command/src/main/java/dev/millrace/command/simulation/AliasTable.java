package dev.millrace.command.simulation;

import java.util.SplittableRandom;

/** Draws numbers from a discrete distribution with one lookup each (alias method). Immutable. */
final class AliasTable
{
    private final double[] keep;
    private final int[] other;

    AliasTable(final double[] shares)
    {
        final int size = shares.length;
        keep = new double[size];
        other = new int[size];
        final int[] small = new int[size];
        final int[] large = new int[size];
        int smallCount = 0;
        int largeCount = 0;
        for (int i = 0; i < size; i++)
        {
            keep[i] = shares[i] * size;
            other[i] = i;
            if (keep[i] < 1)
            {
                small[smallCount++] = i;
            }
            else
            {
                large[largeCount++] = i;
            }
        }
        while (smallCount > 0 && largeCount > 0)
        {
            final int less = small[--smallCount];
            final int more = large[largeCount - 1];
            other[less] = more;
            keep[more] -= 1 - keep[less];
            if (keep[more] < 1)
            {
                largeCount--;
                small[smallCount++] = more;
            }
        }
        // The remaining values differ from 1 only by rounding.
        while (smallCount > 0)
        {
            keep[small[--smallCount]] = 1;
        }
        while (largeCount > 0)
        {
            keep[large[--largeCount]] = 1;
        }
    }

    int draw(final SplittableRandom random)
    {
        final int place = random.nextInt(keep.length);
        return random.nextDouble() < keep[place] ? place : other[place];
    }
}
