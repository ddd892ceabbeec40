package dev.millrace.server.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Buffers a request body while it arrives, so that no thread blocks on it: the beginning is in memory, a long body in a
 * file that only the owner of the process can read. Confined to one thread at a time. The owner closes it, which
 * deletes the file.
 */
final class IncomingBody implements AutoCloseable
{
    private static final int MEMORY_BYTES = 64 << 10;

    private static final String SUFFIX = ".body";

    private final Path folder;

    private final AtomicLong budget;

    private ByteArrayOutputStream memory = new ByteArrayOutputStream(0);

    private Path file;

    private FileChannel channel;

    private long sizeBytes;

    /**
     * @param folder directory for files
     * @param budget bytes still available for all bodies together
     */
    IncomingBody(final Path folder, final AtomicLong budget)
    {
        this.folder = folder;
        this.budget = budget;
    }

    /** The bodies together exceed their limit. */
    static final class NoRoomException extends IOException
    {
        private static final long serialVersionUID = 1L;
    }

    /** Creates the directory, and deletes files left by a killed process. */
    static void clean(final Path folder) throws IOException
    {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rwx------")));
        try (Stream<Path> files = Files.list(folder))
        {
            for (final Path each : files.filter(path -> path.toString().endsWith(SUFFIX)).toList())
            {
                Files.deleteIfExists(each);
            }
        }
    }

    void write(final ByteBuffer bytes) throws IOException
    {
        final int count = bytes.remaining();
        if (budget.addAndGet(-count) < 0)
        {
            budget.addAndGet(count);
            throw new NoRoomException();
        }
        sizeBytes += count;
        if (channel == null && sizeBytes > MEMORY_BYTES)
        {
            open();
        }
        final WritableByteChannel target = channel == null ? Channels.newChannel(memory) : channel;
        while (bytes.hasRemaining())
        {
            target.write(bytes);
        }
    }

    private void open() throws IOException
    {
        // The mode is set when the file is created, because bundles and configuration may contain secrets.
        try
        {
            file = createFile();
        }
        catch (final NoSuchFileException e)
        {
            clean(folder);
            file = createFile();
        }
        channel = FileChannel.open(file, StandardOpenOption.WRITE);
        final ByteBuffer first = ByteBuffer.wrap(memory.toByteArray());
        memory = null;
        while (first.hasRemaining())
        {
            channel.write(first);
        }
    }

    private Path createFile() throws IOException
    {
        return Files.createTempFile(folder, "upload-", SUFFIX, PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------")));
    }

    /** Opens the whole body for reading; the caller closes the stream. */
    InputStream open(final long limitBytes) throws IOException
    {
        return new LimitedInput(file == null ? new ByteArrayInputStream(memory.toByteArray())
            : Files.newInputStream(file), limitBytes);
    }

    @Override
    public void close() throws IOException
    {
        budget.addAndGet(sizeBytes);
        sizeBytes = 0;
        if (channel != null)
        {
            channel.close();
        }
        if (file != null)
        {
            Files.deleteIfExists(file);
        }
    }
}
