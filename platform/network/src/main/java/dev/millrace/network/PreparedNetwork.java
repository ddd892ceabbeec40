package dev.millrace.network;

import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.HeartbeatThread;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.wiring.NetworkBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network that is to replace another one: checked, planned and compiled while the other one is running.
 *
 * <pre>
 *   of(definition) ─► activate: the other one is paused ─► wire: the other one has ended ─► Network
 * </pre>
 *
 * <p>Not thread-safe. Ownership: unless {@link #wire} has succeeded, the caller must call {@link #close}.
 */
public final class PreparedNetwork
{
    private final NetworkDefinition definition;
    private final NetworkBuilder builder;
    private final HeartbeatThread heartbeats;
    private final Clock clock;

    private PreparedNetwork(final NetworkDefinition definition, final NetworkServices services)
    {
        this.definition = definition;
        clock = services.clock();
        heartbeats = new HeartbeatThread(definition.applicationName(), services.clock(), services.threads());
        builder = new NetworkBuilder(definition, services, heartbeats);
    }

    /**
     * Checks a network, plans its rules, loads caches and compiles the rules as a trial. No bean is called, nothing is
     * opened.
     *
     * @param definition the network to prepare
     * @param services   services of the server
     * @return the network, to be activated or closed
     * @throws DeploymentException with all problems found; everything that was begun is undone
     */
    public static PreparedNetwork of(final NetworkDefinition definition, final NetworkServices services)
        throws DeploymentException
    {
        final PreparedNetwork prepared = new PreparedNetwork(definition, services);
        prepared.builder.plan();
        prepared.builder.tryRules();
        return prepared;
    }

    NetworkDefinition definition()
    {
        return definition;
    }

    NetworkBuilder builder()
    {
        return builder;
    }

    /**
     * Returns warnings about settings and rules that are allowed but probably not intended.
     *
     * @return problems with their positions, usually none
     */
    public List<Problem> warnings()
    {
        return List.copyOf(builder.warnings());
    }

    /**
     * Returns the rules that the network will run.
     *
     * @return by processor, bound
     */
    public Map<String, List<Rule>> rules()
    {
        final Map<String, List<Rule>> rules = new LinkedHashMap<>();
        definition.stages().stream().filter(ProcessorStage.class::isInstance).map(ProcessorStage.class::cast)
            .forEach(processor -> rules.put(processor.id(), processor.rules()));
        return rules;
    }

    /**
     * Calls the beans' {@code setStageContext}, {@code afterPropertiesSet}, senders and
     * {@code afterConfigurationActive}, in order of definition. A bean whose port is taken is called again after the
     * predecessor has closed a source.
     *
     * @param before the previous version, paused
     * @throws DeploymentException when a bean refuses; {@link #close} ends the beans that did not
     */
    public void activate(final Predecessor before) throws DeploymentException
    {
        builder.activate(before);
    }

    /**
     * Compiles and wires. Channels that are partitioned across members are opened here, so the previous network must
     * have been stopped.
     *
     * @return the network, ready to be started
     * @throws DeploymentException when that fails; call {@link #close} then
     */
    public Network wire() throws DeploymentException
    {
        builder.wire();
        return new Network(definition, builder, heartbeats, clock);
    }

    /** Ends everything that was begun. */
    public void close()
    {
        Network.end(builder.stages());
        builder.memory().close();
    }
}
