package dev.millrace.cluster.partition.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.partition.PartitionMember;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections when the system has run out of a resource. */
@Tag("slow")
@Timeout(180)
class AcceptorTest
{
    /** A process without free file descriptors: it accepts when it may open one. */
    private static final class Starving extends ServerSocket
    {
        final AtomicInteger tries = new AtomicInteger();
        volatile boolean hasFiles;

        Starving() throws IOException
        {
            super(0, 1, InetAddress.getLoopbackAddress());
        }

        @Override
        public Socket accept() throws IOException
        {
            tries.incrementAndGet();
            if (!hasFiles && !isClosed())
            {
                throw new SocketException("Too many open files");
            }
            return super.accept();
        }
    }

    @Test
    void shouldCloseAConnectionThatNoThreadCanServeAndTakeTheNext() throws Exception
    {
        final AtomicInteger tries = new AtomicInteger();
        final BlockingQueue<Socket> taken = new LinkedBlockingQueue<>();
        final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        final Acceptor acceptor = new Acceptor(listening, "one", socket ->
        {
            if (tries.incrementAndGet() == 1)
            {
                throw new OutOfMemoryError("unable to create native thread");
            }
            taken.add(socket);
        });
        final Thread thread = new Thread(acceptor::run);
        thread.start();
        try (Socket first = new Socket(acceptor.address(), acceptor.port()))
        {
            assertThat(first.getInputStream().read()).as("closed, so that the peer reconnects").isEqualTo(-1);
            try (Socket second = new Socket(acceptor.address(), acceptor.port());
                Socket other = taken.poll(60, TimeUnit.SECONDS))
            {
                assertThat(other).isNotNull();
                assertThat(other.getPort()).isEqualTo(second.getLocalPort());
            }
        }
        finally
        {
            acceptor.close();
            thread.join();
        }
    }

    @Test
    void shouldPauseWhileNothingCanBeTakenAndGoOn() throws Exception
    {
        final BlockingQueue<Socket> taken = new LinkedBlockingQueue<>();
        final Starving socket = new Starving();
        final Acceptor acceptor = new Acceptor(socket, "one", taken::add);
        final Thread thread = new Thread(acceptor::run);
        final long startNs = System.nanoTime();
        thread.start();
        try (Socket caller = new Socket(acceptor.address(), acceptor.port()))
        {
            PartitionMember.await("a second attempt", () -> socket.tries.get() > 1);
            assertThat(taken.poll(500, TimeUnit.MILLISECONDS)).isNull();
            assertThat(socket.tries.get()).as("one per second")
                .isLessThanOrEqualTo(2 + (int)TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs));
            socket.hasFiles = true;
            try (Socket other = taken.poll(60, TimeUnit.SECONDS))
            {
                assertThat(other).isNotNull();
                assertThat(other.getPort()).isEqualTo(caller.getLocalPort());
            }
        }
        finally
        {
            acceptor.close();
            thread.join();
        }
    }
}
