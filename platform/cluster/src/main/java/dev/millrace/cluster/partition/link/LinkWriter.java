package dev.millrace.cluster.partition.link;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.network.partition.RowEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes slots and times as frames to one connection, buffering several of them. Confined to the sending thread. */
public final class LinkWriter
{
    private static final int SEND_BYTES = 64 << 10;

    private final OutputStream out;
    private final RowEncoder encoder;
    private ByteBuffer buffer = ByteBuffer.allocate(SEND_BYTES * 2).order(ByteOrder.LITTLE_ENDIAN);

    public LinkWriter(final OutputStream out, final BatchSchema schema, final boolean timed)
    {
        this.out = out;
        encoder = new RowEncoder(schema, timed);
    }

    /** Writes rows or a marker; flushes when the buffer has reached its limit. */
    public void slot(final SendEntry slot) throws IOException
    {
        makeRoom();
        final int start = buffer.position();
        switch (slot.kind)
        {
            case ROWS ->
            {
                buffer.putInt(0).put(Frames.ROWS).putLong(slot.sequence).putLong(slot.epoch).putInt(slot.way);
                buffer = encoder.encode(slot.batch, buffer);
            }
            case MARK -> buffer.putInt(0).put(Frames.MARK).putLong(slot.sequence).putLong(slot.epoch);
            case END -> buffer.putInt(0).put(Frames.END).putLong(slot.sequence).putInt(slot.way);
            default -> throw new IllegalStateException("internal error, please report it: a slot of kind=" + slot.kind);
        }
        buffer.putInt(start, buffer.position() - start - Integer.BYTES);
        if (buffer.position() >= SEND_BYTES)
        {
            flush();
        }
    }

    /** Writes the time that a source has reached. */
    public void time(final int way, final long timeNs)
    {
        makeRoom();
        buffer.putInt(1 + Integer.BYTES + Long.BYTES).put(Frames.TIME).putInt(way).putLong(timeNs);
    }

    public void flush() throws IOException
    {
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    private void makeRoom()
    {
        if (buffer.remaining() < Frames.HEAD_BYTES)
        {
            buffer.flip();
            buffer = ByteBuffer.allocate(buffer.capacity() * 2).order(ByteOrder.LITTLE_ENDIAN).put(buffer);
        }
    }
}
