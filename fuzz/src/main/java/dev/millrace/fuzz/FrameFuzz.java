package dev.millrace.fuzz;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.FrameDecoder;
import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.adapter.loadgen.WireType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Frames of the binary wire format. The first byte of an input selects the columns, and whether the rest is a raw
 * stream or the rows of one frame with a valid header; the second selects where the stream is split in two. A stream
 * that arrives in two pieces must produce the same rows as one that arrives whole.
 */
public final class FrameFuzz
{
    private static final int MAX_FRAME_BYTES = 1 << 16;
    private static final List<WireType> TICK = List.of(WireType.CHAR8, WireType.DOUBLE);
    private static final List<WireType> ALL = List.of(WireType.CHAR16, WireType.INT, WireType.BIGINT, WireType.FLOAT,
        WireType.DOUBLE, WireType.BOOLEAN, WireType.TIMESTAMP);
    private static final int PREFIX_BYTES = 4;

    private FrameFuzz()
    {
    }

    /**
     * Decodes an input.
     *
     * @param data two selecting bytes, two bytes with the number of rows, and the stream
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < PREFIX_BYTES)
        {
            return;
        }
        final boolean isTick = (data[0] & 1) == 0;
        byte[] stream = Arrays.copyOfRange(data, PREFIX_BYTES, data.length);
        if ((data[0] & 2) != 0)
        {
            stream = framed(stream, (data[2] & 0xFF) | (data[3] & 0xFF) << 8, (data[0] & 4) != 0);
        }
        final int cut = stream.length == 0 ? 0 : (data[1] & 0xFF) % stream.length;
        final String whole = decode(isTick, stream, stream.length);
        final String pieces = decode(isTick, stream, cut);
        if (!whole.equals(pieces))
        {
            throw new IllegalStateException("whole: " + whole + ", cut at " + cut + ": " + pieces);
        }
    }

    private static byte[] framed(final byte[] rows, final int count, final boolean withNulls)
    {
        final ByteBuffer frame = ByteBuffer.allocate(WireFormat.FRAME_HEADER_BYTES + rows.length)
            .order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(frame.capacity() - WireFormat.LENGTH_BYTES);
        frame.put((byte)WireFormat.VERSION).put((byte)(withNulls ? WireFormat.FLAG_NULLS : 0)).putShort((short)count);
        return frame.putLong(1).put(rows).array();
    }

    private static String decode(final boolean isTick, final byte[] stream, final int cut)
    {
        final CountingSender sender = new CountingSender(isTick ? CountingSender.TICK : CountingSender.ALL);
        try
        {
            final BatchAssembler batch = new BatchAssembler(sender,
                BatchAssembler.columnsOf(sender.schema().type(), null));
            final FrameDecoder decoder = new FrameDecoder(batch, isTick ? TICK : ALL, MAX_FRAME_BYTES, "fuzz");
            String end = "";
            try
            {
                final int consumed = decoder.decode(stream, 0, cut);
                checkRange(consumed, 0, cut);
                checkRange(decoder.decode(stream, consumed, stream.length), consumed, stream.length);
            }
            catch (final WireFormatException e)
            {
                end = " refused=" + e.refusal();
            }
            batch.flush();
            return sender.counts() + end;
        }
        catch (final WireFormatException e)
        {
            throw new IllegalStateException("the columns were refused", e);
        }
    }

    private static void checkRange(final int consumed, final int from, final int to)
    {
        if (consumed < from || consumed > to)
        {
            throw new IllegalStateException("consumed=" + consumed + " of " + from + " to " + to);
        }
    }
}
