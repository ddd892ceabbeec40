package dev.millrace.fuzz;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.regex.Pattern;

/** What every refusal of a file must have: a code, a fact and what to do next. */
public final class Refusals
{
    private static final Pattern CODE = Pattern.compile("[A-Z]{3}-\\d{4}");

    private Refusals()
    {
    }

    /**
     * Checks a refusal.
     *
     * @param refusal of a reader
     * @throws IllegalStateException when it tells the user too little
     */
    public static void check(final DeploymentException refusal)
    {
        if (refusal.problems().isEmpty())
        {
            throw new IllegalStateException("a refusal without a problem", refusal);
        }
        for (final Problem problem : refusal.problems())
        {
            if (!CODE.matcher(problem.code()).matches() || problem.text().isBlank() || problem.hint().isBlank())
            {
                throw new IllegalStateException("a problem without code, text or hint: " + problem, refusal);
            }
        }
    }
}
