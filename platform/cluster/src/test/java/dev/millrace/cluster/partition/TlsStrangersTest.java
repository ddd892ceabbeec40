package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.TestKeys;
import dev.millrace.cluster.ignite.TestPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Plain-text clients and invalid data on each kind of port of members that encrypt. */
@Tag("slow")
@Timeout(120)
class TlsStrangersTest
{
    private static final int ROWS = 100;
    private static final int CLOSED_MS = 60_000;
    /** A plain-text request, bytes of no protocol, and invalid data that starts like TLS. */
    private static final List<String> WORDS = List.of("GET / HTTP/1.1\r\nHost: here\r\n\r\n",
        "\0\0\1\2\3\4\5\6\7\0\0\1\2\3\4\5\6\7\0\0\1\2\3\4\5\6\7", "\26\3\1\0\20abcdefghijklmnop");

    @TempDir
    private Path directory;

    private final List<String> heard = new ArrayList<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final Logger log = (Logger)LoggerFactory.getLogger("dev.millrace.cluster");
    private final AppenderBase<ILoggingEvent> ear = new AppenderBase<>()
    {
        @Override
        protected void append(final ILoggingEvent event)
        {
            said.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };
    private final Ledger ledger = new Ledger();
    private final long[] sent = new long[Ledger.SYMBOLS];
    private TestPorts ports;
    private PartitionMember one;
    private PartitionMember two;

    @BeforeEach
    void join() throws Exception
    {
        ports = TestPorts.free();
        final Tls tls = TestKeys.make(directory.resolve("cluster.p12"));
        one = member("one", tls).run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        two = member("two", tls).run(TestNetwork.TRADE, 1, 1, ledger.sink("two")).awaitOwners(2);
        one.awaitOwners(2);
        ear.start();
        log.addAppender(ear);
    }

    @AfterEach
    void leave()
    {
        log.detachAppender(ear);
        two.close();
        one.close();
    }

    private PartitionMember member(final String name, final Tls tls) throws Exception
    {
        return new PartitionMember(ports.member(directory, name, Member.NO_IDENTITY, tls));
    }

    /**
     * Sends each of the strings to a port; the socket must be closed each time.
     *
     * @return the addresses that the log must contain
     */
    private static List<String> annoy(final int port) throws IOException
    {
        final List<String> strangers = new ArrayList<>();
        for (final String words : WORDS)
        {
            try (Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), port))
            {
                strangers.add("from=/127.0.0.1:" + stranger.getLocalPort() + ' ');
                stranger.setSoTimeout(CLOSED_MS);
                stranger.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
                awaitEnd(stranger);
            }
        }
        return strangers;
    }

    /** Each connection is rejected by a separate thread, so log lines can be in any order. */
    private void awaitWarning(final String code, final String which, final String from) throws InterruptedException
    {
        String line = heard(from);
        String next = "";
        while (line == null && next != null)
        {
            next = said.poll(60, TimeUnit.SECONDS);
            if (next != null)
            {
                heard.add(next);
            }
            line = heard(from);
        }
        assertThat(line).as("log line for " + from).isNotNull().startsWith("WARN " + code)
            .contains("member=one", which, "only members", "may connect");
    }

    private String heard(final String from)
    {
        return heard.stream().filter(line -> line.contains(from)).findFirst().orElse(null);
    }

    /** A TLS alert can precede the end. */
    private static void awaitEnd(final Socket socket) throws IOException
    {
        try
        {
            while (socket.getInputStream().read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final SocketException e)
        {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    /** No member has joined or left, there was no rebalance, and each row arrives once. */
    private List<String> annoyWithoutHarm(final int port) throws IOException
    {
        final long oneSaw = one.cluster.view().version();
        final long twoSaw = two.cluster.view().version();
        final Object epoch = one.network.partitions().get("epoch");
        send();
        final List<String> strangers = annoy(port);
        send();
        PartitionMember.await("all rows", () -> ledger.rows.get() == 2 * ROWS);
        assertThat(ledger.gaps).isEmpty();
        assertThat(ledger.again.get()).isZero();
        assertThat(one.cluster.view().version()).isEqualTo(oneSaw);
        assertThat(two.cluster.view().version()).isEqualTo(twoSaw);
        assertThat(one.network.partitions().get("epoch")).isEqualTo(epoch);
        assertThat(one.cluster.holdsLease()).isTrue();
        two.cluster.map("after").put("a", new byte[] {1});
        assertThat(one.cluster.map("after").get("a")).containsExactly(1);
        return strangers;
    }

    private void send()
    {
        final int[] symbols = new int[ROWS];
        for (int i = 0; i < ROWS; i++)
        {
            symbols[i] = i % Ledger.SYMBOLS;
        }
        one.network.sources.get(0).send(symbols, sent, ROWS);
    }

    @Test
    void shouldTurnStrangersAwayFromTheLinksOfChannels() throws Exception
    {
        for (final String from : annoyWithoutHarm(one.partitions.port()))
        {
            awaitWarning("CLU-0408", "a connection to the links of this member was rejected", from);
        }
    }

    @Test
    void shouldTurnStrangersAwayFromThePortOfCommunication() throws Exception
    {
        for (final String from : annoyWithoutHarm(ports.ports().communication()))
        {
            awaitWarning("CLU-0011", "port=communication", from);
        }
    }

    @Test
    void shouldTurnStrangersAwayFromThePortOfDiscovery() throws Exception
    {
        for (final String from : annoyWithoutHarm(ports.ports().discovery()))
        {
            awaitWarning("CLU-0011", "port=discovery", from);
        }
    }
}
