package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.file.property.FileErrorCode;
import java.io.ByteArrayOutputStream;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that is being written, and its rotation. Not thread-safe.
 *
 * <p>Failure: {@link IOException}; {@link #append} then leaves the file as it was before.
 */
final class OutputFile implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(OutputFile.class);
    private static final int LINE_BYTES = 1 << 12;
    private static final int NUMBER_BYTES = 10;

    private final SinkSettings settings;
    private final RowEncoding encoding;
    private FileChannel lockChannel;
    private FileChannel channel;
    private long length;
    private int number;
    private long createdMs;
    /** Whether the file has its new name, and the next one could not be opened. */
    private boolean isRenamed;

    /** @param settings of the sink, which owns this object */
    OutputFile(final SinkSettings settings, final RowEncoding encoding)
    {
        this.settings = settings;
        this.encoding = encoding;
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
        final FileNames names = settings.names();
        number = stored != null ? stored.number() : 1 + Math.max(usedNumber(),
            names.numbers().stream().mapToInt(Integer::intValue).max().orElse(0));
        final Path rotated = names.rotated(number);
        // Other files may have the name, for example restored ones: a renamed file is not empty, and not shorter.
        final boolean isRotated = stored != null && stored.length() > 0 && Files.exists(rotated) &&
            Files.size(rotated) >= stored.length();
        if (isRotated)
        {
            // The process was killed after it had renamed the file; a new one has no row with a stored number.
            Files.deleteIfExists(settings.file());
            truncate(rotated, stored.length());
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
        length = known >= 0 ? known : encoding.end(channel);
        if (known < 0 && channel.size() > length)
        {
            LOG.warn("the end of the file is incomplete and is removed, stage={} file={} bytes={} kept={}",
                settings.stageName(), settings.file(), channel.size(), length);
        }
        channel.truncate(length);
        channel.position(length);
        createdMs = exists ? Files.readAttributes(settings.file(), BasicFileAttributes.class)
            .creationTime().toMillis() : nowMs;
    }

    /** If a rotation has failed halfway before the kill, further rows were appended to the renamed file. */
    private static void truncate(final Path path, final long bytes) throws IOException
    {
        try (FileChannel renamed = FileChannel.open(path, StandardOpenOption.WRITE))
        {
            renamed.truncate(bytes);
        }
    }

    private void lock() throws IOException
    {
        lockChannel = FileChannel.open(settings.names().lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.READ);
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

    /** The last number of a rotated file, of which another program may have taken all; 0 if none is known. */
    private int usedNumber() throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.allocate(NUMBER_BYTES);
        while (bytes.hasRemaining() && lockChannel.read(bytes, bytes.position()) >= 0)
        {
            // A read may return fewer bytes.
        }
        final String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
        if (!text.matches("\\d{0,9}"))
        {
            throw new IOException("the number of the last rotated file cannot be read: delete " +
                settings.names().lock());
        }
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /**
     * Chooses a number that no rotated file has or had. Must precede a rotation, and the positions that are stored for
     * it.
     */
    void reserveNumber() throws IOException
    {
        if (isRenamed)
        {
            return;
        }
        while (settings.names().exists(number))
        {
            number++;
        }
        final ByteBuffer bytes = StandardCharsets.US_ASCII.encode(String.format("%09d\n", number));
        while (bytes.hasRemaining())
        {
            lockChannel.write(bytes, bytes.position());
        }
        lockChannel.force(false);
    }

    /** The first line of the file without its end; {@code null} if the file is empty. */
    String firstLine() throws IOException
    {
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        final ByteBuffer bytes = ByteBuffer.allocate(LINE_BYTES);
        for (long at = 0; at < length && channel.read(bytes.clear(), at) > 0; at += bytes.limit())
        {
            bytes.flip();
            while (bytes.hasRemaining())
            {
                final byte next = bytes.get();
                if (next == '\n')
                {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
        }
        return null;
    }

    /**
     * Appends bytes, all or none.
     *
     * @param header precedes them if the file is empty; {@code null} for none
     */
    void append(final String header, final ByteBuffer bytes, final long nowMs) throws IOException
    {
        try
        {
            final boolean isFirst = length == 0;
            final int headerBytes =
                isFirst && header != null ? write(StandardCharsets.UTF_8.encode(header + '\n')) : 0;
            length += headerBytes + write(bytes.duplicate());
            createdMs = isFirst ? nowMs : createdMs;
        }
        catch (final IOException e)
        {
            channel.truncate(length);
            channel.position(length);
            throw e;
        }
    }

    private int write(final ByteBuffer bytes) throws IOException
    {
        final int count = bytes.remaining();
        while (bytes.hasRemaining())
        {
            channel.write(bytes);
        }
        return count;
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

    /** Whether the file is large or old enough, or the clock was set back as far; an empty one never is. */
    boolean isDue(final long nowMs)
    {
        return length > 0 && (settings.rotateBytes() > 0 && length >= settings.rotateBytes() ||
            settings.rotateMillis() > 0 && Math.abs(nowMs - createdMs) >= settings.rotateMillis());
    }

    /**
     * Renames the file, whose number is reserved, and whose bytes and positions are stored, and begins the next one.
     * May be called again after a failure.
     *
     * @return the renamed file
     */
    Path rotate(final long nowMs) throws IOException
    {
        final Path to = settings.names().rotated(number);
        if (!isRenamed)
        {
            Files.move(settings.file(), to, StandardCopyOption.ATOMIC_MOVE);
            isRenamed = true;
        }
        final FileChannel next = FileChannel.open(settings.file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING);
        PositionFile.syncDirectory(settings.file());
        channel.close();
        channel = next;
        isRenamed = false;
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
