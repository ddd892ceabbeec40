package dev.millrace.network.channel;

import java.util.BitSet;
import java.util.function.BiConsumer;

/** A stage below a channel that keeps state of its partitions. Called by the thread of the channel. */
public interface PartitionKeeper
{
    /**
     * Forgets partitions.
     *
     * @param partitions which
     * @param to         takes the state that can go on elsewhere, by the name of the stage, before it is forgotten
     * @return false when it could not yet
     */
    boolean forget(BitSet partitions, BiConsumer<String, byte[]> to);

    /**
     * Takes over state that a stage of another member has forgotten.
     *
     * @param partitions of which it knows nothing
     * @param stage      the name of that stage; without effect when it is another one
     * @param state      what was forgotten
     * @return false when it could not yet
     */
    boolean takeOver(BitSet partitions, String stage, byte[] state);
}
