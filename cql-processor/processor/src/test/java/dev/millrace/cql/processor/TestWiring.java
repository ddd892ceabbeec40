package dev.millrace.cql.processor;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.DynamicOutputs;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The environment that a network provides to a processor, with collecting sinks. */
public final class TestWiring implements ProcessorWiring
{
    private final int workers;
    private final int sources;
    private DurableStorage storage;
    private final List<Output> outputs = new CopyOnWriteArrayList<>();
    private final Map<String, AtomicLong> rejected = new ConcurrentHashMap<>();
    private final Map<String, String> details = new ConcurrentHashMap<>();
    private final Map<String, String> conditions = new ConcurrentHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private Receiver receiver;
    private volatile Consumer<EventBatch> beforeCollect = batch ->
    {
    };
    private volatile Consumer<String> beforeReject = reason ->
    {
    };

    public TestWiring(final int workers, final int sources)
    {
        this.workers = workers;
        this.sources = sources;
    }

    /** The state of the processor survives in a storage; {@code null} for none. */
    public TestWiring storage(final DurableStorage there)
    {
        storage = there;
        return this;
    }

    @Override
    public DurableStorage storage()
    {
        return storage;
    }

    @Override
    public StageConditions conditions()
    {
        return new StageConditions()
        {
            @Override
            public void raise(final String code, final String text)
            {
                conditions.put(code, text);
            }

            @Override
            public void clear(final String code)
            {
                conditions.remove(code);
            }
        };
    }

    /** The descriptions of the conditions that are raised now, by code. */
    public Map<String, String> raised()
    {
        return Map.copyOf(conditions);
    }

    /** One emitted row. */
    public record Row(List<Object> values, long timestampNs, byte kind)
    {
    }

    /** A sink of one query and thread. */
    public final class Output implements SequencedSink
    {
        private final String queryId;
        private final List<Row> rows = new ArrayList<>();
        private final List<Long> heartbeats = new ArrayList<>();
        private volatile boolean isClosed;

        Output(final String queryId)
        {
            this.queryId = queryId;
        }

        @Override
        public long receivedFrom(final String producer)
        {
            return receiver == null ? NOT_STORED : receiver.receivedFrom(producer);
        }

        @Override
        public synchronized void onBatch(final EventBatch batch)
        {
            if (isClosed)
            {
                return;
            }
            if (receiver != null)
            {
                receiver.onBatch(batch);
            }
            beforeCollect.accept(batch);
            if (batch.size() == 0)
            {
                heartbeats.add(batch.baseTimestampNs());
            }
            for (int row = 0; row < batch.size(); row++)
            {
                final List<Object> values = new ArrayList<>();
                for (int column = 0; column < batch.schema().columnCount(); column++)
                {
                    values.add(batch.value(column, row));
                }
                rows.add(new Row(values, batch.timestampNs(row), batch.kind(row)));
            }
        }

        public synchronized List<Row> rows()
        {
            return List.copyOf(rows);
        }

        public synchronized List<Long> heartbeats()
        {
            return List.copyOf(heartbeats);
        }
    }

    /** Passes all rows to a receiver that stores their numbers, too. */
    public TestWiring receivedBy(final Receiver one)
    {
        receiver = one;
        return this;
    }

    /** Outputs of queries that start later. */
    public DynamicOutputs dynamicOutputs()
    {
        return new DynamicOutputs()
        {
            @Override
            public void check(final QueryOutput output)
            {
                // The sinks accept all rows.
            }

            @Override
            public List<String> takers(final String queryId)
            {
                return List.of("all");
            }

            @Override
            public Map<String, EventBatchSink> open(final Map<String, BatchSchema> queries)
            {
                return openOutputs(List.copyOf(queries.keySet()));
            }

            @Override
            public void close(final EventBatchSink output)
            {
                ((Output)output).isClosed = true;
            }
        };
    }

    public void beforeCollect(final Consumer<EventBatch> action)
    {
        beforeCollect = action;
    }

    public void beforeReject(final Consumer<String> action)
    {
        beforeReject = action;
    }

    /** Rows of a query from all threads; the rows of one thread stay in order. */
    public List<Row> rows(final String queryId)
    {
        final List<Row> all = new ArrayList<>();
        for (final Output output : outputs)
        {
            if (output.queryId.equals(queryId))
            {
                all.addAll(output.rows());
            }
        }
        return all;
    }

    public List<Output> outputs()
    {
        return outputs;
    }

    /** Rows by the value of their first column, in order. */
    public Map<Object, List<List<Object>>> sequences(final String queryId)
    {
        final Map<Object, List<List<Object>>> found = new LinkedHashMap<>();
        for (final Row row : rows(queryId))
        {
            found.computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row.values());
        }
        return found;
    }

    public long rejected(final String reason)
    {
        return rejected.getOrDefault(reason, new AtomicLong()).get();
    }

    /** The detail of the first rejection for a reason. */
    public String detail(final String reason)
    {
        return details.get(reason);
    }

    public long rejected()
    {
        return rejected.values().stream().mapToLong(AtomicLong::get).sum();
    }

    public List<Thread> startedThreads()
    {
        return threads;
    }

    @Override
    public String qualifiedName()
    {
        return "app/proc";
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return task ->
        {
            final Thread thread = new Thread(task);
            thread.setDaemon(true);
            threads.add(thread);
            return thread;
        };
    }

    @Override
    public int workers()
    {
        return workers;
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return sources;
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        return sources == 1 ? channelId : null;
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        final Map<String, EventBatchSink> opened = new LinkedHashMap<>();
        for (final String queryId : queryIds)
        {
            final Output output = new Output(queryId);
            outputs.add(output);
            opened.put(queryId, output);
        }
        return opened;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        beforeReject.accept(reason);
        rejected.computeIfAbsent(reason, key -> new AtomicLong()).addAndGet(rows);
        details.putIfAbsent(reason, detail);
    }
}
