package dev.millrace.assembly.problem;

import java.util.Collection;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Creates the hints of messages about unknown names: the name that was probably meant, otherwise the existing names.
 */
public final class Suggestions
{
    private static final int MAX_LISTED = 16;

    private Suggestions()
    {
    }

    /**
     * Returns the hint for an unknown name.
     *
     * @param wrong   name as written
     * @param what    plural of the things, for example {@code channels}
     * @param allowed allowed names
     * @return one sentence
     */
    public static String hint(final String wrong, final String what, final Collection<String> allowed)
    {
        final String near = nearest(wrong, allowed);
        if (near != null)
        {
            return "did you mean '" + near + "'?";
        }
        if (allowed.isEmpty())
        {
            return "there are no " + what;
        }
        final TreeSet<String> sorted = new TreeSet<>(allowed);
        final String list = String.join(", ", sorted.stream().limit(MAX_LISTED).toList());
        return what + ": " + list + (sorted.size() > MAX_LISTED ? ", ..." : "");
    }

    /**
     * Returns the name that was probably meant.
     *
     * @param wrong   name as written
     * @param allowed allowed names
     * @return the nearest, or {@code null} when none is near
     */
    public static String nearest(final String wrong, final Collection<String> allowed)
    {
        String best = null;
        int bestDistance = wrong.length() < 3 ? 1 : Math.min(wrong.length(), 40) / 3 + 1;
        for (final String candidate : new TreeSet<>(allowed))
        {
            final int distance =
                distance(wrong.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance)
            {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Number of insertions, deletions, replacements and swaps of neighbors, at most {@code limit}. */
    private static int distance(final String a, final String b, final int limit)
    {
        if (Math.abs(a.length() - b.length()) >= limit || a.length() > 200)
        {
            return limit;
        }
        final int[][] table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++)
        {
            for (int j = 0; j <= b.length(); j++)
            {
                if (i == 0 || j == 0)
                {
                    table[i][j] = i + j;
                    continue;
                }
                final int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                table[i][j] = Math.min(Math.min(table[i - 1][j], table[i][j - 1]) + 1, table[i - 1][j - 1] + cost);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1))
                {
                    table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
                }
            }
        }
        return Math.min(table[a.length()][b.length()], limit);
    }
}
