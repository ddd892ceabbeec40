package dev.millrace.network.durable;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.definition.DeploymentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs the rules of a durable processor over its records, outside of a server: nothing but these rules runs, and the
 * files of the domain are only read. Confined to one thread.
 */
public interface ReplayEngine
{
    /**
     * Plans the rules of a processor.
     *
     * @param domain      directory of the domain
     * @param application name of a deployed application
     * @param processor   id of one of its processors
     * @param changed     component configuration file with rules that replace those of the processor; {@code null} for
     *                    the rules of the application
     * @return rules to start
     * @throws DeploymentException with every problem found
     */
    Rules plan(Path domain, String application, String processor, Path changed) throws DeploymentException;

    /** Planned rules. */
    interface Rules extends AutoCloseable
    {
        /**
         * Starts the rules with empty state, once for each unit.
         *
         * @param recorded the groups in the journal of each unit
         * @param output   receives the rows of all units
         * @return units by name
         * @throws DeploymentException if the rules read something that the journals do not contain
         */
        Map<String, Unit> start(Map<String, List<GroupDescription>> recorded, Output output)
            throws DeploymentException;

        /** Stops the units, and releases the classes of the application. */
        @Override
        void close();
    }

    /** The rules of one unit; receives its records in order. */
    interface Unit
    {
        /** Processes rows of a group, which are lent for the call. */
        void rows(GroupDescription group, EventBatch rows);

        /** Passes the time of a group. */
        void time(GroupDescription group, long timeNs);

        /** Removes all rows of the replica of a cache. */
        void clear(GroupDescription group);
    }

    /** Receives what the rules emit. */
    interface Output
    {
        /** Receives rows of a query, lent for the call; without rows the batch is a heartbeat. */
        void rows(String query, EventBatch rows);

        /** Counts rows that a rule rejects; parameters as in {@code ProcessorWiring}. */
        void rejected(int rows, String reason, String detail);
    }
}
