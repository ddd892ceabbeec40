package dev.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;

/** The exclusive right to append to a journal; it ends with the process at the latest. */
final class DirectoryLock implements AutoCloseable
{
    private static final String NAME = "lock";
    private static final int MAX_HOLDER_BYTES = 200;
    /** Maximum difference between the clock of the file system and that of processes. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(2);

    private final FileChannel channel;

    private DirectoryLock(final FileChannel channel)
    {
        this.channel = channel;
    }

    /**
     * Creates the directory if necessary, and locks it.
     *
     * @param holder name of the holder, for the message of others
     */
    static DirectoryLock acquire(final Path directory, final String holder)
    {
        FileChannel channel = null;
        try
        {
            // Records are user data: only the owner of the process may read them.
            Files.createDirectories(directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            channel = FileChannel.open(directory.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            final FileLock lock = tryLock(channel);
            if (lock == null)
            {
                final String other = holder(channel);
                channel.close();
                throw new JournalException(JournalErrorCode.IN_USE, "the journal is in use, directory=" + directory +
                    " by=" + other + "; stop the other instance, or configure another directory");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((holder + " process=" + ProcessHandle.current().pid())
                .getBytes(StandardCharsets.UTF_8)), 0);
            return new DirectoryLock(channel);
        }
        catch (final IOException | UncheckedIOException e)
        {
            closeQuietly(channel, e);
            throw new JournalException(JournalErrorCode.DIRECTORY, "the directory of the journal cannot be written, " +
                "directory=" + directory + ": " + e, e);
        }
    }

    private static FileLock tryLock(final FileChannel channel) throws IOException
    {
        try
        {
            return channel.tryLock();
        }
        catch (final OverlappingFileLockException heldByThisProcess)
        {
            return null;
        }
    }

    /**
     * The holder of the lock of a directory and its process; {@code null} for none. Does not try to lock, because that
     * could refuse a process that starts at this moment. A holder that releases the lock leaves an empty file.
     */
    static String holder(final Path directory)
    {
        final Path file = directory.resolve(NAME);
        try
        {
            final String text = Files.readString(file);
            final Instant locked = Files.getLastModifiedTime(file).toInstant();
            final long pid = Long.parseLong(text.substring(text.lastIndexOf('=') + 1));
            // A process that was killed leaves the file; a later process may have its number.
            return ProcessHandle.of(pid).filter(process -> process.info().startInstant()
                .map(start -> start.minus(CLOCK_ERROR).isBefore(locked)).orElse(true)).isPresent() ? text : null;
        }
        catch (final IOException | NumberFormatException none)
        {
            return null;
        }
    }

    private static String holder(final FileChannel channel) throws IOException
    {
        final ByteBuffer text = ByteBuffer.allocate(MAX_HOLDER_BYTES);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    }

    private static void closeQuietly(final FileChannel channel, final Exception cause)
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException e)
        {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close()
    {
        try (channel)
        {
            channel.truncate(0);
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the lock of a journal cannot be released: " + e, e);
        }
    }
}
