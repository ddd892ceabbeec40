package dev.millrace.adapter.file.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;

/** Reads the metadata at the end of a file. Stateless. */
final class Footer
{
    private static final int MAGIC_BYTES = 4;
    private static final int TAIL_BYTES = 8;
    private static final int MAX_BYTES = 64 << 20;
    /** Decoded metadata takes up to about 20 times as much memory as its bytes. */
    private static final int HEAP_PARTS = 64;
    /** The runtime copies what is read through a buffer of this size outside of the heap, which it keeps. */
    private static final int SLICE_BYTES = 1 << 16;
    private static final String MAGIC = "PAR1";
    private static final String ENCRYPTED_MAGIC = "PARE";

    private Footer()
    {
    }

    /** @throws RefusedFileException if the file of this size does not end with complete metadata */
    static FileMetaData read(final FileChannel channel, final long size) throws IOException
    {
        if (size < MAGIC_BYTES + TAIL_BYTES)
        {
            throw RefusedFileException.damaged("it is too short for a Parquet file, bytes=" + size);
        }
        final String head = StandardCharsets.ISO_8859_1.decode(bytes(channel, 0, MAGIC_BYTES)).toString();
        final ByteBuffer tail = bytes(channel, size - TAIL_BYTES, TAIL_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final int length = tail.getInt();
        final String magic = StandardCharsets.ISO_8859_1.decode(tail).toString();
        if (magic.equals(ENCRYPTED_MAGIC))
        {
            throw RefusedFileException.unsupported("its footer is encrypted, which this source cannot read");
        }
        if (!head.equals(MAGIC) || !magic.equals(MAGIC))
        {
            throw RefusedFileException.damaged("it does not begin and end with PAR1: it is not a Parquet file, or it " +
                "is not complete");
        }
        if (length <= 0 || length > size - MAGIC_BYTES - TAIL_BYTES)
        {
            throw RefusedFileException.damaged("the length of its footer is wrong, bytes=" + length);
        }
        final long maximum = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
        if (length > maximum)
        {
            throw RefusedFileException.unsupported("its footer needs too much memory, bytes=" + length + " maximum=" +
                maximum + "; write fewer columns or row groups, or increase -Xmx");
        }
        return check(parse(bytes(channel, size - TAIL_BYTES - length, length)));
    }

    private static FileMetaData parse(final ByteBuffer bytes) throws IOException
    {
        try
        {
            return Metadata.read(new ByteArrayInputStream(bytes.array()), new FileMetaData(), bytes.limit());
        }
        catch (final IOException | RuntimeException e)
        {
            throw RefusedFileException.damaged("its footer cannot be read: " + e);
        }
    }

    private static FileMetaData check(final FileMetaData metadata) throws RefusedFileException
    {
        long rows = 0;
        for (final RowGroup group : metadata.getRow_groups())
        {
            if (group.getNum_rows() < 0 || rows + group.getNum_rows() < 0)
            {
                throw RefusedFileException.damaged("the number of rows of a row group is wrong, rows=" +
                    group.getNum_rows());
            }
            rows += group.getNum_rows();
        }
        if (rows != metadata.getNum_rows())
        {
            throw RefusedFileException.damaged("its row groups have " + rows + " rows, its footer has " +
                metadata.getNum_rows());
        }
        return metadata;
    }

    /** Bytes at a position. */
    static ByteBuffer bytes(final FileChannel channel, final long position, final int length) throws DiskException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(length);
        read(channel, position, bytes);
        return bytes.flip();
    }

    /** Fills a buffer with bytes from a position on. */
    static void read(final FileChannel channel, final long position, final ByteBuffer to) throws DiskException
    {
        final long begin = position - to.position();
        final int end = to.limit();
        try
        {
            while (to.position() < end)
            {
                to.limit(Math.min(end, to.position() + SLICE_BYTES));
                if (channel.read(to, begin + to.position()) < 0)
                {
                    throw new DiskException("the file has become shorter", null);
                }
            }
        }
        catch (final IOException e)
        {
            throw e instanceof DiskException known ? known : new DiskException(e.getMessage(), e);
        }
    }
}
