package dev.millrace.network.spi;

import dev.millrace.network.definition.DeploymentException;
import java.util.List;

/** The plan of a processor, before anything runs. Immutable. */
public interface PlannedProcessor
{
    /**
     * Returns the queries that have output.
     *
     * @return in order of registration
     */
    List<QueryOutput> outputs();

    /**
     * Compiles the plan and prepares it for events.
     *
     * @param wiring surroundings of the processor
     * @return the processor, accepting events at once
     * @throws DeploymentException when it cannot be compiled or a cache cannot be read
     */
    RunningProcessor start(ProcessorWiring wiring) throws DeploymentException;

    /**
     * Returns warnings about rules that are allowed but probably not intended.
     *
     * @return problems with their positions; they do not keep the application from running
     */
    default List<DeploymentException.Problem> warnings()
    {
        return List.of();
    }
}
