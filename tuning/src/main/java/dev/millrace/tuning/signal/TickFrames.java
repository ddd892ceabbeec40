package dev.millrace.tuning.signal;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.FrameDecoder;
import dev.millrace.adapter.loadgen.FrameWriter;
import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.adapter.loadgen.WireType;
import dev.millrace.tuning.harness.TickData;
import java.nio.ByteBuffer;
import java.util.List;

/** All ticks as frames of the load generator. Immutable after construction. */
public final class TickFrames
{
    private static final int MAX_ROW_BYTES = 1 + 8 + 8;
    private static final int FRAME_BYTES = 1 << 16;

    private final byte[] bytes;
    private final int end;

    public TickFrames(final TickData data, final int rowsPerFrame)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(
            TickData.EVENTS * MAX_ROW_BYTES + TickData.EVENTS / rowsPerFrame * 16 + FRAME_BYTES);
        final FrameWriter writer = new FrameWriter(buffer);
        for (int from = 0; from < TickData.EVENTS; from += rowsPerFrame)
        {
            final int n = Math.min(rowsPerFrame, TickData.EVENTS - from);
            writer.begin(n, from * 3L, 0);
            for (int i = from; i < from + n; i++)
            {
                writer.char8(data.names[data.symbols[i]]).float64(data.prices[i]);
            }
            writer.end();
        }
        bytes = buffer.array();
        end = buffer.position();
    }

    byte[] bytes()
    {
        return bytes;
    }

    /** End of the frames in {@link #bytes()}. */
    int end()
    {
        return end;
    }

    /** A decoder of the frames. */
    public FrameDecoder decoder(final BatchAssembler rows) throws WireFormatException
    {
        return new FrameDecoder(rows, List.of(WireType.CHAR8, WireType.DOUBLE), FRAME_BYTES, "bench");
    }

    /** Passes all frames through a decoder. */
    public void decode(final FrameDecoder decoder, final BatchAssembler rows)
    {
        try
        {
            final int decoded = decoder.decode(bytes, 0, end);
            if (decoded != end)
            {
                throw new IllegalStateException("bytes are left over, decoded=" + decoded + " of=" + end);
            }
            rows.flush();
        }
        catch (final WireFormatException e)
        {
            throw new IllegalStateException("the decoder refuses the benchmark's frames", e);
        }
    }
}
