package dev.millrace.adapter.mqtt.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.mqtt.Broker;
import dev.millrace.adapter.mqtt.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.io.IOException;
import java.util.ArrayList;
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
        long number;
        boolean isStoring;
        /** Rows above this number of rows are received, but not stored. */
        int storeAtMost = Integer.MAX_VALUE;
        /** Number of rows after which the source is killed. */
        int killAfter = Integer.MAX_VALUE;

        synchronized List<List<Object>> rows()
        {
            return new ArrayList<>(rows);
        }

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

    final MqttSource source;
    final TestStage stage;
    final Receiver receiver;
    final List<String> rejections = new ArrayList<>();
    private final EventType type;
    private Thread thread;

    RunningSource(final Broker broker, final EventType type, final Receiver receiver,
        final Consumer<MqttSource> properties)
    {
        this.type = type;
        this.receiver = receiver;
        source = new MqttSource(name -> null);
        stage = new TestStage(type);
        source.setStageContext(stage);
        source.setUrl(broker.url());
        source.setMaxRetryMillis(20);
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
            final long number = batch.hasSequences() ? RowSequence.number(batch.sequences()[row]) : 0;
            if (receiver.isStoring)
            {
                assertThat(number).isGreaterThan(receiver.number);
                if (receiver.rows.size() >= receiver.storeAtMost)
                {
                    return;
                }
                receiver.number = number;
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
            assertThat(producer).isEqualTo("app/mqtt/mqtt");
            synchronized (receiver)
            {
                return receiver.isStoring ? receiver.number : SequencedSink.NOT_STORED;
            }
        }

        @Override
        public EventBatchSender another()
        {
            throw new UnsupportedOperationException("the source has one thread");
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
                // As after kill -9: nothing else happens.
            }
        }, "source");
        thread.setUncaughtExceptionHandler((failed, e) -> stage.raised.put("thread", e.toString()));
        thread.start();
        return this;
    }

    /** Waits until the source was killed or suspended. */
    RunningSource join() throws InterruptedException
    {
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).as("statistics: %s", figures()).isFalse();
        return this;
    }

    Map<String, Object> figures()
    {
        return source.statistics();
    }

    long figure(final String name)
    {
        return (Long)figures().get(name);
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
            assertThat(System.nanoTime()).as("%s, statistics: %s raised: %s", what, figures(), stage.raised)
                .isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    void awaitRows(final int count) throws InterruptedException
    {
        await(count + " rows", () -> receiver.size() >= count);
    }

    /** Waits until the source has subscribed. */
    RunningSource awaitConnection() throws InterruptedException
    {
        await("the connection", () -> (Boolean)figures().get("connected"));
        return this;
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            source.destroy();
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
