package dev.millrace.server.extender;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.network.spi.EventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;

/**
 * Settings of the instance for the extender.
 *
 * @param configDirectory {@code config} of the domain; contains {@code <application>.properties}
 * @param defaultWorkers  workers of a processor that does not specify a number
 * @param idleStateTime   how long state of idle keys is retained unless the rule or processor specifies it
 * @param maxAttempts     maximum partial matches per partition of a pattern unless the rule or processor specifies it
 * @param durability      how durable processors store their state; {@code null} for the defaults
 * @param memory          limit for the state of all applications together
 * @param providerWaitNs  total time that a context waits for providers
 * @param deployments     deployment data of bundles
 * @param groups          cluster groups of the server; empty outside a cluster
 * @param eventStore      where events are recorded; {@code null} if the server has none
 */
public record ExtenderSettings(
    Path configDirectory, int defaultWorkers, Duration idleStateTime, int maxAttempts,
    DurabilitySettings durability, MemoryBudget memory, long providerWaitNs, Deployments deployments,
    Set<String> groups, EventStore eventStore)
{
    public ExtenderSettings
    {
        groups = Set.copyOf(groups);
    }

    /** Directory of the state of durable processors. */
    public Path stateDirectory()
    {
        return configDirectory.resolveSibling("var").resolve("state");
    }

    /** Settings with the default wait for providers. */
    public ExtenderSettings(final Path configDirectory, final int defaultWorkers, final Duration idleStateTime,
        final int maxAttempts, final DurabilitySettings durability, final MemoryBudget memory,
        final Deployments deployments, final Set<String> groups, final EventStore eventStore)
    {
        this(configDirectory, defaultWorkers, idleStateTime, maxAttempts, durability, memory,
            ApplicationServices.defaultProviderWaitNs(), deployments, groups, eventStore);
    }

    /** Deployment data of bundles, provided by the deployer. Thread-safe. */
    public interface Deployments
    {
        /**
         * The component configuration files to use instead of those in the bundle.
         *
         * @return the domain's copies, or {@code null} to use the bundle's own
         */
        List<ConfigurationResource> configuration(Bundle bundle);

        /**
         * Whether the application is to be suspended.
         *
         * @return true when its sources must not be started
         */
        boolean isSuspended(Bundle bundle);

        /**
         * Whether the application is only prepared, because another version of it runs until this one takes over.
         *
         * @return true when it must not open any resources yet
         */
        boolean isNextVersion(Bundle bundle);

        /**
         * Whether the applications that the version takes rows of must run already, because a user deploys it.
         *
         * @return false when applications may start in any order
         */
        boolean requiresOthers(Bundle bundle);

        /**
         * The limit for the start of the application.
         *
         * @return nanoseconds, more than 0
         */
        long startLimitNs(Bundle bundle);

        /**
         * Describes a start that has exceeded its limit.
         *
         * @param thread the thread that starts it, or {@code null}
         * @return a problem with the limit and the current position of the thread
         */
        Problem startHangs(Bundle bundle, Thread thread);

        /**
         * The start was rejected and its thread has not returned; it is reported until it does.
         *
         * @param thread the thread that starts it, or {@code null}
         */
        void isLeftOver(Bundle bundle, Thread thread);

        /**
         * Called before code of the application runs to start it. If the process ends before {@link #hasStarted}, the
         * next start of the instance skips the application.
         */
        void starts(Bundle bundle);

        /** The application runs, waits or was rejected. */
        void hasStarted(Bundle bundle);
    }
}
