package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits the time in which an application must start, and rejects one whose start hangs. Thread-safe. */
final class StartLimit
{
    private static final Logger LOG = LoggerFactory.getLogger(StartLimit.class);

    private final Bundle bundle;

    private final ExtenderSettings.Deployments deployments;

    private final TrackedStatus status;

    private final ApplicationThread thread;

    private final ScheduledExecutorService timer;

    StartLimit(final Bundle bundle, final ExtenderSettings.Deployments deployments, final TrackedStatus status,
        final ApplicationThread thread, final ScheduledExecutorService timer)
    {
        this.bundle = bundle;
        this.deployments = deployments;
        this.status = status;
        this.thread = thread;
        this.timer = timer;
    }

    /** Begins to limit the time of a start; to be cancelled when it ends. */
    Future<?> begin()
    {
        final long limitNs = deployments.startLimitNs(bundle);
        return timer.scheduleWithFixedDelay(this::timeIsUp, limitNs, limitNs, TimeUnit.NANOSECONDS);
    }

    /** Rejects the application if it is still starting; its thread is reported until it returns. */
    void timeIsUp()
    {
        if (status.get().state() != ApplicationState.STARTING)
        {
            return;
        }
        final Thread hanging = thread.thread();
        final Problem problem = deployments.startHangs(bundle, hanging);
        if (abandon(List.of(problem)))
        {
            LOG.error("application rejected, name={} {}", bundle.getSymbolicName(), problem.format());
            deployments.isLeftOver(bundle, hanging);
        }
    }

    /**
     * Rejects the application while its start hangs. The thread is interrupted; when it returns, the resources it
     * created are closed.
     *
     * @param problems the reasons
     * @return false when the application has started or failed in the meantime
     */
    boolean abandon(final List<Problem> problems)
    {
        if (!status.abandon(ApplicationStatus.failed(problems)))
        {
            return false;
        }
        thread.interrupt();
        return true;
    }
}
