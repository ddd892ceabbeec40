package dev.millrace.server.extender;

import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.List;

/**
 * A snapshot of an application.
 *
 * @param waitingFor missing services or bundles when it waits
 * @param problems   problems when it failed
 * @param warnings   suspicious but valid parts of its rules, while it runs
 * @param causes     conditions that prevent it from doing all of its work, while it has a network
 */
public record ApplicationStatus(
    ApplicationState state, List<String> waitingFor, List<Problem> problems, List<Problem> warnings,
    List<Condition> causes)
{
    public ApplicationStatus
    {
        waitingFor = List.copyOf(waitingFor);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        causes = List.copyOf(causes);
    }

    /** A status without warnings and causes. */
    public ApplicationStatus(
        final ApplicationState state, final List<String> waitingFor, final List<Problem> problems)
    {
        this(state, waitingFor, problems, List.of(), List.of());
    }

    static ApplicationStatus of(final ApplicationState state)
    {
        return new ApplicationStatus(state, List.of(), List.of());
    }

    static ApplicationStatus waiting(final List<String> waitingFor)
    {
        return new ApplicationStatus(ApplicationState.WAITING, waitingFor, List.of());
    }

    /** The status of an application that is not started because it ended the process. */
    public static ApplicationStatus quarantined(final List<Problem> problems)
    {
        return new ApplicationStatus(ApplicationState.QUARANTINED, List.of(), problems);
    }

    static ApplicationStatus failed(final List<Problem> problems)
    {
        return new ApplicationStatus(ApplicationState.FAILED, List.of(), problems);
    }
}
