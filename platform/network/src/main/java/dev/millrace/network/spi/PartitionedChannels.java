package dev.millrace.network.spi;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import java.util.function.Supplier;

/**
 * Partitions the rows of channels across the members of a cluster, each partition to one of them. The cluster registers
 * it as a service; networks look it up while they are built. Thread-safe.
 */
@FunctionalInterface
public interface PartitionedChannels
{
    /**
     * Opens a channel; it receives rows after {@link PartitionedChannel#join}.
     *
     * @param terms    parameters of the channel
     * @param entrance accepts rows of other members
     * @return the channel, to be closed
     */
    PartitionedChannel open(Terms terms, RemoteInput entrance);

    /**
     * Parameters of a partitioned channel.
     *
     * @param application name; members that run it participate
     * @param channel     id
     * @param schema      schema of the rows
     * @param keyColumn   index of the partition key; rows with equal keys go to the same member
     * @param group       of members
     * @param timed       whether rows already have times when they are partitioned, so that times are sent along;
     *                    otherwise the owner assigns times
     * @param memory      opens an account for rows that wait for another member
     */
    record Terms(String application, String channel, BatchSchema schema, int keyColumn, String group, boolean timed,
        Supplier<MemoryAccount> memory)
    {
        /** Parameters of a channel without memory accounting. */
        public Terms(final String application, final String channel, final BatchSchema schema, final int keyColumn,
            final String group, final boolean timed)
        {
            this(application, channel, schema, keyColumn, group, timed, () -> MemoryAccount.NONE);
        }
    }
}
