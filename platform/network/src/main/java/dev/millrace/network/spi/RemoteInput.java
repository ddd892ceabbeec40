package dev.millrace.network.spi;

import dev.millrace.api.event.EventBatch;
import java.util.BitSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The entrance of rows of other members into a channel. Thread-safe. */
public interface RemoteInput
{
    /** The path of the rows of one thread of another member. Called by one thread at a time. */
    interface RemoteWay extends Consumer<EventBatch>
    {
        /**
         * Accepts rows, or a heartbeat. Returns when they are processed or passed to a worker. Never throws.
         *
         * @param batch owned by the caller; valid until this method returns
         */
        @Override
        void accept(EventBatch batch);

        /** Closes the path: other paths no longer wait for its time. */
        void close();
    }

    /**
     * Opens a path.
     *
     * @return the path
     */
    RemoteWay open();

    /**
     * Discards the state that the stages below keep for partitions that are owned by other members from now on, or
     * start without state here. No row of these partitions is in transit. Called by the thread of the channel.
     *
     * @param partitions numbers as returned by {@link dev.millrace.network.partition.PartitionHash}
     * @param to         receives the state that can be transferred, by the stage's name, before it is discarded; a
     *                   stage that is called again adds nothing relevant
     * @return false when rows below were not processed in time, so that it has to be called again
     */
    boolean forget(BitSet partitions, BiConsumer<String, byte[]> to);

    /**
     * Restores state of partitions in a stage below that the same stage of another member has exported. Called by the
     * thread of the channel, after {@link #forget}.
     *
     * @param partitions partitions without state here
     * @param stage      its name
     * @param state      exported state
     * @return false when rows below were not processed in time, so that it has to be called again
     */
    boolean takeOver(BitSet partitions, String stage, byte[] state);

    /**
     * Counts rows that could not be partitioned or were not accepted.
     *
     * @param rows   how many
     * @param reason short, from a small set of values
     * @param detail information that helps a user to find the cause, with code and next step
     */
    void reject(int rows, String reason, String detail);
}
