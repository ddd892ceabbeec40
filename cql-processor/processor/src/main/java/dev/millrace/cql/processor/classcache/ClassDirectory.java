package dev.millrace.cql.processor.classcache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A bounded directory of class cache files, accessible only to its owner. A file becomes visible as a whole, by
 * renaming; the least recently used file is deleted first. Reads are thread-safe; all modifications are confined to one
 * thread.
 *
 * <p>Failure: {@link IOException}, whose message names the file.
 */
final class ClassDirectory
{
    /** Longer files are neither written nor read. */
    static final int MAX_FILE_BYTES = 4 << 20;

    private static final String UNFINISHED = ".unfinished";

    private final Path directory;
    private final int maxFiles;

    ClassDirectory(final Path directory, final int maxFiles)
    {
        this.directory = directory;
        this.maxFiles = maxFiles;
    }

    Path file(final String name)
    {
        return directory.resolve(name);
    }

    /**
     * Reads a file.
     *
     * @throws NoSuchFileException if it does not exist
     */
    byte[] read(final String name) throws IOException
    {
        final Path file = file(name);
        final long bytes = Files.size(file);
        if (bytes > MAX_FILE_BYTES)
        {
            throw new IOException("too long, bytes=" + bytes + " limit=" + MAX_FILE_BYTES);
        }
        return Files.readAllBytes(file);
    }

    /**
     * Why the directory must not, or cannot, be used.
     *
     * @return reason; {@code null} if it can be used or does not exist yet
     */
    String problem() throws IOException
    {
        if (!Files.exists(directory))
        {
            return null;
        }
        if (!Files.isDirectory(directory) || !Files.isReadable(directory))
        {
            return "not a directory that this process may read";
        }
        if (hasModes())
        {
            final Set<PosixFilePermission> modes = Files.getPosixFilePermissions(directory);
            // Anyone who can write here determines the code that this process runs.
            if (modes.contains(PosixFilePermission.GROUP_WRITE) || modes.contains(PosixFilePermission.OTHERS_WRITE))
            {
                return "other users may write to it, mode=" + PosixFilePermissions.toString(modes);
            }
        }
        return null;
    }

    private boolean hasModes()
    {
        return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private FileAttribute<?>[] mode(final String mode)
    {
        return hasModes() ?
            new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))} :
            new FileAttribute<?>[0];
    }

    /** Writes a file, replacing any file with its name, then deletes excess files. */
    void write(final String name, final byte[] content) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            Files.createDirectories(directory, mode("rwx------"));
        }
        final Path unfinished = Files.createTempFile(directory, name, UNFINISHED, mode("rw-------"));
        try
        {
            Files.write(unfinished, content);
            final Path file = file(name);
            if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
            {
                // Only an empty directory; the content of any other is unknown.
                Files.delete(file);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        finally
        {
            Files.deleteIfExists(unfinished);
        }
        removeOldest();
    }

    /** Records that a file is used now. */
    void used(final String name, final FileTime now) throws IOException
    {
        try
        {
            Files.setLastModifiedTime(file(name), now);
        }
        catch (final NoSuchFileException gone)
        {
            // It was the oldest of too many files.
        }
    }

    /**
     * Deletes unfinished files of killed processes.
     *
     * @param before newer files may still be in progress in another process
     */
    void removeUnfinished(final FileTime before) throws IOException
    {
        for (final Path file : files())
        {
            final FileTime changed = file.toString().endsWith(UNFINISHED) ? changed(file) : null;
            if (changed != null && changed.compareTo(before) < 0)
            {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The time of the last change; {@code null} if another process has deleted or renamed the file. */
    private static FileTime changed(final Path file) throws IOException
    {
        try
        {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        }
        catch (final NoSuchFileException gone)
        {
            return null;
        }
    }

    private void removeOldest() throws IOException
    {
        final List<Path> kept = files();
        kept.removeIf(file -> !ClassKey.isFileName(file.getFileName().toString()));
        if (kept.size() <= maxFiles)
        {
            return;
        }
        record Used(Path file, FileTime time)
        {
        }
        final List<Used> byAge = new ArrayList<>();
        for (final Path file : kept)
        {
            final FileTime changed = changed(file);
            if (changed != null)
            {
                byAge.add(new Used(file, changed));
            }
        }
        byAge.sort(Comparator.comparing(Used::time));
        for (final Used oldest : byAge.subList(0, Math.max(0, byAge.size() - maxFiles)))
        {
            Files.deleteIfExists(oldest.file());
        }
    }

    private List<Path> files() throws IOException
    {
        final List<Path> all = new ArrayList<>();
        if (Files.isDirectory(directory))
        {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
            {
                files.forEach(all::add);
            }
        }
        return all;
    }
}
