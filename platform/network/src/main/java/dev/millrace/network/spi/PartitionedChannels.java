package dev.millrace.network.spi;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import java.util.function.Supplier;

/**
 * Shares the rows of channels out among the members of a cluster, each partition to one of them. The cluster registers
 * it as a service; networks ask for it while they are built. Safe for all threads.
 */
@FunctionalInterface
public interface PartitionedChannels
{
    /**
     * Opens a channel; it takes part after {@link SharedChannel#join}.
     *
     * @param terms    what is shared out, and how
     * @param entrance lets in what comes from other members
     * @return the channel, to be closed
     */
    SharedChannel open(Terms terms, RemoteEntrance entrance);

    /**
     * What is shared out, and how.
     *
     * @param application name; members that run it take part
     * @param channel     id
     * @param schema      shape of the rows
     * @param keyColumn   rows of one value in it go to one member
     * @param group       of members
     * @param timed       whether rows have their times when they are shared out, so that these travel with them; else
     *                    the owner stamps them
     * @param memory      opens an account for what waits for another member
     */
    record Terms(String application, String channel, BatchSchema schema, int keyColumn, String group, boolean timed,
        Supplier<MemoryAccount> memory)
    {
        /** Terms of a channel whose memory nobody counts. */
        public Terms(final String application, final String channel, final BatchSchema schema, final int keyColumn,
            final String group, final boolean timed)
        {
            this(application, channel, schema, keyColumn, group, timed, () -> MemoryAccount.NONE);
        }
    }
}
