package dev.millrace.assembly.problem;

import dev.millrace.api.internal.EditDistance;
import java.util.Collection;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Creates the hints of messages about unknown names: the name that was probably meant, otherwise the existing names.
 */
public final class Suggestions
{
    private static final int MAX_LISTED = 16;
    private static final int MAX_LENGTH = 200;

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
        if (wrong.length() > MAX_LENGTH)
        {
            return null;
        }
        String best = null;
        int bestDistance = wrong.length() < 3 ? 1 : Math.min(wrong.length(), 40) / 3 + 1;
        for (final String candidate : new TreeSet<>(allowed))
        {
            final int distance =
                EditDistance.of(wrong.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance)
            {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }
}
