package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.timesync.Timesync;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Offset of the server's clock from the local clock: the best of many exchanges, because the shortest round trip bounds
 * the error best.
 *
 * @param offsetNs      server's clock minus local clock
 * @param uncertaintyNs half the shortest round trip: the maximum error of the offset
 * @param exchanges     number of answered round trips
 */
public record ClockOffset(long offsetNs, long uncertaintyNs, int exchanges)
{
    /** Used when no exchange is configured: both processes use the same clock. */
    public static final ClockOffset SAME_MACHINE = new ClockOffset(0, 0, 0);

    private static final int EXCHANGES = 64;
    private static final int MAX_UNANSWERED = 3;
    private static final long ANSWER_TIMEOUT_MILLIS = 500;

    /**
     * Measures the offset.
     *
     * @param host  server host
     * @param port  its timesync port
     * @param clock local clock
     * @return the estimate
     * @throws GeneratorException when the server does not respond
     */
    public static ClockOffset ask(final String host, final int port, final Clock clock) throws GeneratorException
    {
        final ByteBuffer datagram = ByteBuffer.allocateDirect(Timesync.BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        ClockOffset best = null;
        int answered = 0;
        try (DatagramChannel channel = DatagramChannel.open(); Selector selector = Selector.open())
        {
            channel.connect(new InetSocketAddress(host, port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            int unanswered = 0;
            while (answered < EXCHANGES && unanswered < MAX_UNANSWERED)
            {
                final ClockOffset one = exchange(channel, selector, datagram, clock);
                if (one == null)
                {
                    unanswered++;
                    continue;
                }
                answered++;
                best = best == null || one.uncertaintyNs < best.uncertaintyNs ? one : best;
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            throw silent(host, port, ex.toString(), ex);
        }
        if (best == null)
        {
            throw silent(host, port, "no response", null);
        }
        return new ClockOffset(best.offsetNs, best.uncertaintyNs, answered);
    }

    private static GeneratorException silent(
        final String host, final int port, final String cause, final Exception thrown)
    {
        return new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0204 the clock exchange of the server "
            + "does not respond, " +
            "host=" + host + " test.timesyncPort=" + port + " cause=" + cause +
            "; set it to timesync.port of the server, or to 0 when both run on one machine", thrown);
    }

    private static ClockOffset exchange(
        final DatagramChannel channel, final Selector selector, final ByteBuffer datagram, final Clock clock)
        throws IOException
    {
        datagram.clear().limit(Timesync.BYTES);
        datagram.putInt(0, Timesync.MAGIC).put(Timesync.AT_VERSION, Timesync.VERSION)
            .put(Timesync.AT_KIND, Timesync.REQUEST).putLong(Timesync.AT_ARRIVED, 0).putLong(Timesync.AT_ANSWERED, 0);
        final long sentNs = clock.epochNs();
        datagram.putLong(Timesync.AT_SENT, sentNs);
        channel.write(datagram);
        while (selector.select(ANSWER_TIMEOUT_MILLIS) > 0)
        {
            selector.selectedKeys().clear();
            datagram.clear();
            final int read = channel.read(datagram);
            final long receivedNs = clock.epochNs();
            if (read == Timesync.BYTES && datagram.getInt(0) == Timesync.MAGIC &&
                datagram.get(Timesync.AT_KIND) == Timesync.ANSWER && datagram.getLong(Timesync.AT_SENT) == sentNs)
            {
                final long arrivedNs = datagram.getLong(Timesync.AT_ARRIVED);
                final long answeredNs = datagram.getLong(Timesync.AT_ANSWERED);
                final long roundTripNs = receivedNs - sentNs - (answeredNs - arrivedNs);
                final long offsetNs = (arrivedNs - sentNs + answeredNs - receivedNs) / 2;
                return new ClockOffset(offsetNs, Math.max(0, roundTripNs) / 2 + 1, 1);
            }
        }
        return null;
    }
}
