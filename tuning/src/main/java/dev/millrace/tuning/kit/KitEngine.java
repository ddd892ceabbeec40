package dev.millrace.tuning.kit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.tuning.engine.BenchNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The statements in a network, and their measurement: the time from receiving a batch until the network returns, which
 * is when every statement has processed it and every resulting row is emitted.
 *
 * <pre>
 *   without queue:  thread of a client ─► meter ─► Market ─► statements ─► results ─► listener
 *   with queue:     thread of a client ─► arrivals (queue) ─► meter ─► Market ─► ...
 * </pre>
 *
 * <p>Threads: any thread may call {@link #take}; one at a time executes. Failure: {@link #rejectedRows}.
 */
final class KitEngine implements AutoCloseable
{
    /** Value of {@code -queue} without a queue. */
    static final int NO_QUEUE = -1;

    private final int batchRows;
    private final KitStatistics statistics;
    private final BenchNetwork network = new BenchNetwork(Clock.SYSTEM);
    private final BenchNetwork.Feed feed;
    private final Meter meter = new Meter();
    private final Listener listener;
    private final boolean isQueued;
    private final Object entrance = new Object();
    private final String[] tickers;

    /** Passes batches to the statements and measures the time. */
    private final class Meter implements EventBatchSink, EventBatchSource
    {
        private EventBatchSender sender;
        private EventBatch copy;

        @Override
        public void setBatchSender(final EventBatchSender toUse)
        {
            sender = toUse;
        }

        @Override
        public void onBatch(final EventBatch queued)
        {
            final int n = queued.size();
            if (n == 0)
            {
                return;
            }
            copy.texts(MarketData.TICKER).copyRows(queued.texts(MarketData.TICKER), 0, 0, n);
            System.arraycopy(queued.ints(MarketData.VOLUME), 0, copy.ints(MarketData.VOLUME), 0, n);
            System.arraycopy(queued.doubles(MarketData.PRICE), 0, copy.doubles(MarketData.PRICE), 0, n);
            System.arraycopy(queued.originsNs(), 0, copy.useOrigins(), 0, n);
            copy.size(n);
            measure(sender, copy);
        }

        /** Sets where batches are sent; called before events flow. */
        void ready()
        {
            copy = new EventBatch(sender.schema());
        }
    }

    /** Receives the rows of the statements, with the configured delay. */
    private static final class Listener implements EventBatchSink
    {
        private final long sleepMs;
        private volatile long rows;

        Listener(final long sleepMs)
        {
            this.sleepMs = sleepMs;
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            // One writer at a time: the network serializes the calls of a sink.
            rows = rows + batch.size();
            for (int i = 0; i < batch.size() && sleepMs > 0; i++)
            {
                sleep();
            }
        }

        private void sleep()
        {
            try
            {
                Thread.sleep(sleepMs);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Registers the statements.
     *
     * @param data       symbols
     * @param statements source text, none for an engine without work
     * @param queue      maximum number of waiting events, or {@link #NO_QUEUE}
     * @param batchRows  maximum number of events per batch
     * @param sleepMs    delay of the listener per row
     * @param statistics receives the times
     * @throws KitException when a statement is invalid
     */
    KitEngine(final MarketData data, final List<String> statements, final int queue, final int batchRows,
        final long sleepMs, final KitStatistics statistics)
    {
        tickers = IntStream.range(0, data.symbols()).mapToObj(data::ticker).toArray(String[]::new);
        this.batchRows = batchRows;
        this.statistics = statistics;
        listener = new Listener(sleepMs);
        isQueued = queue != NO_QUEUE;
        feed = network.feed("clients", isQueued ? "arrivals" : "Market");
        if (isQueued)
        {
            network.channel("arrivals", MarketData.TYPE, new ChannelStage.Queue(1, queue), "meter");
            network.bean("meter", meter, "Market");
        }
        wire(statements);
        try
        {
            network.start();
        }
        catch (final DeploymentException e)
        {
            throw new KitException(KitException.FAILED, "CMD-0173", "the statements cannot be registered: " +
                e.getMessage(), "they read ticker, volume and price from the stream Market and may emit ticker, " +
                "volume, price and vwap");
        }
        if (isQueued)
        {
            meter.ready();
        }
    }

    private void wire(final List<String> statements)
    {
        if (statements.isEmpty())
        {
            network.channel("Market", MarketData.TYPE, ChannelStage.Queue.PASS_THROUGH, "listener");
            network.bean("listener", (EventBatchSink)batch -> { });
            return;
        }
        final List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < statements.size(); i++)
        {
            rules.add(BenchNetwork.query("statement" + i, statements.get(i)));
        }
        network.channel("Market", MarketData.TYPE, ChannelStage.Queue.PASS_THROUGH, "statements");
        network.processor("statements", rules, Map.of(), "results");
        network.channel("results", MarketData.RESULT, ChannelStage.Queue.PASS_THROUGH, "listener");
        network.bean("listener", listener);
    }

    /** A batch for {@link #take}. */
    EventBatch batch()
    {
        return new EventBatch(feed.sender().schema());
    }

    /** Maximum rows of a batch for {@link #take}. */
    int batchRows()
    {
        return batchRows;
    }

    /** The ticker of a symbol, always the same object. */
    String ticker(final int symbol)
    {
        return tickers[symbol];
    }

    /** Processes a batch whose origins are the due times of its events; blocks while the queue is full. */
    void take(final EventBatch batch)
    {
        statistics.active().incrementAndGet();
        try
        {
            synchronized (entrance)
            {
                if (isQueued)
                {
                    feed.sender().send(batch);
                }
                else
                {
                    measure(feed.sender(), batch);
                }
            }
        }
        finally
        {
            statistics.active().decrementAndGet();
        }
    }

    private void measure(final EventBatchSender sender, final EventBatch batch)
    {
        final long beganNs = System.nanoTime();
        sender.send(batch);
        statistics.add(beganNs, System.nanoTime(), batch.originsNs(), batch.size());
    }

    /** Number of waiting events. */
    long pending()
    {
        return isQueued ? ((Number)network.statistics("arrivals").get("queuedRows")).longValue() : 0;
    }

    /** Rows that statements have emitted. */
    long rowsOut()
    {
        return listener.rows;
    }

    /** Rows that any stage has rejected. */
    long rejectedRows()
    {
        return network.rejectedRows();
    }

    /** Stops the network; queued events are processed first. */
    void stop()
    {
        network.close();
    }

    @Override
    public void close()
    {
        stop();
    }
}
