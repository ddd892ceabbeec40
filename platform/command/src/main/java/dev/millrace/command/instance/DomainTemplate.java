package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes domains the way the manual says: copy the default one, then edit ports and name. */
public final class DomainTemplate
{
    /** What an instance leaves behind; a copy starts without it. */
    private static final Set<String> NOT_COPIED = Set.of("var", "logs", "applications", "deployments.xml");

    private static final int DELETE_TRIES = 40;

    private static final long DELETE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private DomainTemplate()
    {
    }

    /**
     * Copies the default domain of a home and gives it ports of its own.
     *
     * @param home    home directory
     * @param target  directory to make; must not hold anything
     * @param ports   ports
     * @param workers threads that share a partitioned rule; 0 = leave the default
     * @return the new domain
     * @throws IOException when a file cannot be read or written
     */
    public static Domain create(final Home home, final Path target, final Ports ports, final int workers)
        throws IOException
    {
        final Path directory = target.toAbsolutePath().normalize();
        if (Files.exists(directory.resolve("startwlevs.sh")))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0114", "there is a domain already, directory=" + directory, "name another one");
        }
        copy(home.domains().resolve("defaultserver"), directory);
        final Path start = directory.resolve("startwlevs.sh");
        edit(start, "-Dloadgen\\.port=\\d+", "-Dloadgen.port=" + ports.loadgen());
        edit(start, "-Dtimesync\\.port=\\d+", "-Dtimesync.port=" + ports.timesync());
        for (final Path script : new Path[] {start, directory.resolve("stopwlevs.sh")})
        {
            edit(script, "WLEVS_HOME:-[^}]*\\}", "WLEVS_HOME:-" + home.directory() + "}");
        }
        final Path config = directory.resolve("config/config.xml");
        edit(config, "<port>\\d+</port>", "<port>" + ports.netio() + "</port>");
        edit(config, "<name>defaultserver_domain</name>", "<name>" + directory.getFileName() + "_domain</name>");
        if (workers > 0)
        {
            edit(config, "</n1:config>", "  <cql>\n    <workers>" + workers + "</workers>\n  </cql>\n</n1:config>");
        }
        return new Domain(directory);
    }

    private static void edit(final Path file, final String pattern, final String replacement) throws IOException
    {
        final Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        if (!matcher.find())
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0115", "default domain has been changed, file=" + file + " missing=" + pattern,
                "copy the domain directory by hand and edit the ports, or unpack the product again");
        }
        Files.writeString(file, matcher.replaceFirst(Matcher.quoteReplacement(replacement)));
    }

    private static void copy(final Path source, final Path target) throws IOException
    {
        Files.walkFileTree(source, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
                throws IOException
            {
                if (isLeft(source.relativize(directory)))
                {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(target.resolve(source.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                if (!isLeft(source.relativize(file)))
                {
                    Files.copy(file, target.resolve(source.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static boolean isLeft(final Path relative)
    {
        return NOT_COPIED.contains(relative.getName(0).toString());
    }

    /**
     * Removes a domain that nobody runs any more.
     *
     * @param directory to remove with everything in it; links are removed, not followed
     * @throws IOException when something cannot be removed
     */
    public static void delete(final Path directory) throws IOException
    {
        for (int left = DELETE_TRIES; Files.exists(directory); left--)
        {
            try
            {
                deleteTree(directory);
            }
            catch (final DirectoryNotEmptyException e)
            {
                if (left == 0)
                {
                    throw e;
                }
                // A process that is ending has made a file meanwhile.
                LockSupport.parkNanos(DELETE_PAUSE_NS);
            }
        }
    }

    private static void deleteTree(final Path directory) throws IOException
    {
        Files.walkFileTree(directory, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(final Path visited, final IOException failure)
                throws IOException
            {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
