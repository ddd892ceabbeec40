package dev.millrace.network.spi;

import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.List;
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
     * Measures what depends on the machine, for processors made later. Called once, after the server has started, on a
     * thread of low priority; may take half a second. There need not be anything to measure.
     */
    default void calibrate()
    {
    }

    /** Who gives the rows of a channel their time. */
    enum TimeKind
    {
        /** The platform: all such channels share one clock, and no two rows of one have one time. */
        SYSTEM,
        /** The application, or the queries above: times never decrease. */
        APPLICATION,
        /** The application, which promises that times increase strictly. */
        APPLICATION_TOTAL_ORDER
    }

    /**
     * A channel that feeds a processor.
     *
     * @param id         channel id; the name of the source in rules, case ignored
     * @param eventType  row type
     * @param relation   whether it carries a relation
     * @param time       who gives rows their time
     * @param silent     whether no query waits for its time: a relation that may be filled once
     * @param primaryKey properties that identify a row of a relation; empty without
     * @param sharedBy   the property by which its rows are shared out among members; {@code null} when they are not
     * @param timeProperty the property that holds the time of each row, in nanoseconds; {@code null} when none does, or
     *                   when rows come from several stages, so that times of a total order may repeat among these
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
         * A channel whose rows all come here.
         *
         * @param id         channel id
         * @param eventType  row type
         * @param relation   whether it carries a relation
         * @param time       who gives rows their time
         * @param silent     whether no query waits for its time
         * @param primaryKey properties that identify a row of a relation; empty without
         */
        public InputChannel(final String id, final EventType eventType, final boolean relation, final TimeKind time,
            final boolean silent, final List<String> primaryKey)
        {
            this(id, eventType, relation, time, silent, primaryKey, null, null);
        }

        /**
         * A channel without key whose time others wait for.
         *
         * @param id         channel id
         * @param eventType  row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether the platform gives the time; otherwise times may repeat
         */
        public InputChannel(
            final String id, final EventType eventType, final boolean relation, final boolean totalOrder)
        {
            this(id, eventType, relation, totalOrder ? TimeKind.SYSTEM : TimeKind.APPLICATION, false, List.of());
        }

        /**
         * Whether no two rows have one time.
         *
         * @return true unless times may repeat
         */
        public boolean totalOrder()
        {
            return time != TimeKind.APPLICATION;
        }
    }
}
