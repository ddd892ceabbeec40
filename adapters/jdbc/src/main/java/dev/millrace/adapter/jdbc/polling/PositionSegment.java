package dev.millrace.adapter.jdbc.polling;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/**
 * A file with the positions of rows with consecutive numbers. Confined to one thread.
 *
 * <pre>
 *   header: magic, length, first number, position and tie before it, description of the source, checksum
 *   entry of a row: position, tie
 * </pre>
 *
 * Entries increase, so that an entry that was not written completely when the machine stopped is recognized.
 */
final class PositionSegment implements AutoCloseable
{
    static final String SUFFIX = ".positions";
    /** Rows of a file, after which the next one begins. */
    static final int CAPACITY = 1 << 20;

    private static final long MAGIC = 0x4D52504F53303031L;
    private static final int ENTRY_BYTES = 2 * Long.BYTES;
    private static final int PAGE_ENTRIES = 256;

    private final FileChannel file;
    private final Path path;
    private final Header header;
    private final int headerBytes;
    private final ByteBuffer out = ByteBuffer.allocateDirect(PAGE_ENTRIES * ENTRY_BYTES);
    /** Entries that were read last. */
    private final ByteBuffer page = ByteBuffer.allocateDirect(PAGE_ENTRIES * ENTRY_BYTES);
    private long pageFirst = -1;
    private long count;

    /**
     * The beginning of a segment.
     *
     * @param first       number of the first row
     * @param position    position before it
     * @param tie         tie before it
     * @param description of the source
     * @param startAt     instance property at the first start
     */
    record Header(long first, long position, long tie, String description, String startAt)
    {
        private byte[] encoded() throws IOException
        {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            final DataOutputStream data = new DataOutputStream(bytes);
            data.writeLong(first);
            data.writeLong(position);
            data.writeLong(tie);
            data.writeUTF(description);
            data.writeUTF(startAt);
            final CRC32 crc = new CRC32();
            crc.update(bytes.toByteArray());
            data.writeLong(crc.getValue());
            return bytes.toByteArray();
        }

        private static Header decoded(final FileChannel file) throws IOException
        {
            final DataInputStream data = new DataInputStream(Channels.newInputStream(file.position(0)));
            if (data.readLong() != MAGIC)
            {
                throw new IOException("not a file of positions");
            }
            data.readInt();
            final Header read = new Header(data.readLong(), data.readLong(), data.readLong(), data.readUTF(),
                data.readUTF());
            final CRC32 crc = new CRC32();
            final byte[] again = read.encoded();
            crc.update(again, 0, again.length - Long.BYTES);
            if (data.readLong() != crc.getValue())
            {
                throw new IOException("the header is damaged");
            }
            return read;
        }
    }

    private PositionSegment(final Path path, final FileChannel file, final Header header) throws IOException
    {
        this.path = path;
        this.file = file;
        this.header = header;
        headerBytes = Long.BYTES + Integer.BYTES + header.encoded().length;
    }

    /** Creates a file; its header is on the disk when this returns. */
    static PositionSegment create(final Path directory, final Header header) throws IOException
    {
        final Path path = directory.resolve(String.format("%015d%s", header.first(), SUFFIX));
        final FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ, StandardOpenOption.WRITE);
        final byte[] encoded = header.encoded();
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + encoded.length);
        bytes.putLong(MAGIC).putInt(encoded.length).put(encoded).flip();
        write(file, bytes, 0);
        file.force(true);
        return new PositionSegment(path, file, header);
    }

    /**
     * Opens a file and removes an incomplete end.
     *
     * @throws IOException if it cannot be read, or its header is incomplete or damaged
     */
    static PositionSegment open(final Path path) throws IOException
    {
        final FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            final PositionSegment segment = new PositionSegment(path, file, Header.decoded(file));
            segment.findEnd();
            return segment;
        }
        catch (final IOException e)
        {
            file.close();
            throw e;
        }
    }

    private void findEnd() throws IOException
    {
        final long complete = (file.size() - offset(header.first())) / ENTRY_BYTES;
        count = complete;
        long position = header.position();
        long tie = header.tie();
        for (long i = 0; i < complete; i++)
        {
            final long number = header.first() + i;
            if (compare(position, tie, position(number), tie(number)) >= 0)
            {
                count = i;
                break;
            }
            position = position(number);
            tie = tie(number);
        }
        file.truncate(offset(header.first() + count));
        pageFirst = -1;
    }

    private long offset(final long number)
    {
        return headerBytes + (number - header.first()) * ENTRY_BYTES;
    }

    static int compare(final long position, final long tie, final long otherPosition, final long otherTie)
    {
        final int order = Long.compare(position, otherPosition);
        return order == 0 ? Long.compare(tie, otherTie) : order;
    }

    Header header()
    {
        return header;
    }

    /** The number of the last row; 1 less than the first number without rows. */
    long last()
    {
        return header.first() + count - 1;
    }

    boolean isFull()
    {
        return count >= CAPACITY;
    }

    /** Appends the entries of rows; after a failure, the next call writes at the same offset. */
    void append(final long[] positions, final long[] ties, final int from, final int to) throws IOException
    {
        out.clear();
        for (int row = from; row < to; row++)
        {
            out.putLong(positions[row]).putLong(ties[row]);
        }
        write(file, out.flip(), offset(header.first() + count));
        count += to - from;
        pageFirst = -1;
    }

    private static void write(final FileChannel file, final ByteBuffer bytes, final long at) throws IOException
    {
        long offset = at;
        while (bytes.hasRemaining())
        {
            offset += file.write(bytes, offset);
        }
    }

    /** The position of a row, or that before the first row. */
    long position(final long number) throws IOException
    {
        return number == header.first() - 1 ? header.position() : page(number).getLong(index(number));
    }

    /** The tie of a row, or that before the first row. */
    long tie(final long number) throws IOException
    {
        return number == header.first() - 1 ? header.tie() : page(number).getLong(index(number) + Long.BYTES);
    }

    private int index(final long number)
    {
        return (int)(number - pageFirst) * ENTRY_BYTES;
    }

    private ByteBuffer page(final long number) throws IOException
    {
        final long first = number - (number - header.first()) % PAGE_ENTRIES;
        if (first != pageFirst)
        {
            page.clear();
            long offset = offset(first);
            for (int read = 0; read >= 0 && page.hasRemaining(); offset += read)
            {
                read = file.read(page, offset);
            }
            pageFirst = first;
        }
        return page;
    }

    /** Deletes the file. */
    void delete() throws IOException
    {
        file.close();
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }
}
