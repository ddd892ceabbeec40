package dev.millrace.cluster.partition;

import java.util.BitSet;

/**
 * What becomes of the state of partitions that move from one member to another. The channel calls it at the two points
 * where that is safe:
 *
 * <pre>
 *   old owner: no sender sends rows of these partitions any more, all that came went on ─► drain ─► says "released"
 *   new owner: all owners of before have released them, or are dead ─► takeOver ─► the first row goes on
 * </pre>
 *
 * A snapshot that {@link #drain} gives has to be with the new owner before the release is said; nothing carries one
 * yet, since no stage can give its state away, and {@link #EMPTY} gives none. Called by the thread of the channel.
 */
interface PartitionHandover
{
    /** Partitions begin without state wherever they come. */
    PartitionHandover EMPTY = new PartitionHandover()
    {
        private static final byte[] NOTHING = {};

        @Override
        public byte[] drain(final long epoch, final BitSet partitions)
        {
            return NOTHING;
        }

        @Override
        public void takeOver(final long epoch, final BitSet partitions, final byte[] snapshot)
        {
            // There is no state to begin with.
        }
    };

    /**
     * Takes the state of partitions out of this member. Called once more for the same ones when the stages below could
     * not forget them in time, for rows inside had not got out; what it gave before does not count then.
     *
     * @param epoch      in which they are no longer here
     * @param partitions that go, at least one
     * @return their state
     */
    byte[] drain(long epoch, BitSet partitions);

    /**
     * Puts the state of partitions into this member.
     *
     * @param epoch      in which they are here
     * @param partitions that come, at least one
     * @param snapshot   their state, empty when it is lost or there is none
     */
    void takeOver(long epoch, BitSet partitions, byte[] snapshot);
}
