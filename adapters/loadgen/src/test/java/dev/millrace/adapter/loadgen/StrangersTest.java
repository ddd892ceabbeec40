package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to a data port: unauthorized clients, silent clients and too many clients of one address are rejected. */
@Timeout(60)
class StrangersTest
{
    private static final String TOKEN = "0123456789abcdef-0123456789";

    @TempDir
    private Path folder;

    private static RunningAdapter open() throws IOException
    {
        return new RunningAdapter(Clock.SYSTEM, adapter -> { });
    }

    private RunningAdapter openWithToken() throws IOException
    {
        final Path file = TestKeys.secret(folder.resolve("token"), TOKEN + "\n");
        return new RunningAdapter(Clock.SYSTEM, adapter -> adapter.setTokenFile(file.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:9001\r\nContent-Type: text/plain\r\n\r\nEVIL,666\r\n",
        "GET /?a=EVIL,666 HTTP/1.1\r\n\r\nEVIL,666\r\n", "OPTIONS * HTTP/1.1\nEVIL,666\n",
        "M-SEARCH http://h/x HTTP/1.0\nEVIL,666\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nEVIL,666\n",
        "\r\n\nPUT /a,b HTTP/1.1\r\nEVIL,666\r\n", "\uFEFFPOST / HTTP/1.1\nEVIL,666\n", "POST / HTTP/1.1"})
    void shouldTakeNoRowWhenTheFirstLineIsAnHttpRequest(final String request) throws IOException
    {
        try (RunningAdapter port = open())
        {
            assertThat(port.say(request)).isEmpty();
            port.say("GOOD,1\n");
            RunningAdapter.await(() -> port.rows.count() > 0);
            assertThat(port.rows.rows()).containsExactly("GOOD,1.0");
            assertThat(port.rows.rejected()).containsOnly(Map.entry("http-request", 1));
            assertThat(port.rows.details().get(0)).startsWith("LDG-0226 received an HTTP request on the data port, "
                + "line=")
                .contains("peer=127.0.0.1:", "; no row of it was accepted");
        }
    }

    @Test
    void shouldTakeNoRowWhenAnHttpRequestArrivesByteByByte() throws IOException
    {
        try (RunningAdapter port = open(); Socket socket = port.connect())
        {
            for (final byte one : "POST /x HTTP/1.1".getBytes(StandardCharsets.US_ASCII))
            {
                socket.getOutputStream().write(one);
            }
            RunningAdapter.await(() -> port.statistic("bytes") == 16);
            socket.getOutputStream().write("\nEVIL,666\n".getBytes(StandardCharsets.US_ASCII));
            RunningAdapter.await(() -> port.rows.rejected().containsKey("http-request"));
            assertThat(port.rows.count()).isZero();
        }
    }

    @Test
    void shouldTakeRowsThatOnlyLookLikeHttp() throws IOException
    {
        try (RunningAdapter port = open())
        {
            port.say("GET / HTTP/x,1\n");
            port.say("HTTP/1.1,2\nPOST / HTTP/1.1\nA,3");
            port.say("tokens,4");
            port.say("\n\r\nB,5");
            RunningAdapter.await(() -> port.rows.count() == 5);
            assertThat(port.rows.rows()).containsExactlyInAnyOrder("GET / HTTP/x,1.0", "HTTP/1.1,2.0", "A,3.0",
                "tokens,4.0", "B,5.0");
            assertThat(port.rows.rejected()).containsOnly(Map.entry("wrong-column-count", 1));
        }
    }

    @Test
    void shouldCloseTlsHelloWithoutTls() throws IOException
    {
        try (RunningAdapter port = open())
        {
            port.say(new byte[] {0x16, 3, 1, 0, 5, 'A', ',', '1', '\n', 0});
            assertThat(port.rows.rejected()).containsOnly(Map.entry("tls-hello", 1));
            assertThat(port.rows.details().get(0)).startsWith("LDG-0227 this port does not use TLS")
                .contains("set keyStore of the adapter");
        }
    }

    @Test
    void shouldCloseAcceptedConnectionsThatSendNoFrame() throws IOException
    {
        final ManualClock clock = new ManualClock(1_000_000_000_000L);
        try (RunningAdapter port = new RunningAdapter(clock, adapter -> adapter.setFirstFrameTimeoutMillis(30_000));
            Socket idle = port.connect(); Socket busy = port.connect(); Socket blank = port.connect())
        {
            idle.getOutputStream().write(WireFormat.preamble(RunningAdapter.PAIR));
            busy.getOutputStream().write(WireFormat.preamble(RunningAdapter.PAIR));
            busy.getOutputStream().write(RunningAdapter.frame("A", 1));
            blank.getOutputStream().write('\n');
            assertThat(RunningAdapter.answer(idle.getInputStream())).startsWith("0 ");
            RunningAdapter.await(() -> port.rows.count() == 1 && port.statistic("bytes") >= 21);
            for (int i = 0; i < 29; i++)
            {
                clock.advance(TimeUnit.SECONDS.toNanos(1));
            }
            assertThat(port.rows.rejected()).isEmpty();
            RunningAdapter.await(() ->
            {
                clock.advance(TimeUnit.MILLISECONDS.toNanos(20));
                return port.statistic("connectionsOpen") == 1;
            });
            assertThat(port.rows.rejected()).containsOnly(Map.entry("no-first-frame", 2));
            assertThat(RunningAdapter.answer(idle.getInputStream()))
                .startsWith("1 LDG-0245 connection was accepted and sent no row")
                .contains("raise firstFrameTimeoutMillis");
            busy.getOutputStream().write(RunningAdapter.frame("A", 2));
            RunningAdapter.await(() -> port.rows.count() == 2);
        }
    }

    @Test
    void shouldCloseMoreConnectionsOfOneAddressThanItMayHave() throws IOException
    {
        try (RunningAdapter port = new RunningAdapter(Clock.SYSTEM, adapter -> adapter.setMaxConnectionsPerPeer(2));
            Socket first = port.connect(); Socket second = port.connect(); Socket third = port.connect())
        {
            assertThat(RunningAdapter.answer(third.getInputStream()))
                .startsWith("1 LDG-0246 too many connections of one address, maxConnectionsPerPeer=2");
            assertThat(port.rows.rejected()).containsOnly(Map.entry("too-many-of-peer", 1));
            // Statistics are updated at the end of a round of the loop, so the previous value can remain visible for a
            // moment.
            RunningAdapter.await(() -> port.statistic("connectionsOpen") == 2);
            first.shutdownOutput();
            RunningAdapter.await(() -> port.statistic("connectionsOpen") == 1);
            port.say("A,1");
            RunningAdapter.await(() -> port.rows.count() == 1);
            assertThat(second.isConnected()).isTrue();
        }
    }

    @Test
    void shouldCountAddressesByHostOrNetwork() throws IOException
    {
        final PeerCounts counts = new PeerCounts(0, 8);
        final InetAddress host = InetAddress.getByName("192.0.2.1");
        assertThat(counts.max(host)).isEqualTo(2);
        assertThat(counts.max(InetAddress.getByName("127.0.0.1"))).isEqualTo(8);
        assertThat(counts.add(host)).isTrue();
        assertThat(counts.add(host)).isTrue();
        assertThat(counts.add(host)).isFalse();
        assertThat(counts.add(InetAddress.getByName("192.0.2.2"))).isTrue();
        counts.remove(host);
        assertThat(counts.add(host)).isTrue();
        assertThat(counts.add(InetAddress.getByName("2001:db8::1"))).isTrue();
        assertThat(counts.add(InetAddress.getByName("2001:db8::2"))).isTrue();
        assertThat(counts.add(InetAddress.getByName("2001:db8::3"))).as("third address of the network").isFalse();
        assertThat(counts.add(InetAddress.getByName("2001:db8:0:1::1"))).isTrue();
    }

    @Test
    void shouldTakeRowsOnlyFromThoseWhoShowTheToken() throws IOException
    {
        final byte[] token = TOKEN.getBytes(StandardCharsets.US_ASCII);
        try (RunningAdapter port = openWithToken(); Socket frames = port.connect(); Socket slow = port.connect())
        {
            frames.getOutputStream().write(WireFormat.preamble(RunningAdapter.PAIR, token));
            assertThat(RunningAdapter.answer(frames.getInputStream())).startsWith("0 symbol:char");
            frames.getOutputStream().write(RunningAdapter.frame("F", 1));
            for (final byte one : WireFormat.preamble(RunningAdapter.PAIR, token))
            {
                slow.getOutputStream().write(one);
            }
            assertThat(RunningAdapter.answer(slow.getInputStream())).startsWith("0 symbol:char");
            assertThat(port.say("token " + TOKEN + "\r\nT,2\r\nU,3")).isEmpty();
            RunningAdapter.await(() -> port.rows.count() == 3);
            assertThat(port.rows.rows()).containsExactlyInAnyOrder("F,1.0", "T,2.0", "U,3.0");

            assertThat(port.say(WireFormat.preamble(RunningAdapter.PAIR))).contains("LDG-0229 this port accepts rows " +
                "only with its token", "set test.tokenFile").doesNotContain("symbol");
            assertThat(port.say(WireFormat.preamble(List.of(WireType.INT)))).contains("LDG-0229");
            assertThat(port.say("EVIL,666\n")).startsWith("LDG-0229 ").endsWith("\n");
            token[TOKEN.length() - 1] ^= 1;
            assertThat(port.say(WireFormat.preamble(RunningAdapter.PAIR, token))).contains("LDG-0230 wrong token");
            assertThat(port.say(WireFormat.preamble(RunningAdapter.PAIR, new byte[0]))).contains("LDG-0230");
            assertThat(port.say(WireFormat.preamble(RunningAdapter.PAIR, new byte[513]))).contains("LDG-0230");
            assertThat(port.say("token " + TOKEN + "x\nEVIL,666\n")).startsWith("LDG-0230 ");
            assertThat(port.say("token \nEVIL,666\n")).startsWith("LDG-0230 ");
            assertThat(port.rows.rejected())
                .containsOnly(Map.entry("token-missing", 3), Map.entry("wrong-token", 5));
            assertThat(port.rows.count()).isEqualTo(3);
            assertThat(port.rows.details()).noneMatch(detail -> detail.contains(TOKEN.substring(0, 8)));
        }
    }

    @Test
    void shouldPassOverATokenThatNobodyWants() throws IOException
    {
        try (RunningAdapter port = open(); Socket frames = port.connect())
        {
            frames.getOutputStream().write(
                WireFormat.preamble(RunningAdapter.PAIR, TOKEN.getBytes(StandardCharsets.US_ASCII)));
            assertThat(RunningAdapter.answer(frames.getInputStream())).startsWith("0 ");
            port.say("token " + TOKEN + "\nT,2\n");
            RunningAdapter.await(() -> port.rows.count() == 1);
            assertThat(port.rows.rejected()).isEmpty();
        }
    }

    @Test
    void shouldRefuseAddressesOfOtherHostsUntilItIsNamedWhatIsGivenUp() throws Exception
    {
        assertThatThrownBy(() -> open("0.0.0.0", false, false)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("LDG-0111 other hosts could send rows without authentication, stage=in " +
                "host=0.0.0.0; set tokenFile or tokenSecret").hasMessageContaining("allowUnauthenticated=true");
        assertThatThrownBy(() -> open("0.0.0.0", true, false)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("LDG-0112 rows of other hosts would be unencrypted, stage=in host=0.0.0.0; " +
                "set keyStore").hasMessageContaining("allowUnencrypted=true");
        assertThatThrownBy(() -> open("::", false, true)).hasMessageStartingWith("LDG-0111");
        open("0.0.0.0", true, true).close();
        open("localhost", false, false).close();
    }

    private static RunningAdapter open(final String host, final boolean allowUnauthenticated,
        final boolean allowUnencrypted) throws IOException
    {
        return new RunningAdapter(Clock.SYSTEM, adapter ->
        {
            adapter.setHost(host);
            adapter.setAllowUnauthenticated(allowUnauthenticated);
            adapter.setAllowUnencrypted(allowUnencrypted);
        });
    }

    @Test
    void shouldRefuseTokenFilesThatAreNoSecret() throws IOException
    {
        final Path open = TestKeys.secret(folder.resolve("open"), TOKEN);
        Files.setPosixFilePermissions(open, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
        assertTokenRefused(open, "run chmod 600");
        assertTokenRefused(folder.resolve("none"), "does not exist");
        assertTokenRefused(TestKeys.secret(folder.resolve("short"), "secret"), "16 to 512 characters, this one has 6");
        assertTokenRefused(TestKeys.secret(folder.resolve("two"), TOKEN + "\n" + TOKEN), "exactly one line");
        assertTokenRefused(TestKeys.secret(folder.resolve("blank"), TOKEN + " " + TOKEN), "without blanks");
    }

    private static void assertTokenRefused(final Path file, final String cause)
    {
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, adapter -> adapter.setTokenFile(file.toString())))
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("LDG-0110 the token file cannot be " +
                "used, stage=in file=" + file + " cause=").hasMessageContaining(cause);
    }

    @Test
    void shouldTakeItsTokenFromASecretOfTheServer() throws IOException
    {
        final NamedSecrets secrets = name -> name.equals("ticks") ? TOKEN : name.equals("short") ? "secret" : null;
        try (RunningAdapter port = new RunningAdapter(Clock.SYSTEM, secrets, adapter ->
            adapter.setTokenSecret("ticks")))
        {
            assertThat(port.say("token " + TOKEN + "\nT,2\n")).isEmpty();
            assertThat(port.say("EVIL,666\n")).startsWith("LDG-0229 ");
            RunningAdapter.await(() -> port.rows.count() == 1);
            assertThat(port.rows.rows()).containsExactly("T,2.0");
        }
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, secrets, adapter -> adapter.setTokenSecret("other")))
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(
                "LDG-0114 unknown secret, stage=in tokenSecret=other; add <secret>");
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, secrets, adapter -> adapter.setTokenSecret("short")))
            .hasMessageStartingWith("LDG-0116 the secret cannot be used as a token, stage=in tokenSecret=short cause=" +
                "a token has 16 to 512 characters, this one has 6").hasMessageNotContaining("\"secret\"");
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, secrets, adapter ->
        {
            adapter.setTokenSecret("ticks");
            adapter.setTokenFile("/some/file");
        })).hasMessageStartingWith("LDG-0115 two sources are set for one value, stage=in host=127.0.0.1 " +
            "tokenFile=/some/file tokenSecret=ticks; remove one");
        new RunningAdapter(Clock.SYSTEM, secrets, adapter ->
        {
            adapter.setHost("0.0.0.0");
            adapter.setTokenSecret("ticks");
            adapter.setAllowUnencrypted(true);
        }).close();
    }

    @Test
    void shouldKeepNoMemoryForConnectionsThatOweNothing() throws IOException
    {
        try (RunningAdapter port = new RunningAdapter(Clock.SYSTEM, adapter ->
        {
            adapter.setMaxFrameBytes(1 << 16);
            adapter.setMaxBufferedBytes(1 << 17);
        }))
        {
            final byte[] large = RunningAdapter.frame("SYMBOL", new double[3000]);
            final Socket[] sockets = new Socket[20];
            for (int i = 0; i < sockets.length; i++)
            {
                sockets[i] = port.connect();
                final long before = port.statistic("bytes");
                final byte[] preamble = WireFormat.preamble(RunningAdapter.PAIR);
                sockets[i].getOutputStream().write(preamble);
                sockets[i].getOutputStream().write(large, 0, large.length / 2);
                RunningAdapter.await(() -> port.statistic("bytes") == before + preamble.length + large.length / 2);
                sockets[i].getOutputStream().write(Arrays.copyOfRange(large, large.length / 2, large.length));
                final int frames = i + 1;
                RunningAdapter.await(() -> port.statistic("frames") == frames);
            }
            assertThat(port.rows.rejected()).as("20 consecutive half frames of 22 KB").isEmpty();
            for (final Socket socket : sockets)
            {
                socket.close();
            }
        }
    }

    @Test
    void shouldGiveTheSameArrayAgainAndKeepNoMoreThanItsBound()
    {
        final BufferPool pool = new BufferPool();
        final byte[] small = pool.take(200);
        assertThat(small).hasSize(256);
        assertThat(pool.take(257)).hasSize(512);
        assertThat(pool.take(65_536)).hasSize(65_536);
        pool.give(small);
        assertThat(pool.take(1)).isSameAs(small);
        for (int i = 0; i < 100; i++)
        {
            pool.give(new byte[65_536]);
            pool.give(new byte[100]);
            pool.give(new byte[300]);
        }
        assertThat(pool.idleBytes()).isEqualTo(BufferPool.MAX_IDLE_BYTES);
    }
}
