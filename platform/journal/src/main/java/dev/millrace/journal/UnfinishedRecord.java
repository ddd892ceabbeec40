package dev.millrace.journal;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A record after the end of the last file that is complete, but not marked as complete. A process that is killed may
 * leave one such record. It is adopted, because it cannot be distinguished from a record whose mark was damaged later.
 * A process never leaves two; if a second one follows, the mark of the first one is damaged.
 *
 * @param frame      its bytes, see {@link RecordFrame}
 * @param offset     at which the mark of the next record belongs
 * @param usedOffset after the last byte of the file that is not zero
 */
record UnfinishedRecord(byte[] frame, long offset, long usedOffset)
{
    /** Records begin at multiples of this number of bytes. */
    private static final int ALIGNMENT = 4;
    /** The mark of Chronicle Queue before each record: the number of its bytes, without flags if it is complete. */
    private static final int MARK_BYTES = Integer.BYTES;
    private static final int STEP_BYTES = 1 << 20;

    /**
     * Searches the bytes after the last record.
     *
     * @param end      offset at which the last record ends
     * @param expected position of the next record
     * @return {@code null} if no complete record follows
     * @throws JournalException if several records follow
     */
    static UnfinishedRecord find(final Path file, final long end, final long expected) throws IOException
    {
        final Rest rest = Rest.read(file, end);
        UnfinishedRecord found = null;
        final int begin = (int)(-end & ALIGNMENT - 1);
        for (int at = begin; at + RecordFrame.HEAD_BYTES <= rest.used; at += ALIGNMENT)
        {
            if (found == null && rest.isRecord(at, expected))
            {
                found = new UnfinishedRecord(rest.frame(at), end + begin, end + rest.used);
            }
            else if (rest.isRecord(at, expected + 1))
            {
                throw new JournalException(JournalErrorCode.DAMAGED, "a record of the journal is damaged, and others " +
                    "follow it, file=" + file + " offset=" + end + " position=" + expected +
                    JournalErrorCode.REPAIR_HINT);
            }
        }
        return found;
    }

    /**
     * Marks it as complete, where it is: the meaning of a record can depend on earlier ones of its file. After a loss
     * of power, pages may be missing in front of it; then it is moved there.
     *
     * @throws IOException if the file cannot be written
     */
    void complete(final Path file) throws IOException
    {
        final long content = offset + MARK_BYTES;
        final int rest = (int)Math.max(0, usedOffset - content - frame.length);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            write(channel, ByteBuffer.wrap(frame), content);
            write(channel, ByteBuffer.allocate(rest), content + frame.length);
            channel.force(false);
            write(channel, ByteBuffer.allocate(MARK_BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, frame.length),
                offset);
            channel.force(false);
        }
    }

    private static void write(final FileChannel channel, final ByteBuffer bytes, final long at) throws IOException
    {
        long next = at;
        while (bytes.hasRemaining())
        {
            next += channel.write(bytes, next);
        }
    }

    /** The bytes after the last record; zeros follow those that are used. */
    private static final class Rest
    {
        private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

        private final RecordFrame frame = new RecordFrame();
        private final long size;
        private final int used;
        private byte[] bytes;

        /**
         * @param bytes up to the last one that is not zero, or more
         * @param size  the number of bytes until the end of the file
         */
        Rest(final byte[] bytes, final long size)
        {
            this.bytes = bytes;
            this.size = size;
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] == 0)
            {
                end--;
            }
            used = end;
        }

        /**
         * Reads a file from an offset. Most of it is a hole, but all of it is read: after a loss of power, zeros may be
         * in front of written pages.
         */
        static Rest read(final Path file, final long from) throws IOException
        {
            byte[] all = {};
            final ByteBuffer step = ByteBuffer.allocateDirect(STEP_BYTES);
            final ByteBuffer zeros = ByteBuffer.allocateDirect(STEP_BYTES);
            long at = from;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
            {
                for (int read = channel.read(step, at); read > 0; read = channel.read(step.clear(), at))
                {
                    step.flip();
                    if (step.mismatch(zeros.limit(read)) >= 0)
                    {
                        final int offset = (int)(at - from);
                        all = Arrays.copyOf(all, offset + read);
                        step.get(all, offset, read);
                    }
                    at += read;
                }
            }
            return new Rest(all, at - from);
        }

        private int length(final int at)
        {
            return (int)INT.get(bytes, at + Integer.BYTES);
        }

        /** Whether the frame of a record begins at an offset. Its content may end with zeros. */
        boolean isRecord(final int at, final long position)
        {
            final int length = length(at);
            final int content = at + RecordFrame.HEAD_BYTES;
            if (bytes[content - 1] != RecordFrame.RECORD || length < 0 || length > size - content)
            {
                return false;
            }
            if (content + length > bytes.length)
            {
                bytes = Arrays.copyOf(bytes, content + length);
            }
            return (int)INT.get(bytes, at) == frame.checksum(position, RecordFrame.RECORD, bytes, content, length);
        }

        byte[] frame(final int at)
        {
            return Arrays.copyOfRange(bytes, at, at + RecordFrame.HEAD_BYTES + length(at));
        }
    }
}
