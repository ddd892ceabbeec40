package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Rows as lines of text. */
final class LineEncoding implements RowEncoding
{
    private static final int TAIL_BYTES = 1 << 16;

    private final EventFormatter formatter;

    LineEncoding(final EventFormatter formatter)
    {
        this.formatter = formatter;
    }

    @Override
    public void check(final StageContext context, final String eventTypeName)
    {
        formatter.check(context, eventTypeName);
    }

    @Override
    public void map(final EventBatch batch) throws EventRejectedException
    {
        formatter.map(batch);
    }

    @Override
    public String header()
    {
        return formatter.header();
    }

    @Override
    public int select(final EventBatch batch, final int[] rows, final int count, final List<Object> refused)
    {
        return count;
    }

    @Override
    public ByteBuffer encode(final EventBatch batch, final int[] rows, final int count)
    {
        final StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            formatter.append(batch, rows[i], lines);
        }
        return StandardCharsets.UTF_8.encode(lines.toString());
    }

    @Override
    public long end(final FileChannel file) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES);
        long end = file.size();
        while (end > 0)
        {
            final long from = Math.max(0, end - TAIL_BYTES);
            bytes.clear().limit((int)(end - from));
            while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0)
            {
                // A read may return fewer bytes.
            }
            for (int i = bytes.position() - 1; i >= 0; i--)
            {
                if (bytes.get(i) == '\n')
                {
                    return from + i + 1;
                }
            }
            end = from;
        }
        return 0;
    }
}
