package dev.millrace.adapter.jdbc.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * One file of rows.
 *
 * <pre>
 *   magic (8 bytes) | offset up to which rows are in the database (8) | length of layout (4) | layout
 *   then records:     length (4) | CRC (4) | rows (4) | rows encoded by SpillCodec
 * </pre>
 *
 * <p>Threads: guarded by the lock of the buffer, except {@link #read}, which reads only bytes that no longer change.
 * Failure: {@code IOException}; a partial record at the end of the file, left when the process ended, is ignored.
 */
final class SpillFile implements AutoCloseable
{
    private static final long MAGIC = 0x4D524A5350494C31L;
    private static final int DONE_OFFSET = Long.BYTES;
    private static final int LENGTH_OFFSET = 2 * Long.BYTES;
    private static final int LAYOUT_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    private static final int RECORD_HEADER = 3 * Integer.BYTES;
    private static final int MAX_RECORD_BYTES = 1 << 30;

    private final Path path;
    private final FileChannel channel;
    private final RowLayout layout;
    private long end;
    private long next;
    private long done;
    private long rows;

    private SpillFile(final Path path, final FileChannel channel, final RowLayout layout, final long start)
    {
        this.path = path;
        this.channel = channel;
        this.layout = layout;
        end = start;
        next = start;
        done = start;
    }

    /** A record: its offset, length and number of rows. */
    record Extent(long offset, int length, int rows)
    {
        long end()
        {
            return offset + RECORD_HEADER + length;
        }
    }

    static SpillFile create(final Path path, final RowLayout layout) throws IOException
    {
        final byte[] described = layout.encoded();
        // Rows are user data: only the owner of the process may read them, regardless of the umask.
        final FileChannel channel = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ, StandardOpenOption.WRITE), mode("rw-------"));
        final long start = LAYOUT_OFFSET + described.length;
        write(channel, ByteBuffer.allocate((int)start).putLong(MAGIC).putLong(start).putInt(described.length)
            .put(described).flip(), 0);
        return new SpillFile(path, channel, layout, start);
    }

    /** Permissions of a new file or directory; a umask can only remove some of them. */
    static FileAttribute<Set<PosixFilePermission>> mode(final String permissions)
    {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Opens a file of an earlier run and counts its rows. */
    static SpillFile open(final Path path) throws IOException
    {
        final FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            final ByteBuffer header = read(channel, 0, LAYOUT_OFFSET);
            final int length = header.getInt(LENGTH_OFFSET);
            if (header.getLong(0) != MAGIC || length < 0 || length > channel.size())
            {
                throw new IOException("the file was not written by this adapter");
            }
            final RowLayout layout = RowLayout.of(read(channel, LAYOUT_OFFSET, length).array());
            final SpillFile file = new SpillFile(path, channel, layout, LAYOUT_OFFSET + length);
            file.scan(header.getLong(DONE_OFFSET));
            return file;
        }
        catch (final IOException e)
        {
            channel.close();
            throw e;
        }
    }

    private void scan(final long doneAt) throws IOException
    {
        done = Math.max(doneAt, end);
        next = done;
        end = done;
        for (Extent record = header(end); record != null && isWhole(record); record = header(end))
        {
            rows += record.rows;
            end = record.end();
        }
    }

    private Extent header(final long offset) throws IOException
    {
        if (offset + RECORD_HEADER > channel.size())
        {
            return null;
        }
        final ByteBuffer header = read(channel, offset, RECORD_HEADER);
        final int length = header.getInt(0);
        final Extent record = new Extent(offset, length, header.getInt(2 * Integer.BYTES));
        return length < 0 || length > MAX_RECORD_BYTES || record.end() > channel.size() ? null : record;
    }

    private boolean isWhole(final Extent record) throws IOException
    {
        final ByteBuffer bytes = read(channel, record.offset, RECORD_HEADER + record.length);
        return crc(bytes.array(), RECORD_HEADER, record.length) == bytes.getInt(Integer.BYTES);
    }

    private static int crc(final byte[] bytes, final int offset, final int length)
    {
        final CRC32 crc = new CRC32();
        crc.update(bytes, offset, length);
        return (int)crc.getValue();
    }

    Path path()
    {
        return path;
    }

    RowLayout layout()
    {
        return layout;
    }

    /** Number of rows that are not in the database yet. */
    long rows()
    {
        return rows;
    }

    long sizeBytes()
    {
        return end;
    }

    /** Bytes after the last complete record, which a process was writing when it ended. */
    long cutBytes() throws IOException
    {
        return channel.size() - end;
    }

    /** Size of the record of a block. */
    static int recordBytes(final byte[] payload)
    {
        return RECORD_HEADER + payload.length;
    }

    void append(final byte[] payload, final int count) throws IOException
    {
        final ByteBuffer record = ByteBuffer.allocate(recordBytes(payload)).putInt(payload.length)
            .putInt(crc(payload, 0, payload.length)).putInt(count).put(payload).flip();
        write(channel, record, end);
        end += recordBytes(payload);
        rows += count;
    }

    /** The next record that was not read yet; {@code null} if none. */
    Extent next() throws IOException
    {
        if (!hasNext())
        {
            return null;
        }
        final Extent record = header(next);
        if (record == null)
        {
            throw new IOException("the file was modified by another process");
        }
        next = record.end();
        return record;
    }

    /** Whether there is a record that was not read yet. */
    boolean hasNext()
    {
        return next < end;
    }

    /** Reads the rows of a record, encoded by {@link SpillCodec}. */
    byte[] read(final Extent record) throws IOException
    {
        final int crc = read(channel, record.offset, RECORD_HEADER).getInt(Integer.BYTES);
        final ByteBuffer bytes = read(channel, record.offset + RECORD_HEADER, record.length);
        if (crc(bytes.array(), 0, record.length) != crc)
        {
            throw new IOException("rows were modified after they were written, offset=" + record.offset);
        }
        return bytes.array();
    }

    /** Records persistently that all rows up to the end of a record are done. */
    void done(final Extent record) throws IOException
    {
        rows -= record.rows;
        done = record.end();
        write(channel, ByteBuffer.allocate(Long.BYTES).putLong(done).flip(), DONE_OFFSET);
    }

    boolean isDone()
    {
        return done >= end;
    }

    void delete() throws IOException
    {
        close();
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }

    private static void write(final FileChannel channel, final ByteBuffer bytes, final long offset) throws IOException
    {
        while (bytes.hasRemaining())
        {
            channel.write(bytes, offset + bytes.position());
        }
    }

    private static ByteBuffer read(final FileChannel channel, final long offset, final int length) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining())
        {
            if (channel.read(bytes, offset + bytes.position()) < 0)
            {
                throw new IOException("unexpected end of file");
            }
        }
        return bytes.flip();
    }
}
