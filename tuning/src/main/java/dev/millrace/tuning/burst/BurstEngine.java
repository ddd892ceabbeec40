package dev.millrace.tuning.burst;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.SkippingClock;
import dev.millrace.tuning.harness.TickData;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * Bursts through a network: one thread has all events of a burst at once and sends them without pausing; a query keeps
 * them for {@value #WINDOW_SECONDS} seconds and publishes new ones. Afterwards the clock is set forward until all have
 * left. Not thread-safe.
 *
 * <pre>
 *   feed ─► ticks ─┬─► window: IStream(select ... from ticks[range 5 seconds]) ─► out ─► published
 *                  └─► store, if there is one
 * </pre>
 */
public final class BurstEngine implements AutoCloseable
{
    static final int WINDOW_SECONDS = 5;

    /** Event time after which everything has left. */
    static final long PAUSE_NS = (WINDOW_SECONDS + 1) * 1_000_000_000L;

    private final SkippingClock clock = new SkippingClock();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final BurstStore store;
    private final BenchNetwork network;
    private final BenchNetwork.Feed feed;
    private final BurstPump pump;
    private final EventBatch batch;
    private long sent;

    /**
     * Builds and starts the network.
     *
     * @param data  events to play
     * @param most  events of the greatest burst
     * @param store also receives every event; {@code null} for none. It is not closed here
     */
    public BurstEngine(final TickData data, final int most, final BurstStore store) throws DeploymentException
    {
        this.store = store;
        final BurstPump[] made = new BurstPump[1];
        network = new BenchNetwork(clock);
        feed = network.feed("pump", "ticks");
        network.channel("ticks", BenchQueries.TICK, ChannelStage.Queue.PASS_THROUGH,
            store == null ? new String[] {"window"} : new String[] {"window", "store"});
        network.processor("window", List.of(BenchNetwork.query("fresh", "IStream(select symbol, lastPrice from ticks" +
            "[range " + WINDOW_SECONDS + " seconds])")), Map.of(), "out");
        network.channel("out", BenchQueries.TICK, ChannelStage.Queue.PASS_THROUGH, "published");
        network.bean("published", (EventBatchSink)rows ->
        {
            // Heartbeats may arrive before the pump exists.
            if (rows.size() > 0)
            {
                made[0].onBatch(rows);
            }
        });
        if (store != null)
        {
            network.bean("store", store.sink());
        }
        network.start();
        batch = new EventBatch(feed.sender().schema());
        made[0] = new BurstPump(data, most);
        pump = made[0];
    }

    /**
     * Plays one burst and waits until it has left the window.
     *
     * @param events number of events
     * @throws InterruptedException  when the command is asked to stop
     * @throws IOException           when the store fails
     * @throws IllegalStateException when rows were lost
     */
    public Burst burst(final int events) throws InterruptedException, IOException
    {
        pump.begin();
        final long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        final long startNs = System.nanoTime();
        long insideNs = 0;
        for (int done = 0; done < events;)
        {
            final int rows = Math.min(EventBatch.CAPACITY, events - done);
            pump.fill(batch, rows);
            final long before = System.nanoTime();
            feed.sender().send(batch);
            insideNs += System.nanoTime() - before;
            done += rows;
        }
        final long insertNs = System.nanoTime() - startNs - insideNs;
        sent += events;
        final long endNs = store == null ? pump.lastNs() : Math.max(pump.lastNs(), store.awaitStored(sent));
        final long leaveNs = leave();
        final long allocatedBytes = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        if (pump.rows() != events || network.rejectedRows() != 0)
        {
            throw new IllegalStateException("a burst was not emitted completely, events=" + events + " published=" +
                pump.rows() + " rejected=" + network.rejectedRows());
        }
        return new Burst(events, insertNs, insideNs, endNs - startNs, pump.latencySumNs(), leaveNs,
            allocatedBytes);
    }

    /** Sets the clock forward and sends a heartbeat to the network. */
    private long leave()
    {
        clock.skip(PAUSE_NS);
        batch.clear();
        final long before = System.nanoTime();
        feed.sender().send(batch);
        return System.nanoTime() - before;
    }

    /** Checksum of everything published so far. */
    long checksum()
    {
        return pump.checksum();
    }

    @Override
    public void close()
    {
        network.close();
    }
}
