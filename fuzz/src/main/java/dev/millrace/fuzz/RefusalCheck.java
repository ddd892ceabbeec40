package dev.millrace.fuzz;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.regex.Pattern;

/** Checks that a refusal of a file contains a code, a fact and the next step. */
public final class RefusalCheck
{
    private static final Pattern CODE = Pattern.compile("[A-Z]{3}-\\d{4}");

    private RefusalCheck()
    {
    }

    /**
     * Checks a refusal.
     *
     * @param refusal of a reader
     * @throws IllegalStateException when information is missing
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
