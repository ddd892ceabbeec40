package dev.millrace.journal;

import java.io.IOException;
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
 * @param bytes its content
 */
record UnfinishedRecord(byte[] bytes)
{
    /** Records begin at multiples of this number of bytes. */
    private static final int ALIGNMENT = 4;
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
        final ByteBuffer rest = rest(file, end);
        final RecordFrame frame = new RecordFrame();
        UnfinishedRecord found = null;
        for (int at = (int)(-end & ALIGNMENT - 1); at + RecordFrame.HEAD_BYTES <= rest.limit(); at += ALIGNMENT)
        {
            if (found == null && isRecord(rest, at, frame, expected))
            {
                final int content = at + RecordFrame.HEAD_BYTES;
                found = new UnfinishedRecord(
                    Arrays.copyOfRange(rest.array(), content, content + rest.getInt(at + Integer.BYTES)));
            }
            else if (isRecord(rest, at, frame, expected + 1))
            {
                throw new JournalException(JournalErrorCode.DAMAGED, "a record of the journal is damaged, and others " +
                    "follow it, file=" + file + " offset=" + end + " position=" + expected +
                    JournalErrorCode.REPAIR_HINT);
            }
        }
        return found;
    }

    /** Whether the frame of a record begins at an offset. */
    private static boolean isRecord(final ByteBuffer rest, final int at, final RecordFrame frame, final long position)
    {
        final int length = rest.getInt(at + Integer.BYTES);
        final int content = at + RecordFrame.HEAD_BYTES;
        return rest.get(content - 1) == RecordFrame.RECORD && length >= 0 && length <= rest.limit() - content &&
            rest.getInt(at) == frame.checksum(position, RecordFrame.RECORD, rest.array(), content, length);
    }

    /** The bytes from an offset until the last one that is not zero. */
    private static ByteBuffer rest(final Path file, final long from) throws IOException
    {
        ByteBuffer all = ByteBuffer.allocate(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            final ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
            int used = 0;
            for (long at = from; at < channel.size(); at += step.limit())
            {
                step.clear();
                channel.read(step, at);
                step.flip();
                int end = step.limit();
                while (end > 0 && step.get(end - 1) == 0)
                {
                    end--;
                }
                if (end > 0)
                {
                    used = (int)(at - from) + end;
                    final ByteBuffer more = ByteBuffer.allocate((int)(at - from) + step.limit());
                    more.put(all.array(), 0, all.capacity()).position((int)(at - from));
                    all = more.put(step);
                }
                if (step.limit() == 0)
                {
                    break;
                }
            }
            return all.order(ByteOrder.LITTLE_ENDIAN).limit(used).position(0);
        }
    }
}
