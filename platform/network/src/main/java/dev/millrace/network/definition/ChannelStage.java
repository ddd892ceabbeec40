package dev.millrace.network.definition;

import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Objects;

/**
 * A channel with its settings after the component configuration has overridden the assembly file.
 *
 * @param id         id
 * @param eventType  type of its events
 * @param relation   whether it carries a relation
 * @param primaryKey properties that identify a row of a relation; empty for streams
 * @param queue      pass-through or bounded queue
 * @param batching   whether events of one timestamp reach object sinks together
 * @param time       how events get their time
 * @param selector   ids of the queries of a processor above whose output it accepts; empty accepts all
 * @param listeners  stages below
 * @param position   position of its element
 * @param changes    how the changes of a relation are passed on
 * @param sharing    how its rows are partitioned across the members of a cluster; {@code null} when they are not
 * @param partitioner property that determines the one stage below that receives a row; {@code null} when all stages
 *                   below receive all rows
 */
public record ChannelStage(
    String id,
    EventType eventType,
    boolean relation,
    List<String> primaryKey,
    Queue queue,
    boolean batching,
    Time time,
    List<String> selector,
    List<String> listeners,
    SourcePosition position,
    Changes changes,
    Sharing sharing,
    String partitioner) implements StageDefinition
{
    /** Checks the arguments. */
    public ChannelStage
    {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(eventType, "eventType");
        primaryKey = List.copyOf(primaryKey);
        selector = List.copyOf(selector);
        listeners = List.copyOf(listeners);
        Objects.requireNonNull(changes, "changes");
    }

    /**
     * Creates a channel with {@link Changes#USUAL}.
     *
     * @param id         id
     * @param eventType  type of its events
     * @param relation   whether it carries a relation
     * @param primaryKey properties that identify a row of a relation
     * @param queue      pass-through or bounded queue
     * @param batching   whether events of one timestamp reach object sinks together
     * @param time       how events get their time
     * @param selector   ids of the queries whose output it accepts
     * @param listeners  stages below
     * @param position   position of its element
     */
    public ChannelStage(final String id, final EventType eventType, final boolean relation,
        final List<String> primaryKey, final Queue queue, final boolean batching, final Time time,
        final List<String> selector, final List<String> listeners, final SourcePosition position)
    {
        this(id, eventType, relation, primaryKey, queue, batching, time, selector, listeners, position,
            Changes.USUAL, null, null);
    }

    /**
     * Returns this channel with an event partitioner.
     *
     * @param property whose value determines the stage below that receives a row; {@code null} for all stages
     * @return a copy
     */
    public ChannelStage partitionedBy(final String property)
    {
        return new ChannelStage(id, eventType, relation, primaryKey, queue, batching, time, selector, listeners,
            position, changes, sharing, property);
    }

    /**
     * Returns this channel, partitioned across members.
     *
     * @param how the group of members, and the partition key
     * @return a copy
     */
    public ChannelStage shared(final Sharing how)
    {
        return new ChannelStage(id, eventType, relation, primaryKey, queue, batching, time, selector, listeners,
            position, changes, how, partitioner);
    }

    /**
     * How rows are partitioned across members: rows with equal keys go to the same member.
     *
     * @param property property with the partition key
     * @param group    of members
     */
    public record Sharing(String property, String group)
    {
        /** The group of a channel that names none. */
        public static final String ALL_MEMBERS = "AllDomainMembers";

        /** Checks the arguments. */
        public Sharing
        {
            Objects.requireNonNull(property, "property");
            Objects.requireNonNull(group, "group");
        }
    }

    /**
     * How the changes of a relation are passed on.
     *
     * @param updateSemantics whether a deletion and an insertion of a query at one instant with one key become one
     *                        update
     * @param silent          whether queries never wait for the relation's time; {@code null} = it is silent when no
     *                        query feeds it, because then it receives no heartbeats
     */
    public record Changes(boolean updateSemantics, Boolean silent)
    {
        /** Deletes and inserts; silent when no query feeds the relation. */
        public static final Changes USUAL = new Changes(false, null);
    }

    /**
     * How events pass the channel.
     *
     * @param maxThreads      0 = pass-through on the sender's thread; otherwise the number of consumer threads of a
     *                        bounded queue. In front of a processor one thread empties the queue, so that order is
     *                        kept, and the processor gets {@code maxThreads} workers
     * @param maxSizeEvents   maximum number of queued events; ignored for pass-through
     * @param rejectsWhenFull whether events that find the queue full are rejected and counted; otherwise senders wait
     */
    public record Queue(int maxThreads, int maxSizeEvents, boolean rejectsWhenFull)
    {
        /** Pass-through, no queue. */
        public static final Queue PASS_THROUGH = new Queue(0, 0);

        /** Queue length of a channel with threads and without {@code max-size}. */
        public static final int DEFAULT_MAX_SIZE_EVENTS = 1024;

        /**
         * Creates a queue whose producers wait while it is full.
         *
         * @param maxThreads    threads that empty it
         * @param maxSizeEvents maximum number of queued events
         */
        public Queue(final int maxThreads, final int maxSizeEvents)
        {
            this(maxThreads, maxSizeEvents, false);
        }
    }

    /**
     * How events get their time.
     *
     * @param timestampProperty property that holds the application time; {@code null} = the channel stamps events on
     *                          arrival
     * @param totalOrder        whether application times are promised to be strictly increasing
     * @param heartbeatNs       idle time after which the channel advances the time of a system-timestamped stream; 0 =
     *                          never
     */
    public record Time(String timestampProperty, boolean totalOrder, long heartbeatNs)
    {
        /** Stamped on arrival, heartbeat after 100 ms of idle time. */
        public static final Time SYSTEM = new Time(null, true, 100_000_000L);
    }
}
