package dev.millrace.network.spi;

import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.Map;

/**
 * Makes processors of one kind. Registered as an OSGi service with property {@value #PROVIDER_PROPERTY}, for example
 * {@code cql}. Safe for all threads.
 */
public interface ProcessorProvider
{
    /** Service property that names the provider. */
    String PROVIDER_PROPERTY = "type";

    /**
     * Checks and plans the rules of a processor.
     *
     * @param definition the processor
     * @param channels   the channels that feed it: id to what they carry
     * @return the plan
     * @throws DeploymentException with every problem found in the rules
     */
    PlannedProcessor plan(ProcessorStage definition, Map<String, InputChannel> channels) throws DeploymentException;

    /**
     * A channel that feeds a processor.
     *
     * @param id         channel id; the name of the source in rules, case ignored
     * @param eventType  row type
     * @param relation   whether it carries a relation
     * @param totalOrder whether no two rows have one timestamp
     */
    record InputChannel(String id, EventType eventType, boolean relation, boolean totalOrder)
    {
    }
}
