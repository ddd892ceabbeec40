package dev.millrace.server.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * All changes that deployments make to files of the domain. A file that was written is on the disk when the call
 * returns, and so is its name. Only the owner may read what is made here. Safe for all threads; tests
 * let the disk be full at any of the changes.
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
     * Called before each change; a test throws here what a full disk would.
     *
     * @param change {@code create}, {@code write}, {@code move} or {@code delete}
     * @param path   that is changed
     * @throws IOException when the change is not to be made
     */
    protected void before(final String change, final Path path) throws IOException
    {
        // The disk itself says what it cannot do.
    }

    /**
     * Makes a directory and those above it, if they are not there.
     *
     * @param directory to be made
     * @return the same
     * @throws IOException when it cannot be made
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
     * Writes a file; one that is there is lost, also when this fails.
     *
     * @param file to be written
     * @param text UTF-8
     * @throws IOException when it cannot be written
     */
    public void write(final Path file, final String text) throws IOException
    {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes a file; one that is there is lost, also when this fails.
     *
     * @param file  to be written
     * @param bytes its content
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
     * Writes the content of a stream into a new file; nothing is left when that fails.
     *
     * @param directory made when it is not there
     * @param prefix    of the name of the file
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
     * Puts a new file in the place of an old one in one step, so that a crash leaves either.
     *
     * @param file to be replaced
     * @param text UTF-8
     * @throws IOException when it cannot be written; the old file is as before
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
     * Renames in one step; a file that is there is replaced.
     *
     * @param from what
     * @param to   on the same file system
     * @throws IOException when it cannot be renamed
     */
    public void move(final Path from, final Path to) throws IOException
    {
        before("move", to);
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        force(to.getParent());
    }

    /** Makes names of a directory last. */
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
     * Writes a file and makes its name last.
     *
     * @param file to be written
     * @param text UTF-8
     * @throws IOException when it cannot be written
     */
    public void create(final Path file, final String text) throws IOException
    {
        write(file, text);
        force(file.getParent());
    }

    /**
     * Removes a file, if it is there.
     *
     * @param file to be removed
     * @throws IOException when it cannot be removed
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
     * Removes a directory and all below it, if it is there.
     *
     * @param path to be removed
     * @throws IOException when it cannot be removed
     */
    public void deleteTree(final Path path) throws IOException
    {
        if (!Files.exists(path))
        {
            return;
        }
        before("delete", path);
        Files.walkFileTree(path, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(final Path directory, final IOException failure)
                throws IOException
            {
                if (failure != null)
                {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
