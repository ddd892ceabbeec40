package dev.millrace.tuning.parts;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.FrameDecoder;
import dev.millrace.adapter.loadgen.FrameWriter;
import dev.millrace.adapter.loadgen.WireFormatException;
import dev.millrace.adapter.loadgen.WireType;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Frames of the load generator: rows to bytes and bytes to rows, without a socket. */
@State(Scope.Thread)
public class CodecBenchmark
{
    private static final int ROWS = 1 << 14;
    private static final int SYMBOLS = 1470;
    private static final int ROW_BYTES = 64;
    private static final int FRAME_BYTES = 1 << 16;
    private static final EventType TICK = EventType.tuple(
        "Tick", new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    /** Rows per frame. */
    @Param({"1", "10", "100"})
    private int rowsPerFrame;

    private final String[] symbols = new String[ROWS];
    private final double[] prices = new double[ROWS];
    private final ByteBuffer buffer = ByteBuffer.allocate(ROWS * ROW_BYTES);
    private final Counting sender = new Counting();
    private byte[] frames;
    private BatchAssembler rows;
    private FrameDecoder decoder;

    /** Counts decoded rows. */
    private static final class Counting implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(TICK);
        private long count;

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public void send(final EventBatch batch)
        {
            count += batch.size();
        }

        @Override
        public void reject(final int number, final String reason, final String detail)
        {
            throw new IllegalStateException("a row of the benchmark was rejected: " + detail);
        }

        @Override
        public EventBatchSender another()
        {
            throw new IllegalStateException("the benchmark has one thread");
        }
    }

    /** Creates rows and their frames. */
    @Setup
    public void fill()
    {
        final SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < ROWS; i++)
        {
            symbols[i] = "S" + random.nextInt(SYMBOLS);
            prices[i] = random.nextDouble(10, 500);
        }
        encode();
        frames = java.util.Arrays.copyOf(buffer.array(), buffer.position());
        rows = new BatchAssembler(sender, new int[] {0, 1});
        try
        {
            decoder = new FrameDecoder(rows, List.of(WireType.CHAR8, WireType.DOUBLE), FRAME_BYTES, "bench");
        }
        catch (final WireFormatException e)
        {
            throw new IllegalStateException("the decoder refuses the benchmark's columns", e);
        }
    }

    /** Rows to bytes. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int encode()
    {
        buffer.clear();
        final FrameWriter writer = new FrameWriter(buffer);
        for (int from = 0; from < ROWS; from += rowsPerFrame)
        {
            final int n = Math.min(rowsPerFrame, ROWS - from);
            writer.begin(n, from, 0);
            for (int i = from; i < from + n; i++)
            {
                writer.char8(symbols[i]).float64(prices[i]);
            }
            writer.end();
        }
        return buffer.position();
    }

    /** Bytes to rows, symbols to numbers. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long decode() throws WireFormatException
    {
        decoder.decode(frames, 0, frames.length);
        rows.flush();
        return sender.count;
    }
}
