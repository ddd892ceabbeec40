package dev.millrace.cluster.partition;

import java.util.Map;

/**
 * Where the state of partitions lies on its way from one member to another. Called by the thread of the channel, at the
 * two points where that is safe:
 *
 * <pre>
 *   old owner: no sender sends rows of these partitions any more, all that came went on ─► stages forget them,
 *              {@link #leave} ─► says "released"
 *   new owner: all owners of before have released them, or are gone ─► {@link #left}, stages take it over,
 *              {@link #taken} ─► the first row goes on
 * </pre>
 *
 * What was left in one epoch is for that epoch: when members come or go before it is taken, partitions begin empty.
 */
interface PartitionHandover
{
    /** Partitions begin without state wherever they come. */
    PartitionHandover EMPTY = new PartitionHandover()
    {
        @Override
        public void leave(final Way way, final Map<String, byte[]> states)
        {
            // Nobody takes it.
        }

        @Override
        public Map<String, byte[]> left(final Way way)
        {
            return Map.of();
        }

        @Override
        public void taken(final Way way)
        {
            // There was none.
        }
    };

    /**
     * From one member to another.
     *
     * @param epoch in which partitions move
     * @param from  stay of the member that has had them
     * @param to    stay of the one that has them next
     */
    record Way(long epoch, String from, String to)
    {
    }

    /**
     * Leaves state of partitions; other members find it when the call returns. What is greater than may be left is not,
     * which is logged.
     *
     * @param way    of the partitions
     * @param states by the name of the stage that has kept it
     */
    void leave(Way way, Map<String, byte[]> states);

    /**
     * What was left, if the old owner has said before that the partitions are released.
     *
     * @param way of the partitions
     * @return by the name of the stage, empty when there is nothing
     */
    Map<String, byte[]> left(Way way);

    /**
     * Removes what was left, when it has been taken.
     *
     * @param way of the partitions
     */
    void taken(Way way);
}
