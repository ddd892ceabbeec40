package dev.millrace.server.extender;

import dev.millrace.network.Network;
import dev.millrace.network.NetworkRules;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The network of an application, which it has while its context runs. Thread-safe. */
public final class ApplicationNetwork
{
    private final String application;

    private final Supplier<RunningContext> context;

    /** @param context the running context; its result is {@code null} without one */
    ApplicationNetwork(final String application, final Supplier<RunningContext> context)
    {
        this.application = application;
        this.context = context;
    }

    /** Returns the network, or {@code null}. */
    Network orNull()
    {
        final RunningContext running = context.get();
        return running == null ? null : running.network();
    }

    /**
     * Whether there is a network that can be suspended and resumed.
     *
     * @return false while the application starts or waits, and after it was rejected or has stopped
     */
    public boolean isRunning()
    {
        return orNull() != null;
    }

    /**
     * Returns the network.
     *
     * @throws DeploymentException when the application does not run
     */
    public Network running() throws DeploymentException
    {
        final Network network = orNull();
        if (network == null)
        {
            throw new DeploymentException("SRV-0208", new SourcePosition(application, 0, 0),
                "the application has no running network", "check its status");
        }
        return network;
    }

    /**
     * Returns the rules of its processors. Callers serialize changes.
     *
     * @throws DeploymentException when the application does not run
     */
    public NetworkRules rules() throws DeploymentException
    {
        return running().rules();
    }

    /**
     * Returns the current rules of a processor.
     *
     * @return all rules, bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String processor) throws DeploymentException
    {
        return rules().processor(processor).rules();
    }

    /** Adds the state of the network to the status of the application. */
    ApplicationStatus status(final ApplicationStatus lifeCycle)
    {
        final Network network = orNull();
        return network == null ? lifeCycle : NetworkStatus.of(application, lifeCycle, network);
    }

    /** Inspects the network; called by the extender's timer about once per second. */
    void inspect()
    {
        final Network network = orNull();
        if (network != null)
        {
            network.inspect();
        }
    }

    /**
     * Returns statistics of the network, and {@code startMicros}: the time to read the {@code files}, to create the
     * {@code beans}, and to plan, compile and wire the {@code network}.
     *
     * @return statistics, or {@code null} when there is currently no network
     */
    public Map<String, Object> statistics()
    {
        final RunningContext running = context.get();
        final Network network = running == null ? null : running.network();
        if (network == null)
        {
            return null;
        }
        final Map<String, Object> statistics = new LinkedHashMap<>(network.statistics());
        statistics.put("startMicros", running.startMicros());
        return statistics;
    }

    /**
     * Returns the adapters that send events.
     *
     * @return ids; empty when there is no network
     */
    public List<String> sources()
    {
        final Network network = orNull();
        return network == null ? List.of() : network.sources().ids();
    }
}
