package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.server.extender.ApplicationStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * A snapshot of one application.
 *
 * @param version version of its bundle; empty when the bundle could not be installed
 * @param update  report of its last update since the instance started; {@code null} without one
 */
public record Application(String name, String version, ApplicationStatus status, UpdateReport update)
{
    Application(final String name, final String version, final ApplicationStatus status)
    {
        this(name, version, status, null);
    }

    /** Returns a copy with additional warnings. */
    Application withWarnings(final List<Problem> more)
    {
        final List<Problem> warnings = new ArrayList<>(status.warnings());
        warnings.addAll(more);
        return new Application(name, version, new ApplicationStatus(
            status.state(), status.waitingFor(), status.problems(), warnings, status.causes()), update);
    }
}
