package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Connections that cannot be accepted. Uses real sockets; only the result of the operating system call is simulated.
 */
@Timeout(60)
class ConnectionLoopTest
{
    private static final long FRAME_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final int FAILURES = 3;

    private final Rows rows = new Rows(Rows.TICK);
    private final ExecutorService runner = Executors.newSingleThreadExecutor();
    private Selector selector;
    private ServerSocketChannel listener;

    @BeforeEach
    void open() throws IOException
    {
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
    }

    @AfterEach
    void close() throws Exception
    {
        listener.close();
        selector.close();
        runner.shutdownNow();
        assertThat(runner.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private ConnectionLoop loop(final ConnectionLoop.Acceptor acceptor) throws IOException
    {
        return new ConnectionLoop(selector, listener, acceptor,
            new AdapterContext("in", new BatchAssembler(rows, Rows.inOrder(Rows.TICK)), 1 << 16, null, null),
            Clock.SYSTEM, new ConnectionLimits(1 << 16, 4, 0, 1 << 20, MemoryAccount.unlimited(), FRAME_TIMEOUT_NS,
                FRAME_TIMEOUT_NS), new Counters());
    }

    private Socket sender() throws IOException
    {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.socket().getLocalPort());
        socket.getOutputStream().write("A,1.5\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private void shouldServeAfterFailures(final ConnectionLoop loop) throws Exception
    {
        final Future<?> running = runner.submit(() ->
        {
            loop.run();
            return null;
        });
        while (rows.count() == 0 && !running.isDone())
        {
            Thread.onSpinWait();
        }
        loop.stop();
        running.get(60, TimeUnit.SECONDS);
        assertThat(rows.rows()).containsExactly("A,1.5");
        loop.close();
    }

    @Test
    void shouldTryAgainAfterAPauseWhenTheSystemHasNoFileHandlesLeft() throws Exception
    {
        final AtomicInteger failures = new AtomicInteger();
        final long beforeNs = System.nanoTime();
        final ConnectionLoop loop = loop(() ->
        {
            if (failures.get() < FAILURES)
            {
                failures.incrementAndGet();
                throw new IOException("Too many open files");
            }
            return listener.accept();
        });
        try (Socket sender = sender())
        {
            shouldServeAfterFailures(loop);
            assertThat(sender.isConnected()).isTrue();
        }
        assertThat(failures).hasValue(FAILURES);
        assertThat(System.nanoTime() - beforeNs).as("one attempt per quarter of the frame timeout")
            .isGreaterThan((FAILURES - 1) * FRAME_TIMEOUT_NS / 4);
    }
}
