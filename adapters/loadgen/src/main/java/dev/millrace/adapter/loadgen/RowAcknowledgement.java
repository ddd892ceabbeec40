package dev.millrace.adapter.loadgen;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reports to a sender the number of its last row that was sent on, or that is stored if its stream has a name. Rejected
 * rows count as soon as all rows before them do. Confined to the I/O thread. A sender that does not read its
 * acknowledgements receives no further ones; it costs no memory.
 */
final class RowAcknowledgement
{
    /** The sending side of a connection. */
    @FunctionalInterface
    interface Output
    {
        /**
         * Writes as much as the socket accepts; accepted bytes are consumed.
         *
         * @return false if consumed bytes still wait for the socket
         */
        boolean write(ByteBuffer bytes) throws IOException;
    }

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final FrameDecoder frames;
    private final ResumedStream stream;
    /** The last acknowledged row. */
    private long acknowledged;
    /** The part of an acknowledgement that the socket has not accepted. */
    private ByteBuffer rest = NONE;
    /** Consumed bytes of it wait for the socket. */
    private boolean isHeld;

    /**
     * Creates an acknowledgement of no rows.
     *
     * @param frames counts the rows of the connection
     * @param stream {@code null} if it has no name
     */
    RowAcknowledgement(final FrameDecoder frames, final ResumedStream stream)
    {
        this.frames = frames;
        this.stream = stream;
        acknowledged = stream == null ? 0 : stream.stored();
    }

    /** Whether rows were received that are not acknowledged, or an acknowledgement is incomplete. */
    boolean isDue()
    {
        return isIncomplete() || acknowledged < received();
    }

    /** Whether the socket has accepted only a part of an acknowledgement. */
    boolean isIncomplete()
    {
        return rest.hasRemaining() || isHeld;
    }

    /**
     * Sends an acknowledgement, unless nothing is new. All rows of the connection must have been sent on.
     *
     * @return whether there was a new number
     */
    boolean send(final BatchAssembler out, final Output socket) throws IOException
    {
        if (isIncomplete())
        {
            write(socket);
        }
        if (isIncomplete())
        {
            return false;
        }
        final long now = stream == null ? received() : stream.storedNow(out);
        if (now <= acknowledged)
        {
            return false;
        }
        acknowledged = now;
        rest = WireFormat.acknowledgement(now);
        write(socket);
        return true;
    }

    private void write(final Output socket) throws IOException
    {
        isHeld = !socket.write(rest);
        rest = rest.hasRemaining() ? rest : NONE;
    }

    private long received()
    {
        return stream == null ? frames.rows() : stream.sent();
    }
}
