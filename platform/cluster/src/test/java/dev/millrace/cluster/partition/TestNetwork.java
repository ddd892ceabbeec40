package dev.millrace.cluster.partition;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.time.Clock;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** The network of one member: sources, the partitioned channel, and a sink. */
public final class TestNetwork implements NetworkServices, EventTypeRepository
{
    /** Number of the source, the symbol, and a number that increases per source and symbol. */
    public static final EventType TRADE = EventType.tuple("Trade", new EventProperty("source", CqlType.INT),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("seq", CqlType.BIGINT));
    /** The type in an older version of the application. */
    static final EventType OLD_TRADE = EventType.tuple("Trade", new EventProperty("source", CqlType.INT),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("seq", CqlType.INT));
    static final ChannelStage.Time NO_HEARTBEAT = new ChannelStage.Time(null, true, 0);

    final List<Source> sources = new ArrayList<>();
    private final PartitionedChannels cluster;
    private final EventType type;
    private final Network network;

    /** A source that sends what the test requests, on the thread of the test or its own. */
    static final class Source implements EventBatchSource
    {
        final int number;
        EventBatchSender sender;
        private EventBatch batch;

        Source(final int number)
        {
            this.number = number;
        }

        @Override
        public void setBatchSender(final EventBatchSender given)
        {
            sender = given;
            batch = new EventBatch(given.schema());
        }

        /** Sends symbols by number; each row gets the next number of its symbol. */
        void send(final int[] symbols, final long[] sequences, final int count)
        {
            batch.clear();
            for (int i = 0; i < count; i++)
            {
                batch.ints(0)[i] = number;
                batch.texts(1).set(i, "S" + symbols[i]);
                if (batch.schema().type() == TRADE)
                {
                    batch.longs(2)[i] = ++sequences[symbols[i]];
                }
                else
                {
                    batch.ints(2)[i] = (int)++sequences[symbols[i]];
                }
            }
            batch.size(count);
            sender.send(batch);
        }

        /** Sends the same rows again. */
        void sendAgain()
        {
            sender.send(batch);
        }
    }

    TestNetwork(final PartitionedChannels cluster, final EventType type, final String group,
        final ChannelStage.Time time, final int firstSource, final int sourceCount, final EventBatchSink sink)
        throws DeploymentException
    {
        this.cluster = cluster;
        this.type = type;
        final List<StageDefinition> stages = new ArrayList<>();
        for (int i = 0; i < sourceCount; i++)
        {
            final Source source = new Source(firstSource + i);
            sources.add(source);
            stages.add(new BeanStage("source" + i, true, source, List.of("trades"), SourcePosition.NONE));
        }
        stages.add(new ChannelStage("trades", type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false, time,
            List.of(), List.of("sink"), SourcePosition.NONE).shared(new ChannelStage.Sharing("symbol", group)));
        stages.add(new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
        network = Network.build(new NetworkDefinition("shop", this, stages, List.of()), this);
    }

    Network network()
    {
        return network;
    }

    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    Map<String, Object> channel()
    {
        return ((List<Map<String, Object>>)network.statistics().get("stages")).stream()
            .filter(stage -> stage.get("id").equals("trades")).findFirst().orElseThrow();
    }

    @SuppressWarnings("unchecked") // As above.
    Map<String, Object> partitions()
    {
        return (Map<String, Object>)channel().get("partitions");
    }

    long partitions(final String figure)
    {
        return ((Number)partitions().get(figure)).longValue();
    }

    @SuppressWarnings("unchecked") // As above.
    long rejected(final String reason)
    {
        return ((Map<String, Long>)channel().get("rejectedBy")).getOrDefault(reason, 0L);
    }

    @Override
    public PartitionedChannels partitionedChannels()
    {
        return cluster;
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return null;
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return work ->
        {
            final Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public int defaultWorkers()
    {
        return 1;
    }

    @Override
    public EventType eventType(final String name)
    {
        return type;
    }

    @Override
    public Collection<EventType> eventTypes()
    {
        return List.of(type);
    }
}
