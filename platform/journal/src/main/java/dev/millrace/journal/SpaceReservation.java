package dev.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reserves the disk space of a file before records are written to it through mapped memory. There, a full disk ends the
 * process; a write of zeros fails with an exception instead. Zeros do not change a file beyond its last record. Also
 * synchronizes the file. Confined to the thread that appends, except {@link #force()}.
 */
final class SpaceReservation implements AutoCloseable
{
    private static final int STEP_BYTES = 4 << 20;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();
    /** Bytes that remain reserved after a record: more than an index of the file takes. */
    private static final int SLACK_BYTES = 1 << 18;

    private final Path path;
    private final FileChannel channel;
    private final long minFreeBytes;
    private long reserved;

    SpaceReservation(final Path path, final long used, final long minFreeBytes) throws IOException
    {
        this.path = path;
        this.minFreeBytes = minFreeBytes;
        channel = FileChannel.open(path, StandardOpenOption.WRITE);
        // Chronicle Queue may have written an index after the last record, so zeros begin at a distance from it.
        reserved = used + SLACK_BYTES;
    }

    /**
     * Fails if the disk has not enough space for a new file.
     *
     * @param directory existing directory
     */
    static void checkFree(final Path directory, final long minFreeBytes) throws IOException
    {
        final long free = Files.getFileStore(directory).getUsableSpace();
        if (free < minFreeBytes + STEP_BYTES)
        {
            throw full(directory, "free=" + free + " minFree=" + minFreeBytes, null);
        }
    }

    private static JournalException full(final Path where, final String why, final Throwable cause)
    {
        return new JournalException(JournalErrorCode.FULL, "the disk has no space for the journal, " + why + " at=" +
            where + "; free space, and it continues", cause);
    }

    /** Whether the space of a record is reserved. */
    boolean covers(final long from, final int length)
    {
        return from + length + SLACK_BYTES <= reserved;
    }

    /**
     * Reserves the space of a record and more.
     *
     * @param from offset of the record
     * @throws JournalException if the disk is full
     */
    void reserve(final long from, final int length)
    {
        try
        {
            while (!covers(from, length))
            {
                checkFree(path.toAbsolutePath().getParent(), minFreeBytes);
                for (final long end = reserved + STEP_BYTES; reserved < end;)
                {
                    reserved += channel.write(ZEROS.duplicate(), reserved);
                }
            }
        }
        catch (final IOException e)
        {
            throw full(path, "cause=" + e.getMessage(), e);
        }
    }

    /** Writes the file to the disk; may be called by any thread. */
    void force() throws IOException
    {
        channel.force(false);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
