package dev.millrace.cluster.partition;

import java.util.Map;

/**
 * Stores the state of partitions while it moves from one member to another. Called by the thread of the channel at the
 * two points where that is safe:
 *
 * <pre>
 *   old owner: no sender sends rows of these partitions, all received rows are processed ─► stages remove them,
 *              {@link #leave} ─► publishes "released"
 *   new owner: all previous owners have released them or have left ─► {@link #left}, stages take the state over,
 *              {@link #taken} ─► the first row is processed
 * </pre>
 * State is valid for one epoch: if members join or leave before it is taken, the partitions start empty.
 */
interface PartitionHandover
{
    /** Partitions always start without state. */
    PartitionHandover EMPTY = new PartitionHandover()
    {
        @Override
        public void leave(final Way way, final Map<String, byte[]> states)
        {
            // State is discarded.
        }

        @Override
        public Map<String, byte[]> left(final Way way)
        {
            return Map.of();
        }

        @Override
        public void taken(final Way way)
        {
            // No state was stored.
        }
    };

    /**
     * Source and destination of state.
     *
     * @param epoch in which partitions move
     * @param from  incarnation of the previous owner
     * @param to    incarnation of the next owner
     */
    record Way(long epoch, String from, String to)
    {
    }

    /**
     * Stores state of partitions; other members can read it when the call returns. State above the size limit is not
     * stored, which is logged.
     *
     * @param way    source and destination
     * @param states by name of the stage
     */
    void leave(Way way, Map<String, byte[]> states);

    /**
     * Reads stored state. The old owner must have published the release before.
     *
     * @param way source and destination
     * @return by name of the stage, empty if none
     */
    Map<String, byte[]> left(Way way);

    /**
     * Removes stored state after it has been taken over.
     *
     * @param way source and destination
     */
    void taken(Way way);
}
