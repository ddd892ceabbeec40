package dev.millrace.adapter.loadgen.timesync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.time.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimesyncResponderTest
{
    private static final int ROUNDS = 300;

    private static int freePort() throws Exception
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return ((InetSocketAddress)channel.getLocalAddress()).getPort();
        }
    }

    /**
     * An update closes the adapter of the old version, and the new version opens the same port immediately afterwards.
     */
    @Test
    void shouldHaveFreedItsPortWhenItsLastUserGivesItBack() throws Exception
    {
        final int port = freePort();
        for (int i = 0; i < ROUNDS; i++)
        {
            final TimesyncResponder responder = TimesyncResponder.acquire("127.0.0.1", port, Clock.SYSTEM);
            exchange(port);
            responder.release();
        }
    }

    @Test
    void shouldAnswerUntilTheLastOfItsUsersHasGivenItBack() throws Exception
    {
        final int port = freePort();
        final TimesyncResponder first = TimesyncResponder.acquire("127.0.0.1", port, Clock.SYSTEM);
        final TimesyncResponder second = TimesyncResponder.acquire("127.0.0.1", port, Clock.SYSTEM);
        assertThat(second).isSameAs(first);
        first.release();
        exchange(port);
        assertThat(second.requests()).isEqualTo(1);
        second.release();
    }

    /** Sends a request and waits for the response, so that the thread of the responder is in its system call again. */
    private static void exchange(final int port) throws Exception
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            channel.connect(new InetSocketAddress("127.0.0.1", port));
            final ByteBuffer datagram = ByteBuffer.allocate(Timesync.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            datagram.putInt(0, Timesync.MAGIC);
            datagram.put(Timesync.AT_VERSION, Timesync.VERSION);
            datagram.put(Timesync.AT_KIND, Timesync.REQUEST);
            channel.write(datagram);
            datagram.clear();
            assertThat(channel.read(datagram)).isEqualTo(Timesync.BYTES);
            assertThat(datagram.get(Timesync.AT_KIND)).isEqualTo(Timesync.ANSWER);
        }
    }
}
