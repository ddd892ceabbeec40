package dev.millrace.tuning.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/**
 * Whether client and server read the same clock. Java's monotonic clock is the same for all processes of a Linux
 * machine, but not for two machines: a client requests the server's time and checks whether the answer is between the
 * request and its own receipt. If it always is, the clocks are the same and the offset is 0; otherwise, the offset is
 * computed from the fastest exchange, with an uncertainty of half its duration.
 *
 * @param offsetNs      add it to the client's time to get the server's
 * @param uncertaintyNs maximum error; 0 when the clocks are the same
 */
record ClockCheck(long offsetNs, long uncertaintyNs)
{
    /** Number of exchanges per check. */
    static final int EXCHANGES = 16;

    /**
     * Computes the offset from exchanges.
     *
     * @param askedNs    by the client's clock
     * @param answerNs   by the server's clock
     * @param receivedNs by the client's clock
     */
    static ClockCheck of(final long[] askedNs, final long[] answerNs, final long[] receivedNs)
    {
        boolean isOne = true;
        int fastest = 0;
        for (int i = 0; i < askedNs.length; i++)
        {
            isOne &= askedNs[i] <= answerNs[i] && answerNs[i] <= receivedNs[i];
            fastest = receivedNs[i] - askedNs[i] < receivedNs[fastest] - askedNs[fastest] ? i : fastest;
        }
        if (isOne)
        {
            return new ClockCheck(0, 0);
        }
        final long half = (receivedNs[fastest] - askedNs[fastest]) / 2;
        return new ClockCheck(answerNs[fastest] - askedNs[fastest] - half, half);
    }

    /** Exchanges times with the server, which is in the state of {@link Handshake}. */
    static ClockCheck ask(final SocketChannel channel) throws IOException
    {
        final long[] asked = new long[EXCHANGES];
        final long[] answer = new long[EXCHANGES];
        final long[] received = new long[EXCHANGES];
        final ByteBuffer question = ByteBuffer.allocate(1);
        final ByteBuffer reply = ByteBuffer.allocate(Long.BYTES);
        for (int i = 0; i < EXCHANGES; i++)
        {
            question.clear().put(Handshake.ASK).flip();
            asked[i] = System.nanoTime();
            Handshake.writeAll(channel, question);
            Handshake.readAll(channel, reply.clear());
            received[i] = System.nanoTime();
            answer[i] = reply.flip().getLong();
        }
        return of(asked, answer, received);
    }

    @Override
    public String toString()
    {
        return uncertaintyNs == 0 ? "one clock" : String.format(Locale.ROOT,
            "two clocks, offset %.3f ms +- %.3f ms", offsetNs / 1e6, uncertaintyNs / 1e6);
    }
}
