package dev.millrace.cql.replay.run;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.embedded.application.RowFeed;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import dev.millrace.network.spi.ApplicationRunner.Surroundings;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The rows of a file, one after the other. Lines that are no rows are reported and skipped. Confined to one thread; the
 * creator closes it.
 */
final class FileInput implements Closeable
{
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_LINE_BYTES = 1 << 24;
    private static final char SEPARATOR = ',';

    private final Connection connection;
    private final InputStream in;
    private final Surroundings surroundings;
    private final Runnable beforeRead;
    private final RowFeed feed;
    private final RowTime time;
    private final EventBatch batch;
    private final RowWriter writer;
    private final RowDecoder decoder;
    private byte[] bytes = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private boolean isEnd;
    private boolean isAtHeader;
    private boolean hasRow;
    private long line = 1;
    private long readBytes;
    private long invalidLines;
    private long timeNs;

    /**
     * @param in         the open file
     * @param beforeRead called before each read, which may block
     * @param feed       of the stage
     * @param time       of rows; {@code null} for times of arrival
     */
    FileInput(final Connection connection, final InputStream in, final Surroundings surroundings,
        final Runnable beforeRead, final RowFeed feed, final RowTime time)
    {
        this.connection = connection;
        this.in = in;
        this.surroundings = surroundings;
        this.beforeRead = beforeRead;
        this.feed = feed;
        this.time = time;
        batch = new EventBatch(feed.schema());
        final EventType type = feed.schema().type();
        final int[] columns = ColumnNames.of(type, null);
        writer = new RowWriter(batch, columns);
        decoder = connection.format() == Format.JSON ? new JsonDecoder(writer, type, false) :
            new CsvDecoder(writer, type, columns, true, true, SEPARATOR, null, false);
        isAtHeader = decoder.hasHeader();
    }

    /** Where its rows go. */
    RowFeed feed()
    {
        return feed;
    }

    /** The time column of its rows; {@code null} for times of arrival. */
    RowTime time()
    {
        return time;
    }

    /** Whether there is a current row. */
    boolean hasRow()
    {
        return hasRow;
    }

    /** The time of the current row. */
    long timeNs()
    {
        return timeNs;
    }

    /** Bytes read so far. */
    long readBytes()
    {
        return readBytes;
    }

    /** Lines so far that are no rows. */
    long invalidLines()
    {
        return invalidLines;
    }

    /** Sends the current row. */
    void send()
    {
        feed.send(batch);
    }

    /** Rejects the current row. */
    void reject(final String text)
    {
        invalid(line - decoder.lines(), text);
    }

    /** Continues with the next row; returns whether there is one. */
    boolean advance() throws IOException
    {
        hasRow = false;
        while (!hasRow && (from < to || !isEnd))
        {
            batch.clear();
            final int end = isAtHeader ? decoder.header(bytes, from, to, isEnd) :
                from == to ? RowDecoder.INCOMPLETE : decoder.decode(bytes, from, to, isEnd, 0);
            if (end == RowDecoder.INCOMPLETE)
            {
                fill();
            }
            else
            {
                record(end);
            }
        }
        return hasRow;
    }

    private void record(final int end) throws IOException
    {
        final long first = line;
        line += decoder.lines();
        from = end;
        isAtHeader = false;
        if (decoder.outcome() == RowDecoder.Outcome.REJECTED)
        {
            writer.abandon(0);
            invalid(first, decoder.reason().code() + ": " + decoder.reason().reason() + ", " + decoder.detail());
            if (decoder.isUnbounded())
            {
                skipLine();
            }
        }
        else if (decoder.outcome() == RowDecoder.Outcome.ROW)
        {
            batch.size(1);
            hasRow = isTimed(first);
        }
    }

    private boolean isTimed(final long first)
    {
        if (time == null)
        {
            return true;
        }
        final Long found = time.of(batch, 0);
        if (found == null)
        {
            invalid(first, "the row has no time, column=" +
                feed.schema().type().properties().get(time.column()).name());
            return false;
        }
        timeNs = found;
        return true;
    }

    private void invalid(final long number, final String text)
    {
        invalidLines++;
        surroundings.invalid(connection.file(), number, text);
    }

    /** Skips the rest of a line whose record has no end. */
    private void skipLine() throws IOException
    {
        while (from < to || !isEnd)
        {
            while (from < to)
            {
                if (bytes[from++] == '\n')
                {
                    line++;
                    return;
                }
            }
            fill();
        }
    }

    private void fill() throws IOException
    {
        System.arraycopy(bytes, from, bytes, 0, to - from);
        to -= from;
        from = 0;
        if (to == bytes.length)
        {
            if (to >= MAX_LINE_BYTES)
            {
                throw new IOException("a line is too long, file=" + connection.file() + " line=" + line +
                    " limitBytes=" + MAX_LINE_BYTES);
            }
            bytes = Arrays.copyOf(bytes, 2 * to);
        }
        beforeRead.run();
        final int count = in.read(bytes, to, bytes.length - to);
        isEnd = count < 0;
        to += Math.max(0, count);
        readBytes += Math.max(0, count);
    }

    @Override
    public void close() throws IOException
    {
        if (!connection.isStandard())
        {
            in.close();
        }
    }
}
