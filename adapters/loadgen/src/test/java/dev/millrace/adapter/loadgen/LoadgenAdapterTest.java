package dev.millrace.adapter.loadgen;

import static dev.millrace.adapter.loadgen.RunningAdapter.PAIR;
import static dev.millrace.adapter.loadgen.RunningAdapter.answer;
import static dev.millrace.adapter.loadgen.RunningAdapter.await;
import static dev.millrace.adapter.loadgen.RunningAdapter.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadgenAdapterTest
{
    private final Rows rows = new Rows(Rows.TICK);
    private final ManualClock manualClock = new ManualClock(1_000_000_000_000L);
    private final List<Socket> sockets = new ArrayList<>();
    private LoadgenAdapter adapter = adapter(Clock.SYSTEM);
    private Thread runner;

    private LoadgenAdapter adapter(final Clock clock)
    {
        final LoadgenAdapter made = new LoadgenAdapter();
        made.setPort(0);
        made.setTimesyncPort(0);
        made.setStageContext(new RunningAdapter.Context(clock));
        made.setBatchSender(rows);
        return made;
    }

    @AfterEach
    void destroy() throws Exception
    {
        for (final Socket socket : sockets)
        {
            socket.close();
        }
        adapter.destroy();
        if (runner != null)
        {
            runner.join(TimeUnit.SECONDS.toMillis(60));
            assertThat(runner.isAlive()).isFalse();
        }
    }

    private void start() throws IOException
    {
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        run();
    }

    private void run()
    {
        runner = new Thread(adapter, "adapter");
        runner.start();
    }

    private Socket connect() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), adapter.boundPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        sockets.add(socket);
        return socket;
    }

    private Socket connectForFrames() throws IOException
    {
        final Socket socket = connect();
        socket.getOutputStream().write(WireFormat.preamble(PAIR));
        assertThat(answer(socket.getInputStream())).startsWith("0 symbol:char,lastPrice:double");
        return socket;
    }

    private long statistic(final String name)
    {
        return ((Number)adapter.statistics().get(name)).longValue();
    }

    @Test
    void shouldTakeFramesAndTextOnOnePort() throws IOException
    {
        start();
        final Socket binary = connectForFrames();
        final Socket text = connect();
        binary.getOutputStream().write(frame("BIN", 1, 2));
        text.getOutputStream().write("TXT,3\r\nTXT,4".getBytes(StandardCharsets.US_ASCII));
        text.shutdownOutput();
        assertThat(text.getInputStream().read()).isEqualTo(-1);
        await(() -> rows.count() == 4);
        assertThat(rows.rows()).containsExactlyInAnyOrder("BIN,1.0", "BIN,2.0", "TXT,3.0", "TXT,4.0");
        await(() -> statistic("connectionsOpen") == 1);
        assertThat(adapter.statistics()).containsEntry("connectionsTotal", 2L).containsEntry("frames", 1L)
            .containsEntry("csvLines", 2L).containsEntry("rows", 4L).containsEntry("rejected", 0L);
    }

    @Test
    void shouldGiveSameRowsWhenBytesArriveOneByOne() throws IOException
    {
        start();
        final Socket socket = connect();
        final ByteBuffer stream = ByteBuffer.allocate(4096);
        stream.put(WireFormat.preamble(PAIR)).put(frame("A", 1)).put(frame("LONGERTHANEIGHT", 2, 3));
        for (int i = 0; i < stream.position(); i++)
        {
            socket.getOutputStream().write(stream.get(i));
        }
        await(() -> rows.count() == 3);
        assertThat(rows.rows()).containsExactly("A,1.0", "LONGERTHANEIGHT,2.0", "LONGERTHANEIGHT,3.0");
        assertThat(rows.origins()).containsOnly(42L);
    }

    @Test
    void shouldTakeFramesLargerThanTheReadBuffer() throws IOException
    {
        start();
        final Socket socket = connectForFrames();
        final double[] prices = new double[60_000];
        Arrays.setAll(prices, i -> i);
        final byte[] large = frame("SYMBOL", prices);
        assertThat(large.length).isGreaterThan(800_000);
        for (int i = 0; i < 3; i++)
        {
            socket.getOutputStream().write(large);
            socket.getOutputStream().write(frame("SMALL", i));
        }
        await(() -> rows.count() == 180_003);
        assertThat(rows.rows().get(60_000)).isEqualTo("SMALL,0.0");
        assertThat(rows.rows().get(180_001)).isEqualTo("SYMBOL,59999.0");
        assertThat(rows.rejected()).isEmpty();
    }

    @Test
    void shouldCloseOnlyTheConnectionWhoseFrameIsBad() throws IOException
    {
        start();
        final Socket good = connectForFrames();
        assertClosed(patched(0, -1, -1, -1, -1), "LDG-0231", "negative-length", "length=-1 ", "correct the sender");
        assertClosed(patched(0, 0, 0, 32, 0), "LDG-0233", "frame-too-long", "maxFrameBytes=1048576",
            "send fewer rows per frame");
        assertClosed(patched(4, 9), "LDG-0222", "unknown-version", "expected=1 actual=9",
            "use the load generator of this release");
        assertClosed(patched(5, 2), "LDG-0223", "unknown-flags", "flags=0x2", "use the load generator of this release");
        assertClosed(patched(16, 100), "LDG-0234", "malformed-frame", "columns=[CHAR8, DOUBLE]", "correct the sender");
        good.getOutputStream().write(frame("GOOD", 1));
        await(() -> rows.count() == 1);
        await(() -> statistic("connectionsOpen") == 1);
        assertThat(statistic("connectionsRefused")).isEqualTo(5);
    }

    private static byte[] patched(final int at, final int... patch)
    {
        final byte[] bytes = frame("BAD", 1);
        for (int i = 0; i < patch.length; i++)
        {
            bytes[at + i] = (byte)patch[i];
        }
        return bytes;
    }

    private void assertClosed(
        final byte[] bad, final String code, final String reason, final String fact, final String nextStep)
        throws IOException
    {
        final Socket socket = connectForFrames();
        socket.getOutputStream().write(bad);
        assertThat(answer(socket.getInputStream())).startsWith("1 " + code + " ")
            .contains(fact, "peer=127.0.0.1:" + socket.getLocalPort(), "; ", nextStep);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
        assertThat(rows.rejected()).containsKey(reason);
    }

    @Test
    void shouldRefusePreambleWhenColumnsOrVersionDiffer() throws IOException
    {
        start();
        assertPreambleRefused(WireFormat.preamble(List.of(WireType.CHAR8)),
            "LDG-0224 wrong number of columns, expected=2 actual=1 columns=symbol:char,lastPrice:double");
        assertPreambleRefused(WireFormat.preamble(List.of(WireType.CHAR8, WireType.BOOLEAN)), "LDG-0225");
        assertPreambleRefused(WireFormat.inferred(WireFormat.preamble(List.of(WireType.CHAR8))), "LDG-0224");
        final byte[] unknownType = WireFormat.preamble(PAIR);
        unknownType[9] = 77;
        assertPreambleRefused(unknownType, "LDG-0225");
        final byte[] version = WireFormat.preamble(PAIR);
        version[4] = 2;
        assertPreambleRefused(version, "LDG-0222");
        final byte[] magic = WireFormat.preamble(PAIR);
        magic[1] = 'X';
        assertPreambleRefused(magic, "LDG-0221");
        final byte[] flags = WireFormat.preamble(PAIR);
        flags[5] = 16;
        assertPreambleRefused(flags, "LDG-0223");
        assertPreambleRefused(new byte[] {22, 3, 1, 2, 0, 1, 0}, "LDG-0227");
        assertThat(rows.rejected()).containsKeys("wrong-columns", "wrong-column-type", "unknown-version",
            "unknown-protocol", "unknown-flags", "tls-hello");
    }

    @Test
    void shouldNameTypesOfPropertiesWhenInferredOnesDifferAndAcceptOthersAfterwards() throws IOException
    {
        start();
        final Socket socket = connect();
        for (final WireType type : new WireType[] {WireType.BOOLEAN, WireType.CHAR8})
        {
            socket.getOutputStream().write(WireFormat.inferred(WireFormat.preamble(List.of(WireType.INT, type))));
            assertThat(answer(socket.getInputStream())).isEqualTo("2 symbol:char,lastPrice:double");
        }
        socket.getOutputStream().write(WireFormat.preamble(PAIR));
        assertThat(answer(socket.getInputStream())).isEqualTo("0 symbol:char,lastPrice:double");
        socket.getOutputStream().write(frame("ORCL", 31.5));
        await(() -> rows.count() == 1);
        assertThat(rows.rows()).containsExactly("ORCL,31.5");
        assertThat(rows.rejected()).isEmpty();
        assertThat(statistic("connectionsRefused")).isZero();
    }

    @Test
    void shouldAcceptInferredTypesThatFillTheProperties() throws IOException
    {
        start();
        final Socket socket = connect();
        socket.getOutputStream().write(WireFormat.inferred(WireFormat.preamble(List.of(WireType.CHAR8, WireType.INT))));
        assertThat(answer(socket.getInputStream())).isEqualTo("0 symbol:char,lastPrice:double");
    }

    private void assertPreambleRefused(final byte[] preamble, final String code) throws IOException
    {
        final Socket socket = connect();
        socket.getOutputStream().write(preamble);
        assertThat(answer(socket.getInputStream())).startsWith("1 " + code);
    }

    @Test
    void shouldRejectBadLinesAndGoOn() throws IOException
    {
        start();
        final Socket socket = connect();
        socket.getOutputStream().write("A,1\nB,price\nC\nD,4\n".getBytes(StandardCharsets.US_ASCII));
        await(() -> rows.count() == 2);
        assertThat(rows.rows()).containsExactly("A,1.0", "D,4.0");
        assertThat(rows.rejected()).containsOnly(Map.entry("not-a-number", 1), Map.entry("wrong-column-count", 1));
        assertThat(rows.details().get(0)).startsWith("LDG-0201 field is not a valid double, column=lastPrice "
            + "value=\"price\"")
            .contains("line=2", "peer=127.0.0.1:", "; correct the line");
        assertThat(rows.details().get(1)).startsWith("LDG-0202 wrong number of fields, expected=2 actual=1 line=3")
            .contains("peer=127.0.0.1:", "; expected symbol:char,lastPrice:double");
    }

    @Test
    void shouldCountCutOffWhenPeerDiesInMidFrame() throws IOException
    {
        start();
        final Socket ended = connectForFrames();
        ended.getOutputStream().write(frame("HALF", 1), 0, 20);
        ended.shutdownOutput();
        await(() -> rows.rejected().getOrDefault("cut-off", 0) == 1);
        final Socket reset = connectForFrames();
        reset.getOutputStream().write(frame("HALF", 1), 0, 10);
        await(() -> statistic("bytes") >= 2 * WireFormat.preamble(PAIR).length + 30);
        reset.setSoLinger(true, 0);
        reset.close();
        await(() -> rows.rejected().getOrDefault("cut-off", 0) == 2);
        assertThat(rows.details()).hasSize(2).allSatisfy(detail -> assertThat(detail).startsWith("LDG-0236 connection ")
            .contains("in the middle of a frame", "peer=127.0.0.1:", "; the sender was stopped", "start it again"));
        connectForFrames().getOutputStream().write(frame("OTHER", 5));
        await(() -> rows.count() == 1);
    }

    @Test
    void shouldCloseSilentAndStuckConnectionsWhenTimeIsUp() throws IOException
    {
        adapter = adapter(manualClock);
        start();
        final Socket idle = connectForFrames();
        idle.getOutputStream().write(frame("IDLE", 1));
        final Socket silent = connect();
        final Socket stuck = connectForFrames();
        stuck.getOutputStream().write(frame("HALF", 1), 0, 20);
        final Socket halfLine = connect();
        halfLine.getOutputStream().write("A,1\nB".getBytes(StandardCharsets.US_ASCII));
        final Socket halfPreamble = connect();
        halfPreamble.getOutputStream().write(new byte[] {0, 'M', 'R'});
        await(() -> statistic("connectionsTotal") == 5 && rows.count() == 2 && statistic("bytes") >= 65);
        manualClock.advance(TimeUnit.SECONDS.toNanos(9));
        assertThat(statistic("connectionsOpen")).isEqualTo(5);
        // A jump within a round counts as a pause of the server, so time advances in steps until the timeout.
        await(() ->
        {
            manualClock.advance(TimeUnit.MILLISECONDS.toNanos(20));
            return statistic("connectionsOpen") == 1;
        });
        assertThat(rows.rejected()).containsOnly(Map.entry("silent", 1), Map.entry("incomplete", 3));
        assertThat(answer(stuck.getInputStream())).startsWith("1 LDG-0235 a frame was not completed in time")
            .contains("bytes=20", "peer=127.0.0.1:" + stuck.getLocalPort(), "; the sender hangs: start it again");
        assertThat(silent.getInputStream().read()).isEqualTo(-1);
        idle.getOutputStream().write(frame("IDLE", 2));
        await(() -> rows.count() == 3);
    }

    @Test
    void shouldTellAndCloseWhenThereAreTooManyConnections() throws IOException
    {
        adapter.setMaxConnections(2);
        start();
        final Socket first = connectForFrames();
        connectForFrames();
        final Socket third = connect();
        assertThat(answer(third.getInputStream())).startsWith("1 LDG-0242 too many connections, maxConnections=2");
        assertThat(rows.rejected()).containsOnly(Map.entry("too-many-connections", 1));
        first.close();
        await(() -> statistic("connectionsOpen") == 1);
        connectForFrames().getOutputStream().write(frame("A", 1));
        await(() -> rows.count() == 1);
    }

    @Test
    void shouldCloseConnectionWhenUnfinishedFramesHoldTooMuch() throws IOException
    {
        adapter.setMaxBufferedBytes(1 << 20);
        start();
        final byte[] large = frame("SYMBOL", new double[60_000]);
        final Socket first = connectForFrames();
        first.getOutputStream().write(large, 0, 600_000);
        await(() -> statistic("bytes") >= 600_000);
        final Socket second = connectForFrames();
        try
        {
            second.getOutputStream().write(large, 0, 300_000);
        }
        catch (final IOException closedMeanwhile)
        {
            // The adapter may close the connection while the rest is still being written.
            assertThat(second.isClosed()).isFalse();
        }
        await(() -> rows.rejected().containsKey("buffers-full"));
        first.getOutputStream().write(large, 600_000, large.length - 600_000);
        await(() -> rows.count() == 60_000);
        assertThat(rows.rejected()).containsOnly(Map.entry("buffers-full", 1));
    }

    @Test
    void shouldServeManyConnectionsWhenMostSayNothing() throws IOException
    {
        start();
        for (int i = 0; i < 500; i++)
        {
            connect();
        }
        connectForFrames().getOutputStream().write(frame("A", 1));
        await(() -> rows.count() == 1 && statistic("connectionsOpen") == 501);
    }

    @Test
    void shouldLoseNothingWhenSuspendedAndResumed() throws Exception
    {
        start();
        final Socket socket = connectForFrames();
        socket.getOutputStream().write(frame("A", 1));
        await(() -> rows.count() == 1);
        adapter.suspend();
        runner.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(runner.isAlive()).isFalse();
        socket.getOutputStream().write(frame("A", 2));
        final Socket late = connect();
        late.getOutputStream().write("LATE,3\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(rows.count()).isEqualTo(1);
        adapter.beforeResume();
        run();
        await(() -> rows.count() == 3);
        assertThat(rows.rows()).containsExactlyInAnyOrder("A,1.0", "A,2.0", "LATE,3.0");
    }

    @Test
    void shouldFreePortAndConnectionsWhenDestroyed() throws Exception
    {
        start();
        final Socket socket = connectForFrames();
        final int port = adapter.boundPort();
        adapter.destroy();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void shouldEndWhenItIsDestroyedBeforeItsThreadBegins() throws Exception
    {
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        final int port = adapter.boundPort();
        adapter.destroy();
        adapter.run();
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void shouldNamePortAndNextStepWhenPortIsInUse() throws IOException
    {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            adapter.setPort(other.getLocalPort());
            adapter.afterPropertiesSet();
            assertThatThrownBy(adapter::afterConfigurationActive).isInstanceOf(IOException.class)
                .hasMessageStartingWith("LDG-0101 ").hasMessageContaining("port=" + other.getLocalPort())
                .hasMessageContaining("stage=in").hasMessageContaining("loadgen.port");
        }
    }

    @Test
    void shouldNameTimesyncPortWhenItIsInUse() throws IOException
    {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            adapter.setTimesyncPort(other.getLocalPort());
            adapter.afterPropertiesSet();
            assertThatThrownBy(adapter::afterConfigurationActive).isInstanceOf(IOException.class)
                .hasMessageStartingWith("LDG-0102 ").hasMessageContaining("timesync.port=" + other.getLocalPort());
        }
    }

    @Test
    void shouldAnswerClockRequestsAndNothingElseWhenDatagramsAreForeign() throws Exception
    {
        final int port;
        try (DatagramSocket free = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            port = free.getLocalPort();
        }
        adapter = adapter(manualClock);
        adapter.setTimesyncPort(port);
        start();
        final ByteBuffer request = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        request.put("MRTS".getBytes(StandardCharsets.US_ASCII)).put((byte)1).put((byte)1).putLong(8, 77);
        try (DatagramSocket asker = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            asker.setSoTimeout(60_000);
            asker.connect(InetAddress.getLoopbackAddress(), port);
            // Empty, too short, too long, wrong magic, another version, a response instead of a request.
            for (final byte[] foreign : List.of(new byte[0], new byte[31], Arrays.copyOf(request.array(), 33),
                new byte[32], changed(request.array(), 4), changed(request.array(), 5)))
            {
                asker.send(new DatagramPacket(foreign, foreign.length));
            }
            asker.send(new DatagramPacket(request.array(), 32));
            final ByteBuffer answer = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
            final DatagramPacket received = new DatagramPacket(answer.array(), 100);
            asker.receive(received);
            assertThat(received.getLength()).isEqualTo(32);
            assertThat(answer.get(5)).as("kind").isEqualTo((byte)2);
            assertThat(answer.getLong(8)).isEqualTo(77);
            assertThat(answer.getLong(16)).isEqualTo(1_000_000_000_000L);
            assertThat(answer.getLong(24)).isEqualTo(1_000_000_000_000L);
        }
        assertThat(statistic("timesyncRequests")).isEqualTo(1);
    }

    private static byte[] changed(final byte[] datagram, final int at)
    {
        final byte[] bytes = datagram.clone();
        bytes[at]++;
        return bytes;
    }

    @Test
    void shouldRefuseSettingsWhenTheyCannotWork()
    {
        final LoadgenAdapter noPort = new LoadgenAdapter();
        assertThatThrownBy(noPort::afterPropertiesSet).hasMessageStartingWith("LDG-0103").hasMessageContaining("port");
        adapter.setMaxFrameBytes(1);
        assertThatThrownBy(adapter::afterPropertiesSet).hasMessageStartingWith("LDG-0103")
            .hasMessageContaining("name=maxFrameBytes value=1");
        adapter.setMaxFrameBytes(1 << 20);
        adapter.setEventTypeName("StockTik");
        assertThatThrownBy(adapter::afterPropertiesSet).hasMessageStartingWith("LDG-0104")
            .hasMessageContaining("known=[StockTick]");
        adapter.setEventTypeName("StockTick");
        adapter.setEventPropertyNames("symbol,price");
        assertThatThrownBy(adapter::afterPropertiesSet).hasMessageStartingWith("LDG-0105")
            .hasMessageContaining("property=price");
    }
}
