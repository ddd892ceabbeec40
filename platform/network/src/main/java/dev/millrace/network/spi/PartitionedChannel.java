package dev.millrace.network.spi;

import dev.millrace.api.event.EventBatch;
import java.util.Map;
import java.util.function.Consumer;

/** A channel whose rows are partitioned across members. Thread-safe. */
public interface PartitionedChannel extends AutoCloseable
{
    /** The path of one thread's rows into the channel. */
    interface Way extends Consumer<EventBatch>
    {
        /**
         * Partitions a batch, or passes on a heartbeat: rows of this member's partitions continue at once on the
         * caller's thread, the others are queued to be sent. Waits while the queue of a member that owns some of them
         * is full. Never throws: rows that cannot be delivered are rejected at the entrance.
         *
         * @param batch owned by the caller; valid until this method returns
         */
        @Override
        void accept(EventBatch batch);

        /** Closes the path; no row is in transit on it. */
        void close();
    }

    /**
     * Opens a path for one more thread.
     *
     * @param here receives the rows of this member's partitions, and heartbeats
     * @return the path
     */
    Way openWay(Consumer<EventBatch> here);

    /** Joins the members and gets partitions. Returns at once; rows wait until this member has its partitions. */
    void join();

    /**
     * Releases all partitions of this member and waits until other members have taken them over and received all rows
     * of this member. Its sources are paused. When the time limit passes, the remaining steps are done without waiting.
     *
     * @param timeoutNs how long to wait
     * @return whether all steps completed in time
     */
    boolean leave(long timeoutNs);

    /**
     * Returns the statistics: partitions, rows sent, received and sent again, waits, members.
     *
     * @return names to numbers, strings or maps of these; a snapshot
     */
    Map<String, Object> statistics();

    /** Closes the channel permanently. */
    @Override
    void close();
}
