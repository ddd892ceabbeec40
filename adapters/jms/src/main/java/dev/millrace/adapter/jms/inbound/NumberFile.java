package dev.millrace.adapter.jms.inbound;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A file of messages and the numbers of their first rows. Records are written before the rows are sent, and are not
 * forced to the disk: they survive the process, not the machine. A record that was cut off ends the file. Confined to
 * one thread.
 */
final class NumberFile implements AutoCloseable
{
    /**
     * A message, or the end of a transaction.
     *
     * @param id     that the provider has assigned; empty for the end of a transaction
     * @param first  number of its first row that was not received in an earlier transaction
     * @param before rows that were received in earlier transactions
     */
    record Entry(String id, long first, long before)
    {
        /** The end of the transaction that contains the messages before it. */
        static final Entry COMMIT = new Entry("", 0, 0);

        /** A message of a transaction that has not ended, of which a known number of rows was received. */
        static Entry resolved(final String id, final long rows)
        {
            return new Entry(id, Long.MAX_VALUE, rows);
        }

        /** Whether it does not depend on the number of the last row. */
        boolean isResolved()
        {
            return first == Long.MAX_VALUE;
        }

        /** The number of rows that were received. */
        long rows(final long received)
        {
            return before + Math.max(0, received - (first - 1));
        }
    }

    /** Length and checksum. */
    private static final int HEAD_BYTES = Integer.BYTES + Integer.BYTES;
    /** Number of the first row, and rows before it. */
    private static final int FIXED_BYTES = Long.BYTES + Long.BYTES;
    private static final int MAX_ID_BYTES = 4096;
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32 checksum = new CRC32();

    /** Opens or creates a file. */
    NumberFile(final Path file) throws IOException
    {
        Files.createDirectories(file.getParent());
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            if (channel.tryLock() == null)
            {
                throw new FileAlreadyExistsException(file.toString(), null, "another process uses the file");
            }
        }
        catch (final OverlappingFileLockException e)
        {
            channel.close();
            throw new FileAlreadyExistsException(file.toString(), null, "another source uses the file");
        }
        catch (final IOException e)
        {
            channel.close();
            throw e;
        }
    }

    /** The records of the file, in order. */
    List<Entry> read() throws IOException
    {
        final ByteBuffer all = ByteBuffer.allocate((int)Math.min(channel.size(), Integer.MAX_VALUE - 8));
        while (all.hasRemaining())
        {
            if (channel.read(all, all.position()) < 0)
            {
                throw new EOFException("the file was truncated while it was read");
            }
        }
        all.flip();
        final List<Entry> entries = new ArrayList<>();
        int validBytes = 0;
        Entry next = next(all);
        while (next != null)
        {
            entries.add(next);
            validBytes = all.position();
            next = next(all);
        }
        // The next record replaces one that was cut off.
        channel.truncate(validBytes);
        channel.position(validBytes);
        return entries;
    }

    private Entry next(final ByteBuffer from)
    {
        if (from.remaining() < HEAD_BYTES + FIXED_BYTES)
        {
            return null;
        }
        final int length = from.getInt();
        final int sum = from.getInt();
        if (length < FIXED_BYTES || length > FIXED_BYTES + MAX_ID_BYTES || length > from.remaining())
        {
            return null;
        }
        checksum.reset();
        checksum.update(from.array(), from.position(), length);
        if ((int)checksum.getValue() != sum)
        {
            return null;
        }
        final long first = from.getLong();
        final long before = from.getLong();
        final byte[] id = new byte[length - FIXED_BYTES];
        from.get(id);
        return new Entry(new String(id, StandardCharsets.UTF_8), first, before);
    }

    /** Replaces the contents. */
    void replace(final List<Entry> entries) throws IOException
    {
        buffer.clear();
        channel.truncate(0);
        channel.position(0);
        for (final Entry each : entries)
        {
            add(each);
        }
        write();
    }

    /** Adds a record; {@link #write} makes sure that it survives the process. */
    void add(final Entry entry) throws IOException
    {
        final byte[] id = entry.id().getBytes(StandardCharsets.UTF_8);
        if (id.length > MAX_ID_BYTES)
        {
            return;
        }
        final int length = FIXED_BYTES + id.length;
        if (buffer.remaining() < HEAD_BYTES + length)
        {
            write();
        }
        final int start = buffer.position();
        buffer.putInt(length).putInt(0).putLong(entry.first()).putLong(entry.before()).put(id);
        checksum.reset();
        checksum.update(buffer.array(), start + HEAD_BYTES, length);
        buffer.putInt(start + Integer.BYTES, (int)checksum.getValue());
    }

    /** Writes the records that were added. */
    void write() throws IOException
    {
        buffer.flip();
        while (buffer.hasRemaining())
        {
            channel.write(buffer);
        }
        buffer.clear();
    }

    long sizeBytes() throws IOException
    {
        return channel.size();
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
