package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ignite.TestKeys;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.cluster.partition.link.AckRelay;
import dev.millrace.cluster.partition.link.Connection;
import dev.millrace.cluster.trust.ClusterTls;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import dev.millrace.network.spi.RemoteInput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Members of a partitioned channel in rare interleavings. */
@Tag("slow")
@Timeout(120)
class PartitionRacesTest
{
    private static final int ROWS = 100;

    @TempDir
    private Path directory;

    private final Ledger ledger = new Ledger();
    private final List<PartitionMember> members = new ArrayList<>();
    private final ExecutorService other = Executors.newCachedThreadPool();
    private final long[] sent = new long[Ledger.SYMBOLS];
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        members.forEach(PartitionMember::close);
        other.shutdownNow();
    }

    private PartitionMember member(final String name, final String... groups) throws Exception
    {
        final PartitionMember made = new PartitionMember(ports, directory, name, groups);
        members.add(made);
        return made;
    }

    private void send(final PartitionMember from)
    {
        final int[] symbols = new int[ROWS];
        for (int i = 0; i < ROWS; i++)
        {
            symbols[i] = i % Ledger.SYMBOLS;
        }
        from.network.sources.get(0).send(symbols, sent, ROWS);
    }

    private void awaitAll(final int source)
    {
        PartitionMember.await("all rows of source " + source, () ->
        {
            for (int symbol = 0; symbol < Ledger.SYMBOLS; symbol++)
            {
                if (ledger.last(source, symbol) != sent[symbol])
                {
                    return false;
                }
            }
            return true;
        });
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldReachAnOwnerThatStoodInTheTableBeforeItWasSeen() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
        one.awaitOwners(2);
        two.awaitOwners(2);
        final ClusterView before = two.cluster.view();
        two.staged.look = view -> before;
        final PartitionMember three = member("three").run(TestNetwork.TRADE, 2, 1, ledger.sink("three"));
        three.awaitOwners(3);
        PartitionMember.await("the second member applies the table", () ->
            two.network.partitions().get("members") instanceof List<?> owners && owners.size() == 3);
        two.staged.look = UnaryOperator.identity();
        send(two);
        awaitAll(1);
        assertThat(ledger.rows.get()).isEqualTo(ROWS);
        assertThat(three.network.partitions("rowsReceived")).isPositive();
    }

    @Test
    void shouldTakeRowsOnceFromAMemberThatCameDuringALook() throws Exception
    {
        final CountDownLatch arrived = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final var sink = ledger.sink("one");
        final PartitionMember one = member("one", "strategy")
            .run(TestNetwork.TRADE, "strategy", TestNetwork.NO_HEARTBEAT, 0, 1, batch ->
            {
                arrived.countDown();
                awaitQuietly(goOn);
                sink.onBatch(batch);
            }).awaitOwners(1);
        final CountDownLatch looks = new CountDownLatch(1);
        final CountDownLatch lookOn = new CountDownLatch(1);
        final AtomicInteger count = new AtomicInteger();
        one.staged.look = view ->
        {
            if (count.getAndIncrement() == 0)
            {
                looks.countDown();
                awaitQuietly(lookOn);
            }
            return view;
        };
        looks.await();
        final PartitionMember two = member("two")
            .run(TestNetwork.TRADE, "strategy", TestNetwork.NO_HEARTBEAT, 1, 1, ledger.sink("two"));
        final Future<?> sending = other.submit(() -> send(two));
        arrived.await();
        lookOn.countDown();
        PartitionMember.await("the scan that did not see the other member has ended", () -> count.get() > 1);
        goOn.countDown();
        sending.get(60, TimeUnit.SECONDS);
        awaitAll(1);
        two.network.network().suspend();
        assertThat(ledger.again.get()).isZero();
        assertThat(ledger.rows.get()).isEqualTo(ROWS);
    }

    /** The last acknowledgement is written a moment after the marker behind it was received. */
    @Test
    void shouldNotLeaveBeforeItsLastAcknowledgementsWereRead() throws Exception
    {
        try (AckRelay relay = new AckRelay())
        {
            final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
            final PartitionMember two = member("two");
            two.staged.shownPort = relay::leadTo;
            two.run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
            one.awaitOwners(2);
            two.awaitOwners(2);
            send(one);
            awaitAll(0);
            relay.hold();
            send(one);
            awaitAll(0);
            final Future<?> leaving = other.submit(() ->
            {
                two.network.network().suspend();
                return null;
            });
            final ReplicatedMap map = one.cluster.map(LinkServer.MAP);
            final AssignmentStore state = new AssignmentStore(map, "shop", "trades");
            PartitionMember.await("the second member has released its partitions", () ->
                isReleased(map.get("channel/shop/trades/member/two"), state.table().now()));
            final AtomicInteger looks = new AtomicInteger();
            two.staged.look = view ->
            {
                looks.incrementAndGet();
                return view;
            };
            PartitionMember.await("two more scans", () -> leaving.isDone() || looks.get() > 2);
            assertThat(leaving.isDone()).as("has left before the first member knew what it had processed").isFalse();
            relay.letGo();
            leaving.get(60, TimeUnit.SECONDS);
            one.awaitOwners(1);
            assertThat(one.network.partitions("rowsRerouted")).isZero();
            send(one);
            awaitAll(0);
            assertThat(ledger.again.get()).as(ledger.repeats::toString).isZero();
            assertThat(ledger.rows.get()).isEqualTo(3 * ROWS);
        }
    }

    /** Whether a member without partitions has published its release or has left. */
    private static boolean isReleased(final byte[] json, final PartitionAssignment now)
    {
        return json == null || now.owners().size() == 1 && Registration.of(json).released() >= now.epoch();
    }

    @Test
    void shouldOwnPartitionsAgainWhenItJoinsBeforeItHasLeft() throws Exception
    {
        final CountDownLatch leaving = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final AtomicInteger calls = new AtomicInteger();
        final RemoteInput entrance = new Below(partitions ->
        {
            leaving.countDown();
            awaitQuietly(goOn);
            // Once, rows below do not finish in time.
            return calls.getAndIncrement() > 0;
        });
        try (PartitionedChannel channel = member("one").partitions.open(terms(), entrance))
        {
            channel.join();
            awaitOpen(channel, 1);
            final Future<Boolean> left = other.submit(() -> channel.leave(TimeUnit.SECONDS.toNanos(5)));
            assertThat(leaving.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(left.get(60, TimeUnit.SECONDS)).isFalse();
            channel.join();
            goOn.countDown();
            // There was no owner in the second epoch.
            awaitOpen(channel, 3);
            assertThat(channel.statistics().get("owned")).isEqualTo(PartitionHash.PARTITIONS);
        }
    }

    @Test
    void shouldSayThatAStageHoldsAChannelThatEnds() throws Exception
    {
        final CountDownLatch leaving = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final RemoteInput entrance = new Below(partitions ->
        {
            leaving.countDown();
            awaitQuietly(goOn);
            return true;
        });
        final Logger logger = (Logger)LoggerFactory.getLogger(RebalanceLoop.class);
        final ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try
        {
            final PartitionedChannel channel = member("one").partitions.open(terms(), entrance);
            channel.join();
            awaitOpen(channel, 1);
            // Runs until the channel is closed; a timeout before that would leave without asking the stages below.
            final Future<Boolean> left = other.submit(() -> channel.leave(TimeUnit.SECONDS.toNanos(60)));
            assertThat(leaving.await(60, TimeUnit.SECONDS)).isTrue();
            channel.close();
            assertThat(List.copyOf(log.list)).anySatisfy(event -> assertThat(event.getFormattedMessage())
                .contains("CLU-0412", "channel=shop/trades", "awaitQuietly"));
            assertThat(left.isDone()).isFalse();
        }
        finally
        {
            goOn.countDown();
            logger.detachAppender(log);
        }
    }

    @Test
    void shouldForgetWhatGoesToAnotherMember() throws Exception
    {
        final BitSet forgotten = new BitSet();
        final RemoteInput entrance = new Below(partitions ->
        {
            synchronized (forgotten)
            {
                forgotten.or(partitions);
            }
            return true;
        });
        try (PartitionedChannel one = member("one").partitions.open(terms(), entrance))
        {
            one.join();
            awaitOpen(one, 1);
            try (PartitionedChannel two = member("two").partitions.open(terms(), new Below(partitions -> true)))
            {
                two.join();
                awaitOpen(two, 2);
                final int moved = (int)two.statistics().get("owned");
                assertThat(moved).isBetween(1, PartitionHash.PARTITIONS - 1);
                PartitionMember.await("state of partitions of the other member is discarded", () ->
                {
                    synchronized (forgotten)
                    {
                        return forgotten.cardinality() == moved;
                    }
                });
            }
        }
    }

    private static Terms terms()
    {
        return new Terms("shop", "trades", new BatchSchema(TestNetwork.TRADE), 1,
            Member.ALL_MEMBERS, false);
    }

    private static void awaitOpen(final PartitionedChannel channel, final long epoch)
    {
        PartitionMember.await("epoch " + epoch, () ->
        {
            final Map<String, Object> figures = channel.statistics();
            return figures.get("epoch") instanceof Number now && now.longValue() >= epoch &&
                Boolean.TRUE.equals(figures.get("open"));
        });
    }

    /** Stages with state of partitions; no rows are sent to them. */
    private record Below(Predicate<BitSet> keeper) implements RemoteInput
    {
        @Override
        public RemoteWay open()
        {
            throw new AssertionError("no rows are sent");
        }

        @Override
        public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
        {
            return keeper.test(partitions);
        }

        @Override
        public boolean takeOver(final BitSet partitions, final String stage, final byte[] state)
        {
            throw new AssertionError("no state was stored");
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            assertThat(rows).isZero();
        }
    }

    @Test
    void shouldRefuseEachChannelWhileItCannotListen() throws Exception
    {
        final PartitionMember one = member("one");
        // An address of a documentation network: no host has it.
        final ClusterSettings elsewhere = new ClusterSettings("shop", "one", Member.NO_IDENTITY, Set.of(),
            "192.0.2.1", ports.addresses(), ports.ports(), TestPorts.FAILURE_DETECTION_MS, null,
            directory.resolve("elsewhere"), TestPorts.SECRET);
        final Terms terms = terms();
        try (ClusterPartitionedChannels partitions = new ClusterPartitionedChannels(one.cluster, elsewhere))
        {
            for (int i = 0; i < 2; i++)
            {
                assertThatThrownBy(() -> partitions.open(terms, null)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("CLU-0410").hasMessageContaining("192.0.2.1");
            }
        }
    }

    @Test
    void shouldEndAnEncryptedConnectionToOneThatTakesNothing() throws Exception
    {
        final ClusterSettings.Tls tls = TestKeys.make(directory.resolve("cluster.p12"));
        final ClusterSettings settings = ports.member(directory, "secure", Member.NO_IDENTITY, tls);
        final LinkServer links = new LinkServer(settings);
        try (ServerSocket still = ClusterTls.context(settings).getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getByName("127.0.0.1")))
        {
            final Future<Socket> accepted = other.submit(() ->
            {
                final Socket socket = still.accept();
                ((SSLSocket)socket).startHandshake();
                return socket;
            });
            final Connection connection = links.connect("127.0.0.1", still.getLocalPort());
            final AtomicLong written = new AtomicLong();
            final Future<?> writing = other.submit(() -> write(connection, written));
            try (Socket silent = accepted.get(60, TimeUnit.SECONDS))
            {
                awaitStandstill(written);
                other.submit(connection::cut).get(60, TimeUnit.SECONDS);
                assertThatThrownBy(() -> writing.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
                assertThat(silent.isConnected()).isTrue();
            }
        }
    }

    private static Void write(final Connection connection, final AtomicLong written) throws IOException
    {
        final OutputStream out = connection.socket().getOutputStream();
        final byte[] some = new byte[1 << 16];
        while (true)
        {
            out.write(some);
            written.addAndGet(some.length);
        }
    }

    /** Waits until nothing more is accepted for some time: the buffers are full. */
    private static void awaitStandstill(final AtomicLong written)
    {
        final long[] seen = {-1, System.nanoTime()};
        PartitionMember.await("full buffers", () ->
        {
            if (written.get() != seen[0])
            {
                seen[0] = written.get();
                seen[1] = System.nanoTime();
            }
            return written.get() > 0 && System.nanoTime() - seen[1] > TimeUnit.MILLISECONDS.toNanos(500);
        });
    }
}
