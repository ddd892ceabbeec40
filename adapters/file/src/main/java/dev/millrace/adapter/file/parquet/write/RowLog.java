package dev.millrace.adapter.file.parquet.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;

/** Reads a log: a line of text with the columns, then records. Confined to one thread. */
public final class RowLog
{
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel channel;
    private ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    /** Position in the file after the last record. */
    private long end;

    private RowLog(final FileChannel channel)
    {
        this.channel = channel;
    }

    /**
     * Finds the end of the last complete record; a crash of the machine may leave a part of one.
     *
     * @param channel whose position is not used
     */
    public static long end(final FileChannel channel) throws IOException
    {
        final RowLog log = new RowLog(channel);
        if (log.line() == null)
        {
            return 0;
        }
        while (log.next() != null)
        {
            // Counts.
        }
        return log.end;
    }

    /**
     * Writes the rows of a log to a Parquet file. Leaves an incomplete file only if the process is killed.
     *
     * @param groupBytes memory from which a row group is written
     * @throws IOException also if the log is damaged; if only a record is, the file contains the rows before it
     */
    public static void convert(final Path log, final Path to, final PageCompression compression,
        final long groupBytes) throws IOException
    {
        try (FileChannel channel = FileChannel.open(log))
        {
            final RowLog rows = new RowLog(channel);
            final List<ParquetColumn> columns = rows.columns(log);
            boolean isComplete = false;
            try (ParquetFileWriter writer = new ParquetFileWriter(to, columns, compression, groupBytes))
            {
                for (ByteBuffer record = rows.next(); record != null; record = rows.next())
                {
                    writer.write(record);
                }
                writer.end();
                isComplete = true;
            }
            finally
            {
                if (!isComplete && Files.isRegularFile(to))
                {
                    Files.delete(to);
                }
            }
            if (rows.end != channel.size())
            {
                throw new IOException("the log is damaged, file=" + log + " position=" + rows.end + " of=" +
                    channel.size());
            }
        }
    }

    private List<ParquetColumn> columns(final Path log) throws IOException
    {
        final String text = line();
        try
        {
            return ParquetColumn.parse(text == null ? "" : text);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IOException("the log is damaged: its first line does not contain columns, file=" + log, e);
        }
    }

    /** The first line without its end; {@code null} if it is not complete. */
    private String line() throws IOException
    {
        int length = 0;
        while (fill(length + 1))
        {
            if (bytes.get(bytes.position() + length) == '\n')
            {
                final String line = new String(bytes.array(), bytes.position(), length, StandardCharsets.UTF_8);
                skip(length + 1);
                return line;
            }
            if (++length > ParquetColumn.MAX_TEXT_BYTES)
            {
                return null;
            }
        }
        return null;
    }

    /** The body of the next record, valid until the next call; {@code null} if none is complete and undamaged. */
    private ByteBuffer next() throws IOException
    {
        if (!fill(RowLogEncoder.HEAD_BYTES))
        {
            return null;
        }
        final int length = bytes.getInt(bytes.position());
        final int expected = bytes.getInt(bytes.position() + Integer.BYTES);
        if (length <= 0 || length > RowLogEncoder.MAX_BYTES || !fill(RowLogEncoder.HEAD_BYTES + length))
        {
            return null;
        }
        final int body = bytes.position() + RowLogEncoder.HEAD_BYTES;
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes.array(), body, length);
        if ((int)checksum.getValue() != expected)
        {
            return null;
        }
        skip(RowLogEncoder.HEAD_BYTES + length);
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(body + length).position(body);
    }

    private void skip(final int length)
    {
        bytes.position(bytes.position() + length);
        end += length;
    }

    /** Reads until the buffer has a number of bytes; returns false if the file does not have them. */
    private boolean fill(final int length) throws IOException
    {
        if (bytes.remaining() >= length)
        {
            return true;
        }
        if (length > channel.size() - end)
        {
            return false;
        }
        if (length > bytes.capacity())
        {
            bytes = ByteBuffer.allocate(Math.max(length, 2 * bytes.capacity())).order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes);
        }
        else
        {
            bytes.compact();
        }
        long position = end + bytes.position();
        while (bytes.hasRemaining())
        {
            final int count = channel.read(bytes, position);
            if (count < 0)
            {
                break;
            }
            position += count;
        }
        return bytes.flip().remaining() >= length;
    }
}
