package dev.millrace.cql.processor.state;

import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers the state of partitions that move from one member to another: the state of pipelines, identified by name.
 * Flows start without state on the new member, since an engine with state cannot import more. Not thread-safe; used
 * while no row is in the processor.
 */
public final class PartitionStateTransfer
{
    private static final Logger LOG = LoggerFactory.getLogger(PartitionStateTransfer.class);
    /** Limit for the state that members transfer for one channel. */
    private static final int MOST_BYTES = 1 << 20;
    private static final byte[] NOTHING = {};

    private final List<ExecutionUnit> units;
    private final String channel;
    private final String property;

    /**
     * @param all      all units of the processor
     * @param channel  partitioned channel
     * @param property property by which it is partitioned
     */
    public PartitionStateTransfer(final List<ExecutionUnit> all, final String channel, final String property)
    {
        units = all.stream().filter(unit -> unit.keepsStateOf(channel)).toList();
        this.channel = channel;
        this.property = property;
    }

    /** The state of some partitions; empty if none of it can be transferred. */
    public byte[] write(final PartitionPredicate partitions)
    {
        if (units.isEmpty())
        {
            return NOTHING;
        }
        try
        {
            final StateOutput to = new StateOutput(MOST_BYTES);
            for (final ExecutionUnit unit : units)
            {
                for (final PipelineInstance instance : unit.instances())
                {
                    final StateOutput one = new StateOutput(MOST_BYTES);
                    instance.write(one, unit.choice(property, partitions));
                    final byte[] bytes = one.toBytes();
                    to.writeString(instance.name());
                    to.writeCount(bytes.length);
                    to.writeBytes(bytes, 0, bytes.length);
                }
            }
            to.writeString(null);
            return to.toBytes();
        }
        catch (final StateException refused)
        {
            LOG.warn("partitions move without their state, which is empty on the new member, channel={} reason={}",
                channel, refused.getMessage());
            return NOTHING;
        }
    }

    /** Imports the state of partitions that have no state here. */
    public void read(final PartitionPredicate partitions, final byte[] state)
    {
        try
        {
            final StateInput from = new StateInput(state);
            for (String name = from.readString(); name != null; name = from.readString())
            {
                final byte[] bytes = new byte[from.readSize(1)];
                from.readBytes(bytes, 0, bytes.length);
                read(name, partitions, bytes);
            }
        }
        catch (final StateException refused)
        {
            LOG.warn("partitions arrive without their state, channel={} reason={}", channel, refused.getMessage());
        }
    }

    private void read(final String name, final PartitionPredicate partitions, final byte[] bytes)
    {
        for (final ExecutionUnit unit : units)
        {
            if (!unit.pipeline().name().equals(name))
            {
                continue;
            }
            if (unit.instances().size() > 1)
            {
                LOG.warn("partitions arrive without their state to a processor of several workers, channel={} " +
                    "pipeline={}", channel, name);
                return;
            }
            read(unit.instances().get(0), unit.choice(property, partitions), bytes);
        }
    }

    private void read(final PipelineInstance instance, final PartitionSelection which, final byte[] bytes)
    {
        try
        {
            instance.read(new StateInput(bytes));
        }
        catch (final StateException refused)
        {
            // The state read before the failure belongs to these partitions, which then start empty.
            instance.forget(which);
            LOG.warn("partitions arrive without their state, channel={} pipeline={} reason={}", channel,
                instance.name(), refused.getMessage());
        }
    }
}
