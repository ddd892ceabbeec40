package dev.millrace.network.spi;

import dev.millrace.api.event.EventBatch;
import java.util.Map;
import java.util.function.Consumer;

/** A channel whose rows are shared out among members. Safe for all threads. */
public interface SharedChannel extends AutoCloseable
{
    /** The way of one thread's rows into the channel. */
    interface Way extends Consumer<EventBatch>
    {
        /**
         * Shares out a batch, or a heartbeat: rows of this member's partitions go on at once on the caller's thread,
         * the others are taken over to be sent. Waits while a member that owns some of them has no room. Never throws:
         * rows that cannot go anywhere are rejected at the entrance.
         *
         * @param batch lent until this method returns
         */
        @Override
        void accept(EventBatch batch);

        /** Ends the way; nothing is on it. */
        void close();
    }

    /**
     * Opens the way of one more thread.
     *
     * @param here takes the rows of this member's partitions, and heartbeats
     * @return the way
     */
    Way openWay(Consumer<EventBatch> here);

    /** Takes part: gets partitions. Returns at once; rows wait on their ways until this member has its part. */
    void join();

    /**
     * Gives its partitions to the others and waits until they have taken over and have all rows of this member. Its
     * sources are still. What is not done in time is done without waiting.
     *
     * @param timeoutNs how long to wait
     * @return whether everything was done in order
     */
    boolean leave(long timeoutNs);

    /**
     * Figures: partitions, rows sent, received and sent again, waits, members.
     *
     * @return names to numbers, strings or maps of such; a snapshot
     */
    Map<String, Object> statistics();

    /** Ends it for good. */
    @Override
    void close();
}
