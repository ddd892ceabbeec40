package dev.millrace.server.config;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of files and directories of a domain that may contain passwords or events and that users other than the owner
 * can read or write. Changes no modes. Used once, when an instance starts.
 */
public final class FileModes
{
    private static final Logger LOG = LoggerFactory.getLogger(FileModes.class);

    /** Directories whose mode also protects their content. */
    private static final List<String> DIRECTORIES = List.of("applications", "var", "logs");

    /** Files without secrets. */
    private static final Set<String> OPEN = Set.of("logback.xml", "jvm.options");

    private static final Set<PosixFilePermission> FOREIGN = EnumSet.of(PosixFilePermission.GROUP_READ,
        PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private FileModes()
    {
    }

    /** Logs a warning for each file or directory with a mode that is too open. */
    public static void check(final Path domain)
    {
        try
        {
            for (final Path path : secret(domain))
            {
                warn(path);
            }
        }
        catch (final IOException | UnsupportedOperationException e)
        {
            LOG.warn("modes of files cannot be read, directory={} reason={}", domain, e.toString());
        }
    }

    private static List<Path> secret(final Path domain) throws IOException
    {
        final List<Path> paths = new ArrayList<>();
        DIRECTORIES.forEach(name -> paths.add(domain.resolve(name)));
        paths.add(domain.resolve("deployments.xml"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(domain.resolve("config"), Files::isRegularFile))
        {
            files.forEach(file ->
            {
                if (!OPEN.contains(file.getFileName().toString()))
                {
                    paths.add(file);
                }
            });
        }
        return paths.stream().filter(Files::exists).sorted().toList();
    }

    private static void warn(final Path path) throws IOException
    {
        final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (permissions.stream().anyMatch(FOREIGN::contains))
        {
            LOG.warn("SRV-0148: other users can access a file that may contain secrets or events, path={} mode={}"
                + " hint: chmod {} {}", path, PosixFilePermissions.toString(permissions),
                Files.isDirectory(path) ? "700" : "600", path);
        }
    }
}
