package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns whatever ended a context into problems for the user. */
final class Failures
{
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures()
    {
    }

    static List<Problem> problems(final String application, final Throwable failure)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof final DeploymentException refused)
            {
                LOG.warn("application refused, name={}\n{}", application, refused.getMessage());
                LOG.debug("application refused, name={}", application, failure);
                return refused.problems();
            }
        }
        Throwable root = failure;
        while (root.getCause() != null)
        {
            root = root.getCause();
        }
        LOG.warn("application does not start, name={}", application, failure);
        return List.of(new Problem("SRV-0302", new SourcePosition(application, 0, 0),
            "application does not start, reason=" + root + (root == failure ? "" : " at=" + failure.getMessage()),
            "the server's log has the whole story", ""));
    }
}
