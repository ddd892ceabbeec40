package dev.millrace.cql.language.problem;

import dev.millrace.api.internal.EditDistance;
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
            final int distance = EditDistance.of(lower, name.toLowerCase(Locale.ROOT), bestDistance);
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
}
