package dev.millrace.server.extender;

import dev.millrace.network.Network;
import dev.millrace.network.NetworkState;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;

/** Computes the status of an application that has a network. */
final class NetworkStatus
{
    private NetworkStatus()
    {
    }

    /** Combines the status of the application's life cycle with the state of its network. */
    static ApplicationStatus of(final String application, final ApplicationStatus lifeCycle, final Network network)
    {
        final NetworkState state = network.state();
        final List<Condition> causes = network.conditions();
        if (state == NetworkState.FAILED)
        {
            final List<Problem> problems = causes.stream().map(cause -> new Problem("SRV-0303",
                new SourcePosition(application, 0, 0), "a stage failed while the application ran, stage=" +
                cause.stage() + " cause=" + cause.text(), "correct the cause, then resume the application to run the " +
                "stage again, or restart it; its other stages are not affected", "")).toList();
            return new ApplicationStatus(ApplicationState.FAILED, List.of(), problems, network.warnings(), causes);
        }
        final boolean isDegraded =
            state == NetworkState.DEGRADED && lifeCycle.state() == ApplicationState.RUNNING;
        return new ApplicationStatus(isDegraded ? ApplicationState.DEGRADED : lifeCycle.state(),
            lifeCycle.waitingFor(), lifeCycle.problems(), network.warnings(), causes);
    }
}
