package dev.millrace.adapter.jdbc.polling;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The positions of the rows that a source has sent, by their numbers, in files of a directory that one source uses at
 * a time. They survive the end of the process. After a failure of the machine, the last ones may be missing. Confined
 * to one thread.
 */
public final class PositionLog implements AutoCloseable
{
    private static final String LOCK = "lock";

    private final Path directory;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final List<PositionSegment> segments = new ArrayList<>();

    private PositionLog(final Path directory, final FileChannel lockFile, final FileLock lock)
    {
        this.directory = directory;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Opens the files of a directory, which is created if necessary.
     *
     * @throws IOException if they cannot be read, or another source uses them
     */
    public static PositionLog open(final Path directory) throws IOException
    {
        Files.createDirectories(directory);
        final FileChannel file =
            FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try
        {
            final FileLock lock = file.tryLock();
            if (lock == null)
            {
                throw new IOException("another process uses the directory");
            }
            final PositionLog log = new PositionLog(directory, file, lock);
            log.read();
            return log;
        }
        catch (final OverlappingFileLockException e)
        {
            file.close();
            throw new IOException("another source of this process uses the directory", e);
        }
        catch (final IOException e)
        {
            file.close();
            throw e;
        }
    }

    private void read() throws IOException
    {
        final List<Path> found;
        try (Stream<Path> files = Files.list(directory))
        {
            found = files.filter(each -> each.toString().endsWith(PositionSegment.SUFFIX)).sorted().toList();
        }
        for (int i = 0; i < found.size(); i++)
        {
            try
            {
                segments.add(PositionSegment.open(found.get(i)));
            }
            catch (final IOException e)
            {
                if (i < found.size() - 1)
                {
                    throw new IOException("file=" + found.get(i) + " cause=" + e.getMessage(), e);
                }
                // The machine stopped while the file was created, before any row was sent.
                Files.delete(found.get(i));
            }
        }
    }

    /** Whether no start is recorded. */
    public boolean isEmpty()
    {
        return segments.isEmpty();
    }

    /** The description of the source that has written the files. */
    public String description()
    {
        return newest().header().description();
    }

    /** The instance property {@code startAt} at the first start. */
    public String startAt()
    {
        return newest().header().startAt();
    }

    /** Deletes everything, and records a start before row 1. */
    public void begin(final String description, final String startAt, final long position, final long tie)
        throws IOException
    {
        for (final PositionSegment each : segments)
        {
            each.delete();
        }
        segments.clear();
        segments.add(PositionSegment.create(directory,
            new PositionSegment.Header(1, position, tie, description, startAt)));
    }

    /** The number of the first row whose position is known. */
    public long first()
    {
        return segments.get(0).header().first();
    }

    /** The number of the last row. */
    public long last()
    {
        return newest().last();
    }

    /** The position of a row from {@link #first()} - 1 to {@link #last()}. */
    public long position(final long number) throws IOException
    {
        return segment(number).position(number);
    }

    /** The tie of a row from {@link #first()} - 1 to {@link #last()}. */
    public long tie(final long number) throws IOException
    {
        return segment(number).tie(number);
    }

    private PositionSegment newest()
    {
        return segments.get(segments.size() - 1);
    }

    private PositionSegment segment(final long number)
    {
        int index = segments.size() - 1;
        while (index > 0 && number < segments.get(index).header().first() - 1)
        {
            index--;
        }
        return segments.get(index);
    }

    /** Appends rows, at most a batch, in ascending order. */
    void append(final long[] positions, final long[] ties, final int from, final int to) throws IOException
    {
        final PositionSegment newest = newest();
        if (newest.isFull())
        {
            final long last = newest.last();
            segments.add(PositionSegment.create(directory, new PositionSegment.Header(last + 1, newest.position(last),
                newest.tie(last), description(), startAt())));
        }
        newest().append(positions, ties, from, to);
    }

    /** Whether {@link #release} may delete a file. */
    public boolean hasOldFiles()
    {
        // The file before the newest one remains, because stages may lose rows when the machine stops.
        return segments.size() > 2;
    }

    /** Deletes files that contain only rows up to a number. */
    public void release(final long stored) throws IOException
    {
        while (hasOldFiles() && segments.get(0).last() <= stored)
        {
            segments.get(0).delete();
            segments.remove(0);
        }
    }

    @Override
    public void close() throws IOException
    {
        try (lockFile)
        {
            for (final PositionSegment each : segments)
            {
                each.close();
            }
            lock.release();
        }
    }
}
