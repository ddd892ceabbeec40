package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserFault;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the failure of a context to problems for the user. */
final class FailureTranslator
{
    private static final Logger LOG = LoggerFactory.getLogger(FailureTranslator.class);

    private FailureTranslator()
    {
    }

    static List<Problem> problems(final Bundle bundle, final Throwable failure)
    {
        // An application that is given up may have been uninstalled in the meantime.
        final BundleWiring wiring = bundle.adapt(BundleWiring.class);
        return problems(bundle.getSymbolicName(), failure,
            new UserFault(failure, wiring == null ? null : wiring.getClassLoader()));
    }

    /** Converts the failure of an application whose class loader is unknown here. */
    static List<Problem> problems(final String application, final Throwable failure)
    {
        return problems(application, failure, new UserFault(failure, null));
    }

    private static List<Problem> problems(final String application, final Throwable failure, final UserFault fault)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause instanceof final DeploymentException refused)
            {
                LOG.warn("application rejected, name={}\n{}", application, refused.getMessage());
                if (fault.line().isPresent() || fault.root() instanceof Error)
                {
                    LOG.warn("SRV-0321: fault in code of an application, name={} {}", application, fault.stack());
                }
                LOG.debug("application rejected, name={}", application, failure);
                return refused.problems();
            }
        }
        LOG.warn("SRV-0321: fault in code of an application, name={} {}", application, fault.stack());
        LOG.debug("application does not start, name={}", application, failure);
        return List.of(new Problem("SRV-0302", new SourcePosition(application, 0, 0),
            "application does not start, reason=" + fault.reason()
            + (fault.root() == failure ? "" : " where=" + failure.getMessage()),
            fault.hint("the server's log has the first frames of its stack"), ""));
    }
}
