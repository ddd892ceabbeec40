package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.LoadgenAdapter;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The real adapter on an ephemeral port, with a sender that stores received rows. */
final class Receiver implements EventBatchSender, AutoCloseable
{
    static final EventType TICK = EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("lastPrice", CqlType.DOUBLE));

    private final BatchSchema schema;
    private final List<String> rows = new ArrayList<>();
    private final List<Long> origins = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final LoadgenAdapter adapter = new LoadgenAdapter();
    private final Thread thread = new Thread(adapter, "receiver");

    Receiver(final EventType type, final int port, final int timesyncPort, final Clock clock) throws IOException
    {
        this(type, port, timesyncPort, clock, adapter -> { });
    }

    Receiver(final EventType type, final int port, final int timesyncPort, final Clock clock,
        final Consumer<LoadgenAdapter> properties) throws IOException
    {
        schema = new BatchSchema(type);
        adapter.setPort(port);
        adapter.setTimesyncPort(timesyncPort);
        adapter.setStageContext(new Context(clock));
        adapter.setBatchSender(this);
        properties.accept(adapter);
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        thread.start();
    }

    Receiver() throws IOException
    {
        this(TICK, 0, 0, Clock.SYSTEM);
    }

    private record Context(Clock clock) implements StageContext
    {
        @Override
        public String applicationName()
        {
            return "test";
        }

        @Override
        public String stageId()
        {
            return "in";
        }

        @Override
        public EventTypeRepository eventTypes()
        {
            return new EventTypeRepository()
            {
                @Override
                public EventType eventType(final String name)
                {
                    return null;
                }

                @Override
                public Collection<EventType> eventTypes()
                {
                    return List.of();
                }
            };
        }
    }

    int port() throws IOException
    {
        return adapter.boundPort();
    }

    Map<String, Object> statistics()
    {
        return adapter.statistics();
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public synchronized void send(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final StringBuilder text = new StringBuilder();
            for (int column = 0; column < schema.columnCount(); column++)
            {
                text.append(column == 0 ? "" : ",").append(batch.value(column, row));
            }
            rows.add(text.toString());
            origins.add(batch.originsNs()[row]);
        }
    }

    @Override
    public synchronized void reject(final int count, final String reason, final String detail)
    {
        rejected.merge(reason, count, Integer::sum);
    }

    @Override
    public EventBatchSender another()
    {
        return this;
    }

    synchronized List<String> rows()
    {
        return List.copyOf(rows);
    }

    synchronized int count()
    {
        return rows.size();
    }

    synchronized List<Long> origins()
    {
        return List.copyOf(origins);
    }

    synchronized Map<String, Integer> rejected()
    {
        return Map.copyOf(rejected);
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            adapter.destroy();
            thread.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
