package dev.millrace.cql.language.problem;

import java.util.Collection;
import java.util.Locale;

/** Suggests names for misspelled ones. */
public final class Suggestions
{
    private Suggestions()
    {
    }

    /**
     * The nearest of some names.
     *
     * @param known existing names
     * @return the nearest name within a third of the length, at most two letters for short names, or {@code null};
     *     names of one or two letters are similar to any name and get no suggestion
     */
    public static String nearest(final String written, final Collection<String> known)
    {
        if (written.length() < 3 || written.length() > 100)
        {
            return null;
        }
        final String lower = written.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = Math.max(1, Math.min(3, lower.length() / 3)) + 1;
        for (final String name : known)
        {
            final int distance = distance(lower, name.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance)
            {
                best = name;
                bestDistance = distance;
            }
        }
        return best;
    }

    /**
     * A hint with the nearest name.
     *
     * @return {@code did you mean X?} or {@code null}
     */
    public static String didYouMean(final String written, final Collection<String> known)
    {
        final String nearest = nearest(written, known);
        return nearest == null ? null : "did you mean " + nearest + "?";
    }

    private static int distance(final String a, final String b, final int limit)
    {
        if (Math.abs(a.length() - b.length()) >= limit)
        {
            return limit;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
        {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++)
        {
            final int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++)
            {
                final int change = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1))
                {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }
}
