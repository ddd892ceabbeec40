package dev.millrace.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * The bytes of a record in a file: checksum (4), length of the content (4), kind (1), content. The checksum covers the
 * position, so that a record is recognized only where it was written; the length is needed where Chronicle Queue has
 * not written its own yet. Confined to one thread.
 */
final class RecordFrame
{
    /** Checksum, length and kind. */
    static final int HEAD_BYTES = 2 * Integer.BYTES + 1;
    /** First record of each file. */
    static final byte FILE_HEADER = 'H';
    /** A record of the user. */
    static final byte RECORD = 'R';

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CRC32C checksum = new CRC32C();
    private final byte[] prefix = new byte[Long.BYTES + Integer.BYTES + 1];

    int checksum(final long position, final byte kind, final byte[] bytes, final int from, final int length)
    {
        LONG.set(prefix, 0, position);
        INT.set(prefix, Long.BYTES, length);
        prefix[Long.BYTES + Integer.BYTES] = kind;
        checksum.reset();
        checksum.update(prefix, 0, prefix.length);
        checksum.update(bytes, from, length);
        return (int)checksum.getValue();
    }

    /**
     * Appends a record.
     *
     * @param position that it will get
     */
    void append(final ExcerptAppender to, final long position, final byte ofKind, final byte[] bytes, final int from,
        final int length)
    {
        final int sum = checksum(position, ofKind, bytes, from, length);
        try (DocumentContext document = to.writingDocument())
        {
            document.wire().bytes().writeInt(sum).writeInt(length).writeByte(ofKind).write(bytes, from, length);
        }
        if (to.lastIndexAppended() != position)
        {
            throw new IllegalStateException("a record was written to another position, expected=" + position +
                " actual=" + to.lastIndexAppended());
        }
    }
}
