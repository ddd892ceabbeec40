package dev.millrace.network.spi;

import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.List;
import java.util.Map;

/**
 * Creates processors of one kind. Registered as an OSGi service with property {@value #PROVIDER_PROPERTY}, for example
 * {@code cql}. Thread-safe.
 */
public interface ProcessorProvider
{
    /** Service property that names the provider. */
    String PROVIDER_PROPERTY = "type";

    /**
     * Checks and plans the rules of a processor.
     *
     * @param definition the processor
     * @param channels   the channels that feed it, by id
     * @return the plan
     * @throws DeploymentException with every problem found in the rules
     */
    PlannedProcessor plan(ProcessorStage definition, Map<String, InputChannel> channels) throws DeploymentException;

    /**
     * Measures machine-dependent parameters for processors created later. Called once, after the server has started, on
     * a thread of low priority; may take half a second. The default does nothing.
     */
    default void calibrate()
    {
    }

    /** How the rows of a channel get their times. */
    enum TimeKind
    {
        /** From the platform: all such channels share one clock, and no two rows of a channel have the same time. */
        SYSTEM,
        /** From the application, or the queries above: times never decrease. */
        APPLICATION,
        /** From the application, which promises that times increase strictly. */
        APPLICATION_TOTAL_ORDER
    }

    /**
     * A channel that feeds a processor.
     *
     * @param id           channel id; the name of the source in rules, case ignored
     * @param eventType    row type
     * @param relation     whether it carries a relation
     * @param time         how rows get their times
     * @param silent       whether no query waits for its time: a relation that may be filled once
     * @param primaryKey   properties that identify a row of a relation; empty without
     * @param sharedBy     the property by which its rows are partitioned across members; {@code null} when they are not
     * @param timeProperty the property that holds the time of each row, in nanoseconds; {@code null} when none does, or
     *                     when rows come from several stages, so that times of a total order may repeat among these
     */
    record InputChannel(String id, EventType eventType, boolean relation, TimeKind time, boolean silent,
        List<String> primaryKey, String sharedBy, String timeProperty)
    {
        /** Copies the list. */
        public InputChannel
        {
            primaryKey = List.copyOf(primaryKey);
        }

        /**
         * Creates a channel whose rows are not partitioned across members.
         *
         * @param id         channel id
         * @param eventType  row type
         * @param relation   whether it carries a relation
         * @param time       how rows get their times
         * @param silent     whether no query waits for its time
         * @param primaryKey properties that identify a row of a relation; empty without
         */
        public InputChannel(final String id, final EventType eventType, final boolean relation, final TimeKind time,
            final boolean silent, final List<String> primaryKey)
        {
            this(id, eventType, relation, time, silent, primaryKey, null, null);
        }

        /**
         * Creates a channel without key for whose time queries wait.
         *
         * @param id         channel id
         * @param eventType  row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether the platform assigns the times; otherwise times may repeat
         */
        public InputChannel(
            final String id, final EventType eventType, final boolean relation, final boolean totalOrder)
        {
            this(id, eventType, relation, totalOrder ? TimeKind.SYSTEM : TimeKind.APPLICATION, false, List.of());
        }

        /**
         * Whether no two rows have the same time.
         *
         * @return true unless times may repeat
         */
        public boolean totalOrder()
        {
            return time != TimeKind.APPLICATION;
        }
    }
}
