package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.Parts.ColumnSink;
import dev.millrace.network.Parts.ColumnSource;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.Predecessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A network continues with beans of its next version. */
@Tag("slow")
@Timeout(180)
class NetworkReplacementTest
{
    private static final int EXCHANGES = 200;

    /** Sends 0, 1, 2 and so on as fast as the network accepts them. */
    private static final class Sending extends Thread
    {
        private final ColumnSource source;
        private volatile boolean ends;
        private long sent;

        Sending(final ColumnSource source)
        {
            this.source = source;
            start();
        }

        @Override
        public void run()
        {
            while (!ends)
            {
                source.send(sent);
                sent++;
            }
        }

        /** Returns how many rows were sent. */
        long end() throws InterruptedException
        {
            ends = true;
            join();
            return sent;
        }
    }

    /** Records when it is closed. */
    private static final class ClosableSink extends ColumnSink implements DisposableBean
    {
        private volatile int closed;

        @Override
        public void destroy()
        {
            closed++;
        }
    }

    /**
     * Records its first and its last row, and whether a row does not follow the previous one. It stores no rows: a
     * source at full speed sends tens of millions while a busy machine replaces the sinks.
     */
    private static final class FollowingSink implements EventBatchSink, DisposableBean
    {
        private volatile long rows;
        private volatile int closed;
        private long firstId;
        private long lastId;
        private boolean hasGap;

        @Override
        public void onBatch(final EventBatch batch)
        {
            for (int i = 0; i < batch.size(); i++)
            {
                final long id = batch.longs(0)[i];
                if (rows == 0)
                {
                    firstId = id;
                }
                else
                {
                    hasGap |= id != lastId + 1;
                }
                lastId = id;
                rows++;
            }
        }

        @Override
        public void destroy()
        {
            closed++;
        }
    }

    private static TestNetwork network(final ColumnSource direct, final ColumnSource queued,
        final EventBatchSink first, final EventBatchSink second)
    {
        return new TestNetwork().adapter("in", direct, "direct").adapter("other", queued, "queued")
            .channel("direct", Parts.TICK, "first")
            .channel("queued", Parts.TICK, new ChannelStage.Queue(1, 64), TestNetwork.NO_HEARTBEAT, "second")
            .bean("first", first).bean("second", second);
    }

    /** Only adapters stay. */
    private static NetworkReplacement exchange(final Network network, final TestNetwork next) throws DeploymentException
    {
        return new NetworkReplacement(
            network, next.prepare(), id -> id.equals("in") || id.equals("other") ? null : "it is another object");
    }

    private static void assertEachRowOnce(final List<FollowingSink> sinks, final long sent)
    {
        long nextId = 0;
        for (final FollowingSink sink : sinks)
        {
            if (sink.rows > 0)
            {
                assertThat(sink.hasGap).as("rows are missing, duplicate or out of order in one sink").isFalse();
                assertThat(sink.firstId).as("first row of a sink").isEqualTo(nextId);
                nextId = sink.lastId + 1;
            }
        }
        assertThat(nextId).isEqualTo(sent);
    }

    @Test
    void shouldLoseNoRowAndPassNoneTwiceWhileSinksAreExchanged() throws Exception
    {
        final ColumnSource direct = new ColumnSource();
        final ColumnSource queued = new ColumnSource();
        final List<FollowingSink> firsts = new ArrayList<>(List.of(new FollowingSink()));
        final List<FollowingSink> seconds = new ArrayList<>(List.of(new FollowingSink()));
        final Network network = network(direct, queued, firsts.get(0), seconds.get(0)).start();
        final Sending one = new Sending(direct);
        final Sending two = new Sending(queued);
        for (int i = 1; i <= EXCHANGES; i++)
        {
            firsts.add(new FollowingSink());
            seconds.add(new FollowingSink());
            final NetworkReplacement exchange =
                exchange(network, network(direct, queued, firsts.get(i), seconds.get(i)));
            assertThat(exchange.obstacles()).isEmpty();
            exchange.activate(Predecessor.NONE);
            assertThat(exchange.apply()).isEmpty();
            exchange.end();
            final FollowingSink first = firsts.get(i);
            final FollowingSink second = seconds.get(i);
            TestNetwork.await("rows come", () -> first.rows > 0 && second.rows > 0);
        }
        final long sentDirect = one.end();
        final long sentQueued = two.end();
        network.stop();

        assertEachRowOnce(firsts, sentDirect);
        assertEachRowOnce(seconds, sentQueued);
        assertThat(TestNetwork.figure(network, "first", "rowsIn")).isEqualTo(sentDirect);
        assertThat(firsts).allMatch(sink -> sink.closed == 1);
    }

    /** A source that cannot be opened. */
    private static final class Refusing extends ColumnSource implements ActivatableBean
    {
        @Override
        public void afterConfigurationActive()
        {
            throw new IllegalStateException("made to refuse");
        }
    }

    @Test
    void shouldGoOnAsItWasWhenASourceThatComesRefuses() throws Exception
    {
        final ColumnSource source = new ColumnSource();
        final ColumnSource other = new ColumnSource();
        final ClosableSink sink = new ClosableSink();
        final Network network = network(source, other, sink, new ColumnSink()).start();
        source.send(1);
        final NetworkReplacement exchange = new NetworkReplacement(network,
            network(new Refusing(), other, new ClosableSink(), new ColumnSink()).prepare(),
            id -> id.equals("other") ? null : "it is another object");

        assertThatThrownBy(() -> exchange.activate(Predecessor.NONE)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("made to refuse");
        exchange.undo(() ->
        {
            // No source was closed.
        });

        source.send(2);
        assertThat(sink.ids).containsExactly(1L, 2L);
        assertThat(sink.closed).isZero();
        network.stop();
    }

    @Test
    void shouldGiveUpAndLetRowsFlowWhenASinkDoesNotReturn() throws Exception
    {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        final ColumnSource source = new ColumnSource();
        final ColumnSource other = new ColumnSource();
        final ColumnSink sink = new ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch)
            {
                ids.add(batch.longs(0)[0]);
                inside.countDown();
                try
                {
                    released.await(60, TimeUnit.SECONDS);
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }
        };
        final Network network = network(source, other, sink, new ColumnSink()).start();
        final Thread sender = new Thread(() -> source.send(1));
        sender.start();
        inside.await();
        final ClosableSink next = new ClosableSink();
        final NetworkReplacement exchange = exchange(network, network(source, other, next, new ColumnSink()));
        exchange.activate(Predecessor.NONE);

        assertThat(exchange.apply()).isNull();

        assertThat(exchange.obstacles()).containsExactly("rows inside it were not processed in time");
        exchange.undo(() ->
        {
            // No source was closed.
        });
        assertThat(next.closed).isEqualTo(1);
        released.countDown();
        sender.join();
        source.send(2);
        assertThat(sink.ids).containsExactly(1L, 2L);
        network.stop();
    }

    @Test
    void shouldNameWhyANetworkCannotGoOn() throws Exception
    {
        final ColumnSource source = new ColumnSource();
        final ColumnSource other = new ColumnSource();
        final Network network = network(source, other, new ColumnSink(), new ColumnSink()).start();
        final EventType wide = EventType.tuple("Tick", new EventProperty("id", CqlType.BIGINT));

        assertThat(exchange(network, new TestNetwork().adapter("in", source, "direct").adapter("other", other, "queued")
            .channel("direct", wide, "first")
            .channel("queued", Parts.TICK, new ChannelStage.Queue(1, 65), TestNetwork.NO_HEARTBEAT, "second")
            .channel("more", Parts.TICK, "second")
            .bean("first", new ColumnSink()).bean("second", new ColumnSink())).obstacles()).containsExactly(
                "channel direct has a different event type", "channel queued has different settings", "channel more "
                    + "is new");
        assertThat(exchange(network, new TestNetwork().adapter("in", source, "direct")
            .channel("direct", Parts.TICK, "first").bean("first", new ColumnSink())).obstacles()).containsExactly(
                "adapter other was removed", "channel queued was removed");
        network.stop();
    }
}
