package dev.millrace.adapter.loadgen;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes frames of a binary stream to a buffer, for senders and tests. Not thread-safe.
 *
 * <p>Call {@link #begin}, write the values of each row in wire order, then call {@link #end}. In a frame started with
 * nulls, each row starts with {@link #nulls}.
 */
public final class FrameWriter
{
    private final ByteBuffer buffer;
    private int frameStart;

    /**
     * Creates a writer.
     *
     * @param buffer filled from its position on; its byte order becomes little-endian
     */
    public FrameWriter(final ByteBuffer buffer)
    {
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Starts a frame.
     *
     * @param rowCount number of rows that follow, at most {@link WireFormat#MAX_ROWS}
     * @param dueNs    due time of the frame, nanoseconds by the server's clock
     * @param flags    0 or {@link WireFormat#FLAG_NULLS}
     * @return this
     */
    public FrameWriter begin(final int rowCount, final long dueNs, final int flags)
    {
        frameStart = buffer.position();
        buffer.putInt(0).put((byte)WireFormat.VERSION).put((byte)flags).putShort((short)rowCount).putLong(dueNs);
        return this;
    }

    /**
     * Starts a row of a frame with nulls: one bit per column, lowest bit first.
     *
     * @param bitmap bits of the row; the value of a null column is still written
     * @return this
     */
    public FrameWriter nulls(final byte... bitmap)
    {
        buffer.put(bitmap);
        return this;
    }

    /**
     * Writes a {@link WireType#CHAR8} value.
     *
     * @param text at most 255 bytes in UTF-8; the empty string is null
     * @return this
     */
    public FrameWriter char8(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFF)
        {
            throw new IllegalArgumentException("string too long for char8, bytes=" + bytes.length);
        }
        buffer.put((byte)bytes.length).put(bytes);
        return this;
    }

    /**
     * Writes a {@link WireType#CHAR16} value.
     *
     * @param text at most 65535 bytes in UTF-8; the empty string is null
     * @return this
     */
    public FrameWriter char16(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF)
        {
            throw new IllegalArgumentException("string too long for char16, bytes=" + bytes.length);
        }
        buffer.putShort((short)bytes.length).put(bytes);
        return this;
    }

    /** Writes a {@link WireType#INT} value. */
    public FrameWriter int32(final int value)
    {
        buffer.putInt(value);
        return this;
    }

    /** Writes a {@link WireType#BIGINT} or {@link WireType#TIMESTAMP} value. */
    public FrameWriter int64(final long value)
    {
        buffer.putLong(value);
        return this;
    }

    /** Writes a {@link WireType#FLOAT} value. */
    public FrameWriter float32(final float value)
    {
        buffer.putFloat(value);
        return this;
    }

    /** Writes a {@link WireType#DOUBLE} value. */
    public FrameWriter float64(final double value)
    {
        buffer.putDouble(value);
        return this;
    }

    /** Writes a {@link WireType#BOOLEAN} value. */
    public FrameWriter bool(final boolean value)
    {
        buffer.put((byte)(value ? 1 : 0));
        return this;
    }

    /** Ends the frame by writing its length. */
    public void end()
    {
        buffer.putInt(frameStart, buffer.position() - frameStart - WireFormat.LENGTH_BYTES);
    }
}
