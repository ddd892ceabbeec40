package dev.millrace.network.processor;

import dev.millrace.network.channel.PartitionStateHolder;
import dev.millrace.network.spi.RunningProcessor;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the state that rules hold for partitions of a channel above to and from other members. Called by the thread
 * that moves partitions; rows of these partitions wait.
 */
final class RulePartitions implements PartitionStateHolder
{
    private static final Logger LOG = LoggerFactory.getLogger(RulePartitions.class);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final String stage;
    private final String channel;
    private final Supplier<RunningProcessor> running;

    /**
     * @param stage   qualified name of the processor
     * @param channel id of the channel
     * @param running the processor, which is wired before the first call
     */
    RulePartitions(final String stage, final String channel, final Supplier<RunningProcessor> running)
    {
        this.stage = stage;
        this.channel = channel;
        this.running = running;
    }

    @Override
    public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
    {
        return told(running.get().forget(channel, partitions, TIMEOUT_NS, state -> to.accept(stage, state)));
    }

    @Override
    public boolean takeOver(final BitSet partitions, final String of, final byte[] state)
    {
        return !of.equals(stage) || told(running.get().takeOver(channel, partitions, state, TIMEOUT_NS));
    }

    private boolean told(final boolean isDone)
    {
        if (!isDone)
        {
            LOG.warn("partitions cannot be released or taken over yet, because rows inside are not processed, stage={} "
                + "channel={}; tried again, check the stages below", stage, channel);
        }
        return isDone;
    }
}
