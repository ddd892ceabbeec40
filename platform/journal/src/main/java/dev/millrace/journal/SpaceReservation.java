package dev.millrace.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.MappedFile;
import net.openhft.chronicle.core.io.ReferenceOwner;

/**
 * Reserves the disk space of a file before records are written to it through mapped memory. There, a full disk ends the
 * process; a write of zeros fails with an exception instead. Zeros do not change a file beyond its last record. Also
 * synchronizes the file.
 *
 * <p>Threads: {@link #force} and {@link #prepare} may be called by any thread, all else by the thread that appends.
 */
final class SpaceReservation implements AutoCloseable
{
    /** Bytes that are reserved at once: a small file doubles, a large one grows by the maximum. */
    private static final int FIRST_STEP_BYTES = 1 << 18;
    private static final int STEP_BYTES = 4 << 20;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();
    /** Bytes that remain reserved after a record: more than an index of the file takes. */
    private static final int SLACK_BYTES = 1 << 18;
    /** How far the file is prepared ahead of the last record. */
    private static final int AHEAD_BYTES = 16 << 20;
    /** The part of a preparation that a close waits for. */
    private static final int PART_BYTES = 1 << 18;
    private static final int PAGE_BYTES = 4 << 10;

    private final Path path;
    private final FileChannel channel;
    private final MappedFile memory;
    private final ReferenceOwner user = ReferenceOwner.temporary("journal pages");
    private final long fileBytes;
    private final long minFreeBytes;
    /** Offsets up to which space is reserved and pages are touched; changed under the lock of this. */
    private volatile long reserved;
    private volatile long touched;
    /** Guarded by this. */
    private boolean isClosed;

    /**
     * @param memory    mapped memory of the file
     * @param used      offset after the last record
     * @param fileBytes size at which the file ends
     */
    SpaceReservation(final Path path, final MappedFile memory, final long used, final long fileBytes,
        final long minFreeBytes) throws IOException
    {
        this.path = path;
        this.memory = memory;
        this.fileBytes = fileBytes;
        this.minFreeBytes = minFreeBytes;
        channel = FileChannel.open(path, StandardOpenOption.WRITE);
        memory.reserve(user);
        // Chronicle Queue may have written an index after the last record, so zeros begin at a distance from it.
        reserved = used + SLACK_BYTES;
        touched = used & -PAGE_BYTES;
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
    synchronized void reserve(final long from, final int length)
    {
        try
        {
            while (!covers(from, length))
            {
                checkFree(path.toAbsolutePath().getParent(), minFreeBytes);
                final long end = reserved + Math.max(FIRST_STEP_BYTES, Math.min(STEP_BYTES, reserved));
                for (long written = reserved; written < end; reserved = written)
                {
                    written += channel.write(ZEROS.duplicate(), written);
                }
            }
        }
        catch (final IOException e)
        {
            throw full(path, "cause=" + e.getMessage(), e);
        }
    }

    /** Whether a file that grows fast has to be prepared now, so that it is before its records are written. */
    boolean isPreparationDue(final long from)
    {
        return from > STEP_BYTES && from + AHEAD_BYTES / 2 > touched && from + AHEAD_BYTES / 2 < fileBytes;
    }

    /**
     * Reserves space and touches pages, up to a distance from a record or to the end of the file.
     *
     * @throws JournalException if the disk is full
     */
    void prepare(final long from)
    {
        final long end = Math.min(from + AHEAD_BYTES, fileBytes);
        boolean isIncomplete = true;
        while (isIncomplete)
        {
            isIncomplete = preparePart(from & -PAGE_BYTES, end);
        }
    }

    private synchronized boolean preparePart(final long from, final long end)
    {
        long offset = Math.max(touched, from);
        if (isClosed || offset >= end)
        {
            return false;
        }
        if (!covers(offset, PART_BYTES))
        {
            reserve(offset, PART_BYTES);
        }
        final long partEnd = offset + PART_BYTES;
        while (offset < partEnd)
        {
            offset = touch(offset, partEnd);
        }
        touched = offset;
        return true;
    }

    /** Touches the pages of one mapped block; returns the offset of the first one after it. */
    private long touch(final long from, final long end)
    {
        long offset = from;
        try
        {
            final MappedBytesStore block = memory.acquireByteStore(user, from);
            for (; offset < end && block.inside(offset, Integer.BYTES); offset += PAGE_BYTES)
            {
                // Changes nothing, whether a record is there already or not.
                block.compareAndSwapInt(offset, 0, 0);
            }
            block.release(user);
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "a file of the journal cannot be mapped, file=" +
                path + ": " + e, e);
        }
        return offset;
    }

    /** Writes the file to the disk; may be called by any thread. */
    void force() throws IOException
    {
        channel.force(false);
    }

    @Override
    public synchronized void close() throws IOException
    {
        if (!isClosed)
        {
            isClosed = true;
            memory.release(user);
            channel.close();
        }
    }
}
