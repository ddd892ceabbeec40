package dev.millrace.network;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.processor.ProcessorRuntime;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of the processors of a network: replaced while events flow, and the state that they hold. Methods may be
 * called from any thread; changes are serialized with the life cycle of the network.
 */
public final class NetworkRules
{
    /** Held while the network changes. */
    private final Object lock;
    private final RunningStages running;

    NetworkRules(final Object lock, final RunningStages running)
    {
        this.lock = lock;
        this.running = running;
    }

    /**
     * Replaces the rules of a processor while events flow; queries whose plan is unchanged keep their state.
     *
     * @param processorId id of the processor
     * @param rules       all its rules from now on, bound
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed
     */
    public RuleChange change(final String processorId, final List<ProcessorStage.Rule> rules)
        throws DeploymentException
    {
        return change(processorId, rules, () ->
        {
        });
    }

    /**
     * Replaces the rules of a processor like {@link #change(String, List)}.
     *
     * @param processorId id of the processor
     * @param rules       all its rules from now on, bound
     * @param accepted    called when the new rules are accepted, and before they run, while rows wait
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed. A durable processor may fail after the call of
     *     {@code accepted}
     */
    public RuleChange change(final String processorId, final List<ProcessorStage.Rule> rules,
        final Runnable accepted) throws DeploymentException
    {
        synchronized (lock)
        {
            if (running.phase() == NetworkState.STOPPED)
            {
                throw new DeploymentException(NetworkErrorCode.NO_PROCESSOR, SourcePosition.NONE,
                    "the network was stopped, application=" + running.application(), "start the application");
            }
            return runtime(processorId).changeRules(rules, accepted);
        }
    }

    /**
     * Returns a processor with its current rules.
     *
     * @param processorId id of the processor
     * @return its definition
     * @throws DeploymentException when there is no such processor
     */
    public ProcessorStage processor(final String processorId) throws DeploymentException
    {
        return runtime(processorId).definition();
    }

    /**
     * Describes the state that queries hold, in words; the network must be suspended.
     *
     * @return descriptions by query, by processor; an empty description when a query holds no state
     */
    public Map<String, Map<String, String>> heldState()
    {
        synchronized (lock)
        {
            final Map<String, Map<String, String>> held = new LinkedHashMap<>();
            running.processors().forEach(each -> held.put(each.definition().id(), each.heldState()));
            return held;
        }
    }

    /**
     * Returns the outcome of the start for the stored state of durable processors.
     *
     * @return the outcome for each query, by processor; empty before the start
     */
    public Map<String, RuleChange> restored()
    {
        final Map<String, RuleChange> restored = new LinkedHashMap<>();
        running.processors().filter(each -> each.restored() != null)
            .forEach(each -> restored.put(each.definition().id(), each.restored()));
        return restored;
    }

    private ProcessorRuntime runtime(final String processorId) throws DeploymentException
    {
        return running.processors().filter(each -> each.definition().id().equals(processorId)).findFirst()
            .orElseThrow(() -> new DeploymentException(NetworkErrorCode.NO_PROCESSOR, SourcePosition.NONE,
                "no such processor, application=" + running.application() + " processor=" + processorId,
                "processors of this application: " +
                    String.join(", ", running.processors().map(each -> each.definition().id()).toList())));
    }
}
