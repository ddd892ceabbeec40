package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A source with its thread, and a receiver that may store the numbers of rows and survive a kill of the source. */
final class RunningSource implements AutoCloseable
{
    /** The stored rows of a stage, which outlive the process of a source. */
    static final class Receiver
    {
        final List<List<Object>> rows = new ArrayList<>();
        final Map<String, Long> numbers = new HashMap<>();
        boolean isStoring;
        /** Rows that were received again although they were stored. */
        int repeated;
        /** Number of rows after which the source is killed. */
        int killAfter = Integer.MAX_VALUE;

        synchronized List<Object> column(final int index)
        {
            return new ArrayList<>(rows.stream().map(row -> row.get(index)).toList());
        }

        synchronized int size()
        {
            return rows.size();
        }
    }

    /** Ends the thread of the source at once. */
    private static final class Killed extends Error
    {
        private static final long serialVersionUID = 1L;
    }

    final KafkaSource source;
    final TestStage stage;
    final Receiver receiver;
    final List<String> rejections = new ArrayList<>();
    private final EventType type;
    private Thread thread;

    RunningSource(final String servers, final EventType type, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        this(name -> name.equals("password") ? "pass\"word" : null, servers, type, receiver, properties);
    }

    RunningSource(final NamedSecrets secrets, final String servers, final EventType type, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        this.type = type;
        this.receiver = receiver;
        source = new KafkaSource(secrets);
        stage = new TestStage(type);
        source.setStageContext(stage);
        source.setServers(servers);
        source.setCommitMillis(10);
        source.setMaxRetryMillis(100);
        source.setAnswerMillis(8_000);
        source.setBatchSender(new Sender());
        properties.accept(source);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
    }

    private final class Sender implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(type);

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public void send(final EventBatch batch)
        {
            synchronized (receiver)
            {
                for (int row = 0; row < batch.size(); row++)
                {
                    if (receiver.rows.size() >= receiver.killAfter)
                    {
                        throw new Killed();
                    }
                    add(batch, row);
                }
            }
        }

        private void add(final EventBatch batch, final int row)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < type.properties().size(); column++)
            {
                values.add(batch.value(column, row));
            }
            if (receiver.isStoring)
            {
                final long sequence = batch.sequences()[row];
                final String producer = Producers.name(RowSequence.producer(sequence));
                if (RowSequence.number(sequence) <= receiver.numbers.getOrDefault(producer, 0L))
                {
                    receiver.repeated++;
                    return;
                }
                receiver.numbers.put(producer, RowSequence.number(sequence));
            }
            receiver.rows.add(values);
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            synchronized (rejections)
            {
                rejections.add(reason + " " + detail);
            }
        }

        @Override
        public long receivedFrom(final String producer)
        {
            synchronized (receiver)
            {
                return receiver.isStoring ? receiver.numbers.getOrDefault(producer, 0L) : SequencedSink.NOT_STORED;
            }
        }

        @Override
        public EventBatchSender another()
        {
            return new Sender();
        }
    }

    RunningSource start()
    {
        thread = new Thread(() ->
        {
            try
            {
                source.run();
            }
            catch (final Killed e)
            {
                // As after kill -9: nothing is committed.
            }
        }, "source");
        thread.setUncaughtExceptionHandler((failed, e) -> stage.raised.put("thread", e.toString()));
        thread.start();
        return this;
    }

    /** Waits until the thread of the source ends, because it was told to or killed. */
    RunningSource join() throws InterruptedException
    {
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).as("statistics: %s", figures()).isFalse();
        assertThat(stage.raised).doesNotContainKey("thread");
        return this;
    }

    void suspend() throws InterruptedException
    {
        source.suspend();
        join();
    }

    RunningSource resume()
    {
        source.beforeResume();
        return start();
    }

    Map<String, Object> figures()
    {
        return source.statistics();
    }

    List<String> rejections()
    {
        synchronized (rejections)
        {
            return new ArrayList<>(rejections);
        }
    }

    void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("%s, rows: %s, statistics: %s, raised: %s", what, receiver.size(),
                figures(), stage.raised).isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    void awaitRows(final int count) throws InterruptedException
    {
        await(count + " rows", () -> receiver.size() >= count);
    }

    @Override
    public void close()
    {
        source.destroy();
        try
        {
            if (thread != null)
            {
                join();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
