package dev.millrace.server.extender;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;

/**
 * What the extender needs to know about the instance.
 *
 * @param configDirectory {@code config} of the domain; holds {@code <application>.properties}
 * @param defaultWorkers  workers of a processor that asks for none
 * @param idleStateTime   how long idle keys of state are kept where neither rule nor processor says
 * @param maxAttempts     partial matches of a partition of a pattern where neither rule nor processor says
 * @param memory          what the state of all applications may take together
 * @param providerWaitNs  how long in all a context waits for providers
 * @param deployments     what the deployer knows about a bundle
 * @param groups          that the server is in; empty when it is in no cluster
 */
public record ExtenderSettings(
    Path configDirectory, int defaultWorkers, Duration idleStateTime, int maxAttempts, MemoryBudget memory,
    long providerWaitNs, Deployments deployments, Set<String> groups)
{
    /** Copies the set. */
    public ExtenderSettings
    {
        groups = Set.copyOf(groups);
    }

    /**
     * Settings with the usual wait.
     *
     * @param configDirectory {@code config} of the domain
     * @param defaultWorkers  workers of a processor that asks for none
     * @param idleStateTime   how long idle keys of state are kept where neither rule nor processor says
     * @param maxAttempts     partial matches of a partition of a pattern where neither rule nor processor says
     * @param memory          what the state of all applications may take together
     * @param deployments     what the deployer knows about a bundle
     * @param groups          that the server is in
     */
    public ExtenderSettings(final Path configDirectory, final int defaultWorkers, final Duration idleStateTime,
        final int maxAttempts, final MemoryBudget memory, final Deployments deployments, final Set<String> groups)
    {
        this(configDirectory, defaultWorkers, idleStateTime, maxAttempts, memory,
            ApplicationServices.defaultProviderWaitNs(), deployments, groups);
    }

    /** What the deployer knows about a bundle. Safe for all threads. */
    public interface Deployments
    {
        /**
         * The component configuration files to use instead of those in the bundle.
         *
         * @param bundle an application
         * @return the domain's copies, or {@code null} to use the bundle's own
         */
        List<ConfigurationResource> configuration(Bundle bundle);

        /**
         * Whether the application is meant to stand still.
         *
         * @param bundle an application
         * @return true when its sources are not to be started
         */
        boolean isSuspended(Bundle bundle);

        /**
         * Whether the application only gets ready, because another version of it runs until it is told to take over.
         *
         * @param bundle an application
         * @return true when it is not to open anything yet
         */
        boolean isNextVersion(Bundle bundle);

        /**
         * How long the application may take to start.
         *
         * @param bundle an application
         * @return nanoseconds, more than 0
         */
        long startLimitNs(Bundle bundle);

        /**
         * Describes a start that has taken longer than its limit.
         *
         * @param bundle an application
         * @param thread that starts it, or {@code null}
         * @return the limit, and where the thread is now
         */
        Problem startHangs(Bundle bundle, Thread thread);

        /**
         * The start was refused and its thread does not come back; it is named until it does.
         *
         * @param bundle an application
         * @param thread that starts it, or {@code null}
         */
        void isLeftOver(Bundle bundle, Thread thread);

        /**
         * Code of the application runs from now on, to start it. When the process ends before {@link #hasStarted}, the
         * next start of the instance leaves the application out.
         *
         * @param bundle an application
         */
        void starts(Bundle bundle);

        /**
         * The application runs, waits or was refused.
         *
         * @param bundle an application
         */
        void hasStarted(Bundle bundle);
    }
}
