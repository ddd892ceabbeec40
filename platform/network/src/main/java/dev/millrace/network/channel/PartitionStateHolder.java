package dev.millrace.network.channel;

import java.util.BitSet;
import java.util.function.BiConsumer;

/** A stage below a channel that keeps state per partition. Called by the thread of the channel. */
public interface PartitionStateHolder
{
    /**
     * Discards the state of partitions.
     *
     * @param partitions the partitions
     * @param to         receives the state that can be transferred, by the name of the stage, before it is discarded
     * @return false when this is not possible yet
     */
    boolean forget(BitSet partitions, BiConsumer<String, byte[]> to);

    /**
     * Restores state that a stage of another member has exported.
     *
     * @param partitions partitions without state in this stage
     * @param stage      the name of the exporting stage; without effect when it is not the name of this one
     * @param state      exported state
     * @return false when this is not possible yet
     */
    boolean takeOver(BitSet partitions, String stage, byte[] state);
}
