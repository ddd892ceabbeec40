package dev.millrace.command.scaling.fleet;

import dev.millrace.command.demo.SampleFigures;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * State of an instance at one time.
 *
 * @param atNs    time of the clock of this process, in the middle of the request
 * @param figures statistics of the application
 */
public record Sample(long atNs, SampleFigures figures, ProcessUsage use)
{
    private static final long MAX_NS = 3_600_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Returns the number of emitted rows. */
    public long output()
    {
        return figures.signals() + figures.trends();
    }

    /** Returns the latencies in nanoseconds of rows emitted since another sample. */
    public Histogram latencySince(final Sample before)
    {
        final Histogram latency = histogram();
        latency.subtract(before.histogram());
        return latency;
    }

    private Histogram histogram()
    {
        if (figures.histogram().isEmpty())
        {
            return new Histogram(MAX_NS, SIGNIFICANT_DIGITS);
        }
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(figures.histogram())), MAX_NS);
        }
        catch (final DataFormatException e)
        {
            throw new IllegalStateException("invalid histogram from the sample application", e);
        }
    }
}
