package dev.millrace.tuning.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/**
 * Whether client and server read one clock. Java's monotonic clock is the same for all processes of a Linux machine,
 * but not for two machines: a client asks the server for its time and looks whether the answer lies between the
 * question and the arrival of the answer. If it always does, the clock is one and the offset 0; if not, the offset is
 * taken from the fastest exchange, and is uncertain by half of what that took.
 *
 * @param offsetNs      what to add to the client's time to get the server's
 * @param uncertaintyNs by how much that may be wrong; 0 when the clock is one
 */
record ClockCheck(long offsetNs, long uncertaintyNs)
{
    /** Questions of a check. */
    static final int EXCHANGES = 16;

    /**
     * The offset from exchanges.
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

    /** Asks the server at the other end, which is in the state of {@link Handshake}. */
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
