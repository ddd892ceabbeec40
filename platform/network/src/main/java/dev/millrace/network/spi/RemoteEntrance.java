package dev.millrace.network.spi;

import dev.millrace.api.event.EventBatch;
import java.util.BitSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Where rows of other members enter a channel. Safe for all threads. */
public interface RemoteEntrance
{
    /** The way of the rows of one thread of another member. Used by one thread at a time. */
    interface RemoteWay extends Consumer<EventBatch>
    {
        /**
         * Takes rows, or a heartbeat. Returns when they are through or in the hands of a worker. Never throws.
         *
         * @param batch lent until this method returns
         */
        @Override
        void accept(EventBatch batch);

        /** Ends the way: the others no longer wait for its time. */
        void close();
    }

    /**
     * Opens a way.
     *
     * @return the way
     */
    RemoteWay open();

    /**
     * Forgets what the stages below know of partitions that are elsewhere from now on, or begin empty here: their next
     * rows find nothing. No row of them is on its way. Called by the thread of the channel.
     *
     * @param partitions numbers as {@link dev.millrace.network.partition.PartitionHash} gives them
     * @param to         takes the state that a stage has forgotten and that can go on elsewhere, by the stage's name;
     *                   before it is forgotten, and nothing of importance for a stage that is asked once more
     * @return false when rows below did not get out in time, so that it has to be called again
     */
    boolean forget(BitSet partitions, BiConsumer<String, byte[]> to);

    /**
     * Gives a stage below the state of partitions that one of another member has forgotten. Called by the thread of the
     * channel, after {@link #forget}.
     *
     * @param partitions of which nothing is known here
     * @param stage      its name
     * @param state      what was forgotten
     * @return false when rows below did not get out in time, so that it has to be called again
     */
    boolean takeOver(BitSet partitions, String stage, byte[] state);

    /**
     * Counts rows that could not be shared out or were not accepted.
     *
     * @param rows   how many
     * @param reason short, of few different values
     * @param detail what a user needs to find the cause, with code and next step
     */
    void reject(int rows, String reason, String detail);
}
