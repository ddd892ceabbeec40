package dev.millrace.command.scaling.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A thread that wakes up every millisecond and records its delay. For each input line, the process prints a line with
 * the delays since the last one: a compressed histogram of nanoseconds in Base64. It ends with the end of the input.
 */
public final class HiccupProcess
{
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(MAX_NS, SIGNIFICANT_DIGITS);

    private HiccupProcess()
    {
    }

    /**
     * Entry point; started only by {@link HiccupProbe}.
     *
     * @param args none
     * @throws IOException when input or output fail
     */
    public static void main(final String[] args) throws IOException
    {
        final HiccupProcess probe = new HiccupProcess();
        final Thread thread = new Thread(probe::wakeUp, "millrace-hiccup-probe");
        thread.setDaemon(true);
        thread.start();
        probe.answer(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)), System.out);
    }

    private void answer(final BufferedReader questions, final PrintStream answers) throws IOException
    {
        Histogram taken = null;
        while (questions.readLine() != null)
        {
            taken = recorder.getIntervalHistogram(taken);
            final ByteBuffer bytes = ByteBuffer.allocate(taken.getNeededByteBufferCapacity());
            final int length = taken.encodeIntoCompressedByteBuffer(bytes);
            bytes.position(0).limit(length);
            answers.println(StandardCharsets.US_ASCII.decode(Base64.getEncoder().encode(bytes)));
            answers.flush();
        }
    }

    private void wakeUp()
    {
        long dueNs = System.nanoTime() + PERIOD_NS;
        while (true)
        {
            final long waitNs = dueNs - System.nanoTime();
            if (waitNs > 0)
            {
                LockSupport.parkNanos(waitNs);
            }
            final long nowNs = System.nanoTime();
            while (nowNs >= dueNs)
            {
                recorder.recordValue(Math.min(MAX_NS, nowNs - dueNs));
                dueNs += PERIOD_NS;
            }
        }
    }
}
