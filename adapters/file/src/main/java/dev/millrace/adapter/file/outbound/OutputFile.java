package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.file.property.FileErrorCode;
import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The file that is being written, and its rotation. Not thread-safe.
 *
 * <p>Failure: {@link IOException}; {@link #append} then leaves the file as it was before.
 */
final class OutputFile implements AutoCloseable
{
    private static final int TAIL_BYTES = 1 << 16;

    private final SinkSettings settings;
    private FileChannel lockChannel;
    private FileChannel channel;
    private long length;
    private int number;
    private long createdMs;

    /** @param settings of the sink, which owns this object */
    OutputFile(final SinkSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Opens the file, and removes what was written after the stored positions, or an incomplete last line.
     *
     * @param stored {@code null} if none are stored
     */
    void open(final PositionFile stored, final long nowMs) throws IOException
    {
        Files.createDirectories(settings.file().getParent());
        lock();
        number = stored == null ? lastRotated() + 1 : stored.number();
        final boolean isRotated = stored != null && (Files.exists(settings.rotated(number)) ||
            Files.exists(settings.compressed(number)));
        if (isRotated)
        {
            // The process was killed after it had renamed the file; a new one has no row with a stored number.
            Files.deleteIfExists(settings.file());
            truncate(settings.rotated(number), stored.length());
            number++;
        }
        final boolean exists = Files.exists(settings.file());
        channel = FileChannel.open(settings.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.READ);
        final long known = stored == null || isRotated || !exists ? -1 : stored.length();
        if (known > channel.size())
        {
            throw new IOException(FileErrorCode.POSITIONS.message("the file is shorter than its stored positions, " +
                "file=" + settings.file() + " bytes=" + channel.size() + " stored=" + known, "rows are missing: " +
                "restore the file; or delete " + settings.positions() + " to write what follows in any case"));
        }
        length = known >= 0 ? known : endOfLastLine();
        channel.truncate(length);
        channel.position(length);
        createdMs = exists ? Files.readAttributes(settings.file(), BasicFileAttributes.class)
            .creationTime().toMillis() : nowMs;
    }

    /** If a rotation has failed halfway before the kill, further rows were appended to the renamed file. */
    private static void truncate(final Path path, final long bytes) throws IOException
    {
        if (Files.exists(path))
        {
            try (FileChannel renamed = FileChannel.open(path, StandardOpenOption.WRITE))
            {
                renamed.truncate(bytes);
            }
        }
    }

    private void lock() throws IOException
    {
        final Path path = settings.file().resolveSibling(settings.file().getFileName() + ".lock");
        lockChannel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try
        {
            lock = lockChannel.tryLock();
        }
        catch (final OverlappingFileLockException e)
        {
            // Another sink of this process.
        }
        if (lock == null)
        {
            lockChannel.close();
            // During an update, the next version is called again when this one has released the file.
            throw new BindException(FileErrorCode.OPEN.message("another sink writes the file, file=" +
                settings.file(), "use a file for each sink, also in other processes"));
        }
    }

    private int lastRotated() throws IOException
    {
        final String sample = settings.rotated(0).getFileName().toString();
        final int at = sample.indexOf("-000000");
        final Pattern pattern = Pattern.compile(Pattern.quote(sample.substring(0, at)) + "-(\\d{6,9})" +
            Pattern.quote(sample.substring(at + 7)) + "(\\.gz)?");
        int last = 0;
        try (Stream<Path> files = Files.list(settings.file().getParent()))
        {
            for (final Path each : files.toList())
            {
                final Matcher matcher = pattern.matcher(each.getFileName().toString());
                last = matcher.matches() ? Math.max(last, Integer.parseInt(matcher.group(1))) : last;
            }
        }
        return last;
    }

    /** The end of the last complete line: a crash of the machine may leave a part of one. */
    private long endOfLastLine() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES);
        long end = channel.size();
        while (end > 0)
        {
            final long from = Math.max(0, end - TAIL_BYTES);
            bytes.clear().limit((int)(end - from));
            while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0)
            {
                // A read may return fewer bytes.
            }
            for (int i = bytes.position() - 1; i >= 0; i--)
            {
                if (bytes.get(i) == '\n')
                {
                    return from + i + 1;
                }
            }
            end = from;
        }
        return 0;
    }

    /** The first line of the file without its end; {@code null} if the file is empty. */
    String firstLine() throws IOException
    {
        if (length == 0)
        {
            return null;
        }
        try (Stream<String> lines = Files.lines(settings.file(), StandardCharsets.UTF_8))
        {
            return lines.findFirst().orElse(null);
        }
    }

    /** Appends bytes, all or none. */
    void append(final ByteBuffer bytes) throws IOException
    {
        try
        {
            final int count = bytes.remaining();
            while (bytes.hasRemaining())
            {
                channel.write(bytes);
            }
            length += count;
        }
        catch (final IOException e)
        {
            channel.truncate(length);
            channel.position(length);
            throw e;
        }
    }

    long length()
    {
        return length;
    }

    int number()
    {
        return number;
    }

    /** The open file, whose bytes another thread may write to the disk. */
    FileChannel channel()
    {
        return channel;
    }

    /** The positions to store for the file. */
    PositionFile positions(final Map<String, Long> producers)
    {
        return new PositionFile(number, length, producers);
    }

    /** Whether the file is large or old enough; an empty one never is. */
    boolean isDue(final long nowMs)
    {
        return length > 0 && (settings.rotateBytes() > 0 && length >= settings.rotateBytes() ||
            settings.rotateMillis() > 0 && nowMs - createdMs >= settings.rotateMillis());
    }

    /**
     * Renames the file, whose bytes and positions are stored, and begins the next one. May be called again after a
     * failure.
     *
     * @return the renamed file
     */
    Path rotate(final long nowMs) throws IOException
    {
        final Path to = settings.rotated(number);
        if (!Files.exists(to))
        {
            Files.move(settings.file(), to, StandardCopyOption.ATOMIC_MOVE);
        }
        final FileChannel next = FileChannel.open(settings.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING);
        PositionFile.syncDirectory(settings.file());
        channel.close();
        channel = next;
        length = 0;
        number++;
        createdMs = nowMs;
        return to;
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        finally
        {
            if (lockChannel != null)
            {
                lockChannel.close();
            }
        }
    }
}
