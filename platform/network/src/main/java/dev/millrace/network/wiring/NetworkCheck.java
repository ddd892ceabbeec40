package dev.millrace.network.wiring;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds all problems in the structure of a network, before anything is planned or called. */
public final class NetworkCheck
{
    private final NetworkServices services;
    private final Map<String, StageDefinition> byId = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private NetworkCheck(final NetworkServices services)
    {
        this.services = services;
    }

    /**
     * Checks a network.
     *
     * @param services resolves the processor providers
     * @throws DeploymentException with all problems found
     */
    public static void check(final NetworkDefinition definition, final NetworkServices services)
        throws DeploymentException
    {
        final NetworkCheck check = new NetworkCheck(services);
        check.run(definition.stages());
        if (!check.problems.isEmpty())
        {
            throw new DeploymentException(check.problems);
        }
    }

    private void run(final List<StageDefinition> stages)
    {
        for (final StageDefinition stage : stages)
        {
            if (byId.putIfAbsent(stage.id(), stage) != null)
            {
                add(NetworkErrorCode.DUPLICATE_STAGE, stage, "two stages have one id, id=" + stage.id(),
                    "rename one of them");
            }
        }
        final Set<String> belowSomething = new HashSet<>();
        final Set<String> belowProcessor = new HashSet<>();
        for (final StageDefinition stage : stages)
        {
            for (final String listener : stage.listeners())
            {
                checkListener(stage, listener);
                belowSomething.add(listener);
                if (stage instanceof ProcessorStage)
                {
                    belowProcessor.add(listener);
                }
            }
        }
        for (final StageDefinition stage : stages)
        {
            if (stage instanceof ChannelStage channel)
            {
                checkChannel(channel, belowProcessor.contains(stage.id()));
            }
            else if (stage instanceof ProcessorStage processor)
            {
                checkProcessor(processor, belowSomething.contains(stage.id()));
            }
            else if (stage instanceof BeanStage bean)
            {
                checkBean(bean, belowSomething.contains(stage.id()));
            }
        }
    }

    private void checkListener(final StageDefinition stage, final String listener)
    {
        final StageDefinition below = byId.get(listener);
        if (below == null)
        {
            add(NetworkErrorCode.UNKNOWN_LISTENER, stage,
                "no such stage, stage=" + stage.id() + " listener=" + listener,
                "stages of this application: " + String.join(", ", byId.keySet()));
        }
        else if (!(stage instanceof ChannelStage) && !(below instanceof ChannelStage))
        {
            add(NetworkErrorCode.CHANNEL_NEEDED, stage, "no channel between two stages, stage=" + stage.id() +
                " listener=" + listener, "let " + stage.id() + " feed a channel and " + listener + " listen to it");
        }
    }

    private void checkChannel(final ChannelStage channel, final boolean belowProcessor)
    {
        if (!channel.selector().isEmpty() && !belowProcessor)
        {
            add(NetworkErrorCode.SELECTOR_MISPLACED, channel,
                "a selector chooses queries of the processor upstream, but there is" +
                " none, channel=" + channel.id(), "remove the selector or make the channel a listener of a processor");
        }
        if (channel.queue().maxThreads() < 0 || channel.queue().maxThreads() > 0 && channel.queue().maxSizeEvents() < 1)
        {
            add(NetworkErrorCode.QUEUE, channel,
                "queue setting out of range, channel=" + channel.id() + " max-threads=" +
                channel.queue().maxThreads() + " max-size=" + channel.queue().maxSizeEvents(),
                "max-threads is 0 for pass-through; with threads max-size is at least 1");
        }
        if (channel.queue().rejectsWhenFull() && channel.relation())
        {
            add(NetworkErrorCode.QUEUE, channel,
                "a relation cannot lose changes, channel=" + channel.id() + " when-full=reject",
                "remove when-full: sources then wait while the queue is full; or make the channel a stream");
        }
        final String time = channel.time().timestampProperty();
        if (time != null)
        {
            final int column = channel.eventType().indexOf(time);
            final CqlType type = column < 0 ? null : channel.eventType().properties().get(column).type();
            if (type != CqlType.INT && type != CqlType.BIGINT && type != CqlType.TIMESTAMP)
            {
                add(NetworkErrorCode.TIME_PROPERTY, channel,
                    "application time needs a property of type int, bigint or timestamp," +
                    " channel=" + channel.id() + " property=" + time + " type=" +
                    (type == null ? "none" : type.cqlName()), "properties of " + channel.eventType());
            }
        }
        if (channel.changes().updateSemantics() && (!channel.relation() || channel.primaryKey().isEmpty()))
        {
            add(NetworkErrorCode.PRIMARY_KEY, channel, "update semantics need a relation with a primary key, channel=" +
                channel.id(), "add is-relation=\"true\" and primary-key=\"...\", or remove update-semantics");
        }
        if (channel.sharing() != null)
        {
            checkSharing(channel);
        }
        if (channel.partitioner() != null)
        {
            checkPartitioner(channel);
        }
        for (final String property : channel.primaryKey())
        {
            if (!channel.relation() || !ChannelRuntime.isUsableAsKey(channel, property))
            {
                add(NetworkErrorCode.PRIMARY_KEY, channel,
                    "no usable primary key, channel=" + channel.id() + " is-relation=" +
                    channel.relation() + " property=" + property, "a relation channel takes properties of number," +
                    " char, boolean and time types: " + channel.eventType());
            }
        }
    }

    private void checkPartitioner(final ChannelStage channel)
    {
        final String what = " channel=" + channel.id() + " partitionByEventProperty=" + channel.partitioner();
        final int column = channel.eventType().indexOf(channel.partitioner());
        if (column < 0 || !PartitionHash.isUsable(channel.eventType().properties().get(column).type()))
        {
            add(NetworkErrorCode.PARTITIONED, channel, "events cannot be partitioned by this property," + what,
                "take a property of a number, char, boolean or time type of " + channel.eventType());
        }
        if (channel.relation() || channel.batching() || channel.sharing() != null)
        {
            add(NetworkErrorCode.PARTITIONED, channel, "an event partitioner excludes other settings," + what +
                " is-relation=" + channel.relation() + " batching=" + channel.batching() + " partition-by=" +
                (channel.sharing() == null ? "none" : channel.sharing().property()),
                "remove them, or partitionByEventProperty");
        }
        for (final String listener : channel.listeners())
        {
            if (byId.get(listener) instanceof ProcessorStage processor && processor.durable())
            {
                add(NetworkErrorCode.PARTITIONED, channel,
                    "a durable processor cannot be below an event partitioner," + what + " processor=" + listener,
                    "use one processor, with PARTITION_ORDERED and partition-expression");
            }
        }
    }

    private void checkSharing(final ChannelStage channel)
    {
        final String property = channel.sharing().property();
        final int column = channel.eventType().indexOf(property);
        final String what = " channel=" + channel.id() + " partition-by=" + property;
        if (column < 0)
        {
            add(NetworkErrorCode.PARTITIONED, channel, "the event type has no such property," + what, "properties of " +
                channel.eventType());
        }
        else if (!PartitionHash.isUsable(channel.eventType().properties().get(column).type()))
        {
            add(NetworkErrorCode.PARTITIONED, channel,
                "rows cannot be partitioned by a property of this type," + what + " type=" +
                channel.eventType().properties().get(column).type().cqlName(),
                "take one of type int, bigint, float, double, char, boolean, timestamp or interval");
        }
        channel.eventType().properties().stream().filter(each -> each.type() == CqlType.OBJECT).forEach(each ->
            add(NetworkErrorCode.PARTITIONED, channel,
                "a property of type object cannot be sent to another member," + what +
                " property=" + each.name(), "use an event type without it for the channel"));
        if (channel.relation())
        {
            add(NetworkErrorCode.PARTITIONED, channel, "only a stream can be partitioned across members," + what,
                "remove is-relation, or partition-by");
        }
        if (channel.queue().maxThreads() > 0)
        {
            add(NetworkErrorCode.PARTITIONED, channel,
                "a channel that is partitioned across members has no queue," + what +
                " max-threads=" + channel.queue().maxThreads(), "remove max-threads; configure workers on the "
                    + "processor below");
        }
        if (services.partitionedChannels() == null)
        {
            add(NetworkErrorCode.PARTITIONED, channel, "this instance is in no cluster," + what,
                "enable <cluster> in config.xml, or remove partition-by");
        }
    }

    private void checkProcessor(final ProcessorStage processor, final boolean hasInput)
    {
        if (!hasInput)
        {
            add(NetworkErrorCode.NO_INPUT, processor, "no channel feeds the processor, processor=" + processor.id(),
                "make it a listener of a channel");
        }
        if (processor.listeners().isEmpty())
        {
            add(NetworkErrorCode.NO_OUTPUT, processor,
                "no channel receives the processor's results, processor=" + processor.id(),
                "give it a channel as listener");
        }
        if (services.processorProvider(processor.provider()) == null)
        {
            add(NetworkErrorCode.UNKNOWN_PROVIDER, processor,
                "no such processor provider, processor=" + processor.id() +
                " provider=" + processor.provider(), "use provider=\"cql\", or deploy the bundle that has this one");
        }
    }

    private void checkBean(final BeanStage bean, final boolean hasInput)
    {
        final Object instance = bean.instance();
        final String what = " stage=" + bean.id() + " class=" + instance.getClass().getName();
        if (hasInput && !(instance instanceof EventBatchSink || instance instanceof StreamSink ||
            instance instanceof BatchStreamSink))
        {
            add(NetworkErrorCode.NO_SINK, bean, "the stage receives events but is not a sink," + what,
                "implement StreamSink, RelationSink, BatchStreamSink or EventBatchSink");
        }
        if (!bean.listeners().isEmpty() && !(instance instanceof EventBatchSource ||
            instance instanceof StreamSource || instance instanceof RelationSource))
        {
            add(NetworkErrorCode.NO_SOURCE, bean, "the stage has listeners but is not a source," + what,
                "implement StreamSource, RelationSource or EventBatchSource, or remove the listeners");
        }
    }

    private void add(final String code, final StageDefinition stage, final String text, final String hint)
    {
        problems.add(new Problem(code, stage.position(), text, hint, ""));
    }
}
