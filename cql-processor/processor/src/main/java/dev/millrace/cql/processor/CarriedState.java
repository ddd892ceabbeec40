package dev.millrace.cql.processor;

import dev.millrace.cql.runtime.state.PartitionChoice;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of partitions that go from one member to another: that of pipelines, each by its name. Flows begin empty
 * there, since an engine that has state takes no more in. Used by one thread, while no row is inside.
 */
final class CarriedState
{
    private static final Logger LOG = LoggerFactory.getLogger(CarriedState.class);
    /** Members that share a channel carry no more from one to another. */
    private static final int MOST_BYTES = 1 << 20;
    private static final byte[] NOTHING = {};

    private final List<Unit> units;
    private final String channel;
    private final String property;

    /**
     * Looks at a processor.
     *
     * @param all      what runs
     * @param channel  that is shared out
     * @param property by which
     */
    CarriedState(final List<Unit> all, final String channel, final String property)
    {
        units = all.stream().filter(unit -> unit.keepsStateOf(channel)).toList();
        this.channel = channel;
        this.property = property;
    }

    /** State of some partitions; empty when there is none that can go on elsewhere. */
    byte[] write(final PartitionTest partitions)
    {
        if (units.isEmpty())
        {
            return NOTHING;
        }
        try
        {
            final StateOutput to = new StateOutput(MOST_BYTES);
            for (final Unit unit : units)
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
            LOG.warn("partitions go without their state, which begins empty where they come, channel={} reason={}",
                channel, refused.getMessage());
            return NOTHING;
        }
    }

    /** Takes over state of partitions of which nothing is known here. */
    void read(final PartitionTest partitions, final byte[] state)
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
            LOG.warn("partitions come without their state, channel={} reason={}", channel, refused.getMessage());
        }
    }

    private void read(final String name, final PartitionTest partitions, final byte[] bytes)
    {
        for (final Unit unit : units)
        {
            if (!unit.pipeline().name().equals(name))
            {
                continue;
            }
            if (unit.instances().size() > 1)
            {
                LOG.warn("partitions come without their state to a processor of several workers, channel={} " +
                    "pipeline={}", channel, name);
                return;
            }
            read(unit.instances().get(0), unit.choice(property, partitions), bytes);
        }
    }

    private void read(final PipelineInstance instance, final PartitionChoice which, final byte[] bytes)
    {
        try
        {
            instance.read(new StateInput(bytes));
        }
        catch (final StateException refused)
        {
            // What it has read before it failed is state of these partitions, which begin empty then.
            instance.forget(which);
            LOG.warn("partitions come without their state, channel={} pipeline={} reason={}", channel, instance.name(),
                refused.getMessage());
        }
    }
}
