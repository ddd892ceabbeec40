package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.TestKeys;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.partition.link.HandshakeRequest;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.partition.PartitionHash;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Members of a partitioned channel under faults. */
@Tag("slow")
@Timeout(120)
class PartitionFaultsTest
{
    private static final int SILENT = 300;
    private static final int ROUNDS = 400;
    private static final int ROWS = 100;

    @TempDir
    private Path directory;

    private final Ledger ledger = new Ledger();
    private final List<PartitionMember> members = new ArrayList<>();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
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

    /** Sends rounds of rows for all symbols. */
    private void send(final PartitionMember from, final int rounds)
    {
        final int[] symbols = new int[ROWS];
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < ROWS; i++)
            {
                symbols[i] = (round * ROWS + i) % Ledger.SYMBOLS;
            }
            from.network.sources.get(0).send(symbols, sent, ROWS);
        }
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

    @Test
    void shouldRejectRowsOfAMemberWithAnotherEventType() throws Exception
    {
        final Ledger old = new Ledger();
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.OLD_TRADE, 1, 1, old.sink("two"));
        one.awaitOwners(2);
        two.awaitOwners(2);
        send(one, ROUNDS);
        final long refused = one.network.rejected("partition-refused");
        assertThat(refused).isPositive();
        assertThat(ledger.rows.get()).isEqualTo((long)ROUNDS * ROWS - refused);
        assertThat(old.rows.get()).as("rows of different types are not mixed").isZero();
        assertThat(ledger.again.get()).isZero();
    }

    @Test
    void shouldHoldTheSourceBackWhileAnOwnerStandsStill() throws Exception
    {
        final CountDownLatch goOn = new CountDownLatch(1);
        final EventBatchSink sink = ledger.sink("two");
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 1, batch ->
        {
            awaitQuietly(goOn);
            sink.onBatch(batch);
        });
        one.awaitOwners(2);
        two.awaitOwners(2);
        final Future<?> sending = other.submit(() -> send(one, 4 * ROUNDS));
        PartitionMember.await("the source waits", () -> one.network.partitions("waits") > 3);
        assertThat(sending.isDone()).isFalse();
        goOn.countDown();
        sending.get(60, TimeUnit.SECONDS);
        awaitAll(0);
        assertThat(ledger.rows.get()).isEqualTo(4L * ROUNDS * ROWS);
        assertThat(ledger.gaps).isEmpty();
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
    void shouldTakeEachRowOnceAlthoughConnectionsBreak() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
        one.awaitOwners(2);
        two.awaitOwners(2);
        for (int i = 0; i < 10; i++)
        {
            final Future<?> sending = other.submit(() -> send(one, ROUNDS));
            final long seen = ledger.rows.get();
            PartitionMember.await("some rows", () -> ledger.rows.get() > seen || sending.isDone());
            two.partitions.cutConnections();
            sending.get(60, TimeUnit.SECONDS);
        }
        awaitAll(0);
        assertThat(ledger.gaps).isEmpty();
        assertThat(ledger.again.get()).isZero();
        assertThat(ledger.rows.get()).isEqualTo(10L * ROUNDS * ROWS);
    }

    @Test
    void shouldTurnAwayWhoDoesNotKnowTheSecret() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one")).awaitOwners(1);
        final int port = one.partitions.port();
        final HandshakeRequest hello = new HandshakeRequest("shop", "trades", "any", "stranger", "one", 7);
        try (Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), port))
        {
            assertThatThrownBy(() -> Handshake.ask(stranger, new byte[32], hello)).isInstanceOf(IOException.class)
                .hasMessageContaining("not a member of this cluster");
        }
        try (Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), port))
        {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(stranger.getInputStream().read()).as("closed without a response").isEqualTo(-1);
        }
        final byte[] secret = one.settings.secret().key("links");
        try (Socket unknown = new Socket(InetAddress.getByName("127.0.0.1"), port))
        {
            assertThatThrownBy(() -> Handshake.ask(unknown, secret, hello)).isInstanceOf(Handshake.Refused.class)
                .hasMessageContaining("a different event type");
        }
        send(one, 3);
        awaitAll(0);
    }

    @Test
    void shouldSayThatItWillNotTellOfMoreStrangers() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one")).awaitOwners(1);
        final Queue<String> said;
        try (Ear ear = new Ear(LinkServer.class))
        {
            said = ear.said;
            for (int i = 0; i < 12; i++)
            {
                try (Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), one.partitions.port()))
                {
                    stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    assertThat(stranger.getInputStream().read()).isEqualTo(-1);
                }
            }
            one.close();
            members.remove(one);
        }
        assertThat(said).hasSize(11).allMatch(line -> line.startsWith("CLU-0408") && line.contains("member=one"));
        assertThat(said).filteredOn(line -> line.contains("are logged at debug level only")).singleElement()
            .asString().contains("number=10");
    }

    /** Collects the warnings of a class. */
    private static final class Ear extends AppenderBase<ILoggingEvent> implements AutoCloseable
    {
        private final Logger logger;
        private final Queue<String> said = new ConcurrentLinkedQueue<>();

        Ear(final Class<?> speaker)
        {
            logger = (Logger)LoggerFactory.getLogger(speaker);
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(final ILoggingEvent event)
        {
            if (event.getLevel() == Level.WARN)
            {
                said.add(event.getFormattedMessage());
            }
        }

        @Override
        public void close()
        {
            logger.detachAppender(this);
        }
    }

    /** Any number of unauthenticated connections: members still connect, and sources do not wait. */
    @Test
    void shouldTakeMembersInWhileManySayNotWhoTheyAre() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one")).awaitOwners(1);
        final List<Socket> silent = new ArrayList<>();
        try (Ear ear = new Ear(LinkServer.class))
        {
            for (int i = 0; i < SILENT; i++)
            {
                silent.add(new Socket(InetAddress.getByName("127.0.0.1"), one.partitions.port()));
            }
            assertThat(silent.get(0).getInputStream().read()).as("the oldest was evicted").isEqualTo(-1);
            assertThat(ear.said).first().asString().contains("CLU-0408", "member=one",
                "from=/127.0.0.1:" + silent.get(0).getLocalPort(), "more than 64 unauthenticated connections");
            final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
            for (int i = 0; i < SILENT; i++)
            {
                silent.add(new Socket(InetAddress.getByName("127.0.0.1"), two.partitions.port()));
            }
            one.awaitOwners(2);
            two.awaitOwners(2);
            send(one, ROUNDS);
            awaitAll(0);
            assertThat(two.network.partitions("rowsReceived")).isPositive();
        }
        finally
        {
            for (final Socket each : silent)
            {
                each.close();
            }
        }
    }

    @Test
    void shouldNotGiveRowsToWhoDoesNotKnowTheSecret() throws Exception
    {
        try (ServerSocket impostor = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1")))
        {
            final Future<?> answering = other.submit(() ->
            {
                try (Socket caller = impostor.accept())
                {
                    return Handshake.answer(caller, new byte[32]);
                }
            });
            try (Socket mine = new Socket(InetAddress.getByName("127.0.0.1"), impostor.getLocalPort()))
            {
                final byte[] secret = new byte[32];
                secret[5] = 1;
                assertThatThrownBy(() -> Handshake.ask(mine, secret, new HandshakeRequest("a", "b", "c", "d", "e", 1)))
                    .isInstanceOf(IOException.class).hasMessageContaining("not a member");
            }
            assertThatThrownBy(() -> answering.get(60, TimeUnit.SECONDS)).hasRootCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldOnlySendFromAMemberOutsideTheGroup() throws Exception
    {
        final Ledger outside = new Ledger();
        final PartitionMember one = member("one", "strategy")
            .run(TestNetwork.TRADE, "strategy", TestNetwork.NO_HEARTBEAT, 0, 1, ledger.sink("one"));
        one.awaitOwners(1);
        final PartitionMember two = member("two")
            .run(TestNetwork.TRADE, "strategy", TestNetwork.NO_HEARTBEAT, 1, 1, outside.sink("two"));
        send(two, ROUNDS);
        awaitAll(1);
        assertThat(ledger.rows.get()).isEqualTo((long)ROUNDS * ROWS);
        assertThat(outside.rows.get()).isZero();
        assertThat(one.network.partitions("owned")).isEqualTo(1024);
    }

    @Test
    void shouldSayWhyRowsWaitWhenNobodyIsInTheGroupAndGoOnWhenSomebodyIs() throws Exception
    {
        final PartitionMember one = member("one", "strategy")
            .run(TestNetwork.TRADE, "stragety", TestNetwork.NO_HEARTBEAT, 0, 1, ledger.sink("one"));
        final Future<?> sending;
        try (Ear ear = new Ear(RebalanceLoop.class))
        {
            sending = other.submit(() -> send(one, ROUNDS));
            PartitionMember.await("words", () -> !ear.said.isEmpty());
            assertThat(ear.said).singleElement().asString()
                .contains("CLU-0414", "channel=shop/trades", "partition-group=stragety", "groups=[strategy]");
        }
        assertThat(sending.isDone()).as("no row is dropped").isFalse();
        member("two", "stragety")
            .run(TestNetwork.TRADE, "stragety", TestNetwork.NO_HEARTBEAT, 1, 1, ledger.sink("two"));
        sending.get(60, TimeUnit.SECONDS);
        awaitAll(0);
        assertThat(ledger.rows.get()).isEqualTo((long)ROUNDS * ROWS);
    }

    @Test
    void shouldRejectRowsWhileItIsFencedAndGoOnAfterwards() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one")).awaitOwners(1);
        send(one, 10);
        assertThat(ledger.rows.get()).isEqualTo(10L * ROWS);
        one.staged.holdsLease = false;
        send(one, 10);
        assertThat(one.network.rejected("fenced")).isEqualTo(10L * ROWS);
        assertThat(ledger.rows.get()).isEqualTo(10L * ROWS);
        one.staged.holdsLease = true;
        one.awaitOwners(1);
        send(one, 10);
        assertThat(ledger.rows.get()).isEqualTo(20L * ROWS);
    }

    @Test
    void shouldLetTimePassOnTheOwnerWhenASourceElsewhereIsSilent() throws Exception
    {
        final List<Long> beats = Collections.synchronizedList(new ArrayList<>());
        final ChannelStage.Time bySeq = new ChannelStage.Time("seq", false, 0);
        final PartitionMember one = member("one").run(TestNetwork.TRADE, Member.ALL_MEMBERS, bySeq, 0, 1, batch ->
        {
            // Rows of this member are ignored here.
        });
        final PartitionMember two = member("two").run(TestNetwork.TRADE, Member.ALL_MEMBERS, bySeq, 1, 1, batch ->
            beats.add(batch.size() == 0 ? batch.baseTimestampNs() : -1));
        one.awaitOwners(2);
        two.awaitOwners(2);
        // One row for a partition of the second member, so that it knows the source. All later rows belong to the first
        // member.
        final long[] first = new long[Ledger.SYMBOLS];
        one.network.sources.get(0).send(new int[] {symbolOf(1)}, first, 1);
        PartitionMember.await("the row", () -> beats.contains(-1L));
        beat(two, 200);
        final long[] later = new long[Ledger.SYMBOLS];
        later[symbolOf(0)] = 99;
        one.network.sources.get(0).send(new int[] {symbolOf(0)}, later, 1);
        PartitionMember.await("a heartbeat", () -> beats.contains(100L));
        assertThat(beats).as("never later than the slowest").allMatch(time -> time <= 100);
    }

    private static void beat(final PartitionMember member, final long timeNs)
    {
        final EventBatch heartbeat = new EventBatch(member.network.sources.get(0).sender.schema());
        heartbeat.baseTimestampNs(timeNs);
        member.network.sources.get(0).sender.send(heartbeat);
    }

    /** A symbol owned by the first or the second of two members. */
    private static int symbolOf(final int member)
    {
        final short[] ownerOf = new PartitionAssignment(1,
            List.of(new Owner("one", ""), new Owner("two", ""))).ownerOf();
        int symbol = 0;
        while (ownerOf[PartitionHash.partition(
            PartitionHash.hash(("S" + symbol).getBytes(StandardCharsets.UTF_8)))] != member)
        {
            symbol++;
        }
        return symbol;
    }

    @Test
    void shouldEncryptLinksAsTheClusterIs() throws Exception
    {
        final Tls tls = TestKeys.make(directory.resolve("cluster.p12"));
        final PartitionMember one = secure("one", tls).run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = secure("two", tls).run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
        one.awaitOwners(2);
        two.awaitOwners(2);
        send(one, ROUNDS);
        awaitAll(0);
        assertThat(two.network.partitions("rowsReceived")).isPositive();
        final byte[] secret = one.settings.secret().key("links");
        try (Socket plain = new Socket(InetAddress.getByName("127.0.0.1"), one.partitions.port()))
        {
            assertThatThrownBy(() ->
                Handshake.ask(plain, secret, new HandshakeRequest("shop", "trades", "", "", "", 1)))
                .isInstanceOf(IOException.class);
        }
    }

    private PartitionMember secure(final String name, final Tls tls) throws Exception
    {
        final PartitionMember made = new PartitionMember(ports.member(directory, name, Member.NO_IDENTITY, tls));
        members.add(made);
        return made;
    }

    @Test
    void shouldListenOnLoopbackAlone() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one")).awaitOwners(1);
        assertThat(one.partitions.address().isLoopbackAddress()).isTrue();
        final Map<String, byte[]> documents = one.cluster.map(LinkServer.MAP).all();
        assertThat(documents.keySet()).anyMatch(name -> name.endsWith("/member/one"));
        one.network.network().stop();
        PartitionMember.await("no registration", () -> one.cluster.map(LinkServer.MAP).all().keySet().stream()
            .noneMatch(name -> name.endsWith("/member/one")));
    }
}
