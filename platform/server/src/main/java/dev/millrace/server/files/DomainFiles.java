package dev.millrace.server.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.springframework.util.FileSystemUtils;

/**
 * All file changes that deployments make in the domain. When a call returns, the file and its name are on disk. Only
 * the owner can read created files. Thread-safe. Tests can simulate a full disk at each change.
 */
public class DomainFiles
{
    private static final FileAttribute<?>[] OWNER_FILE = mode("rw-------");

    private static final FileAttribute<?>[] OWNER_DIRECTORY = mode("rwx------");

    private static final int BUFFER_BYTES = 64 << 10;

    private static FileAttribute<?>[] mode(final String mode)
    {
        return isPosix() ? new FileAttribute<?>[]{
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))} : new FileAttribute<?>[0];
    }

    private static boolean isPosix()
    {
        return Path.of("").getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /**
     * Called before each change; a test throws the exception of a full disk here.
     *
     * @param change {@code create}, {@code write}, {@code move} or {@code delete}
     * @param path   path that is changed
     * @throws IOException to prevent the change
     */
    protected void before(final String change, final Path path) throws IOException
    {
        // The file system reports its own failures.
    }

    /**
     * Creates a directory and its missing parents.
     *
     * @param directory directory to create
     * @return the same directory
     * @throws IOException when it cannot be created
     */
    public Path createDirectories(final Path directory) throws IOException
    {
        if (Files.isDirectory(directory))
        {
            return directory;
        }
        before("create", directory);
        return Files.createDirectories(directory, OWNER_DIRECTORY);
    }

    /**
     * Writes a file. An existing file is lost, even when this fails.
     *
     * @param file file to write
     * @param text content, written as UTF-8
     * @throws IOException when it cannot be written
     */
    public void write(final Path file, final String text) throws IOException
    {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes a file. An existing file is lost, even when this fails.
     *
     * @param file  file to write
     * @param bytes content
     * @throws IOException when it cannot be written
     */
    public void write(final Path file, final byte[] bytes) throws IOException
    {
        before("write", file);
        Files.deleteIfExists(file);
        Files.createFile(file, OWNER_FILE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            final ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining())
            {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    /**
     * Writes the content of a stream to a new file; on failure, no file is left.
     *
     * @param directory directory, created if it is missing
     * @param prefix    prefix of the file name
     * @param content   read to its end
     * @return the file, whose name ends with {@code .jar}
     * @throws IOException when the stream cannot be read or the file cannot be written
     */
    public Path receive(final Path directory, final String prefix, final InputStream content) throws IOException
    {
        final Path file = Files.createTempFile(createDirectories(directory), prefix, ".jar", OWNER_FILE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            final byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer))
            {
                before("write", file);
                final ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, read);
                while (bytes.hasRemaining())
                {
                    channel.write(bytes);
                }
            }
            channel.force(true);
            return file;
        }
        catch (final IOException | RuntimeException e)
        {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /**
     * Replaces a file atomically, so that a crash leaves the old or the new content.
     *
     * @param file file to replace
     * @param text content, written as UTF-8
     * @throws IOException when it cannot be written; the old file is unchanged
     */
    public void replace(final Path file, final String text) throws IOException
    {
        final Path next = file.resolveSibling(file.getFileName() + ".next");
        try
        {
            write(next, text);
            move(next, file);
        }
        catch (final IOException e)
        {
            Files.deleteIfExists(next);
            throw e;
        }
    }

    /**
     * Renames a file atomically and replaces an existing one.
     *
     * @param from current path
     * @param to   new path, on the same file system
     * @throws IOException when it cannot be renamed
     */
    public void move(final Path from, final Path to) throws IOException
    {
        before("move", to);
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(to.getParent());
    }

    /** Forces the names in a directory to disk. */
    private static void force(final Path directory) throws IOException
    {
        if (isPosix())
        {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ))
            {
                channel.force(true);
            }
        }
    }

    /**
     * Writes a file and forces its name to disk.
     *
     * @param file file to write
     * @param text content, written as UTF-8
     * @throws IOException when it cannot be written
     */
    public void create(final Path file, final String text) throws IOException
    {
        write(file, text);
        force(file.getParent());
    }

    /**
     * Deletes a file, if it exists.
     *
     * @param file file to delete
     * @throws IOException when it cannot be deleted
     */
    public void delete(final Path file) throws IOException
    {
        if (Files.exists(file))
        {
            before("delete", file);
            Files.delete(file);
            force(file.getParent());
        }
    }

    /**
     * Deletes a directory and its content, if it exists.
     *
     * @param path directory to delete
     * @throws IOException when it cannot be deleted
     */
    public void deleteTree(final Path path) throws IOException
    {
        if (!Files.exists(path))
        {
            return;
        }
        before("delete", path);
        FileSystemUtils.deleteRecursively(path);
    }
}
