package dev.millrace.network;

import dev.millrace.api.time.Clock;
import dev.millrace.network.build.NetworkBuilder;
import dev.millrace.network.channel.Heartbeats;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.spi.Predecessor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network that is to take the place of another one: checked, planned and compiled, while that one runs on.
 *
 * <pre>
 *   of(definition) ─► activate: the other one is paused ─► wire: the other one has ended ─► Network
 * </pre>
 *
 * <p>For one thread at a time. Whoever does not come to the end of {@link #wire} calls {@link #close}.
 */
public final class PreparedNetwork
{
    private final NetworkDefinition definition;
    private final NetworkBuilder builder;
    private final Heartbeats heartbeats;
    private final Clock clock;

    private PreparedNetwork(final NetworkDefinition definition, final NetworkServices services)
    {
        this.definition = definition;
        clock = services.clock();
        heartbeats = new Heartbeats(definition.applicationName(), services.clock(), services.threads());
        builder = new NetworkBuilder(definition, services, heartbeats);
    }

    /**
     * Checks a network, plans its rules, loads caches and compiles the rules to see whether that works. No bean is
     * called, nothing is opened.
     *
     * @param definition what it is made of
     * @param services   of the server
     * @return the network, to be activated or closed
     * @throws DeploymentException with everything that is wrong; nothing is left behind
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
     * The rules that it is going to run.
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
     * Calls the beans' {@code setStageContext}, {@code afterPropertiesSet}, senders and {@code
     * afterConfigurationActive}, in order of definition. A bean that finds its port taken is called again when the
     * predecessor has closed something.
     *
     * @param before paused
     * @throws DeploymentException when a bean refuses; {@link #close} ends those that did not
     */
    public void activate(final Predecessor before) throws DeploymentException
    {
        builder.activate(before);
    }

    /**
     * Compiles and wires. Channels that are shared with other members are opened here, so that the network before must
     * have been stopped.
     *
     * @return the network, ready to be started
     * @throws DeploymentException when that fails; {@link #close} ends what was begun
     */
    public Network wire() throws DeploymentException
    {
        builder.wire();
        return new Network(definition, builder, heartbeats, clock);
    }

    /** Ends what was begun. */
    public void close()
    {
        Network.end(builder.stages());
        builder.memory().close();
    }
}
