package dev.millrace.adapter.file.line;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;

/** Sink that writes events as lines to the standard output of the process. */
public final class ConsoleSink extends LineSink
{
    private static final int LINES_PER_SECOND = 1_000;

    private final OutputStream out;

    /** @param out standard output; unbuffered, so that failures are known at once; not closed */
    public ConsoleSink(final OutputStream out, final LongSupplier nanoTime)
    {
        super(LINES_PER_SECOND, nanoTime);
        this.out = out;
    }

    @Override
    void open(final PropertyCheck check)
    {
        // The output is always open.
    }

    @Override
    boolean isEnabled()
    {
        return true;
    }

    @Override
    void write(final List<String> lines) throws IOException
    {
        // One call, so that lines of several sinks are not mixed.
        out.write((String.join("\n", lines) + '\n').getBytes(StandardCharsets.UTF_8));
    }
}
