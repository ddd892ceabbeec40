package dev.millrace.network.spi;

import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import java.util.Set;

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

    /**
     * The rows that a query emits.
     *
     * @param queryId  id
     * @param type     row type; its name is unique in the application
     * @param relation whether rows have kinds
     * @param unique   of a relation, columns in which no two of its rows are equal at any time; its deletions are of
     *                 existing rows and precede the insertions of their instant; {@code null} when not known
     */
    record QueryOutput(String queryId, EventType type, boolean relation, Set<String> unique)
    {
        /** Copies the set. */
        public QueryOutput
        {
            unique = unique == null ? null : Set.copyOf(unique);
        }

        /**
         * Creates an output whose rows may be equal.
         *
         * @param queryId  id
         * @param type     row type; its name is unique in the application
         * @param relation whether rows have kinds
         */
        public QueryOutput(final String queryId, final EventType type, final boolean relation)
        {
            this(queryId, type, relation, null);
        }
    }
}
