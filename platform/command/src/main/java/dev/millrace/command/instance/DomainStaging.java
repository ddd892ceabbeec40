package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Copies of a domain under construction. They are in a hidden directory until all are complete, and are then renamed
 * together. On failure, or without publication, everything is deleted. Confined to one thread; closed by it or by a
 * thread that waits for it.
 */
public final class DomainStaging implements AutoCloseable
{
    /** Files of a run of an instance, which are not copied. */
    static final Set<String> OF_A_RUN = Set.of("var", "logs");

    private final Path parent;

    private final Path staging;

    private final List<Path> copies = new ArrayList<>();

    /** Copies that have already been renamed. */
    private final List<Path> named = new ArrayList<>();

    private boolean published;

    /** @param parent directory of the copies; created if it is missing */
    public DomainStaging(final Path parent)
    {
        this.parent = parent;
        try
        {
            Files.createDirectories(parent);
            this.staging = Files.createTempDirectory(parent, ".millrace-");
        }
        catch (final IOException e)
        {
            throw cannotWrite(parent, e);
        }
    }

    /**
     * Creates one more copy.
     *
     * @param source  domain directory
     * @param name    name of the copy
     * @param without top-level names that are not copied
     * @return its temporary directory
     * @throws IOException when the source cannot be read
     */
    Path add(final Path source, final String name, final Set<String> without) throws IOException
    {
        final Path copy = staging.resolve(name);
        try
        {
            copy(source, copy, without);
        }
        catch (final FileSystemException e)
        {
            throw cannotWrite(copy, e);
        }
        copies.add(copy);
        return copy;
    }

    /** Renames all copies and returns the domains. */
    public List<Domain> publish()
    {
        for (final Path copy : copies)
        {
            final Path target = parent.resolve(copy.getFileName());
            try
            {
                Files.move(copy, target, StandardCopyOption.ATOMIC_MOVE);
                named.add(target);
            }
            catch (final IOException e)
            {
                if (Files.exists(target, LinkOption.NOFOLLOW_LINKS))
                {
                    throw new CommandException(ExitCode.USAGE, "CMD-0114",
                        "target already exists, directory=" + target, "choose another one, or remove it");
                }
                throw cannotWrite(target, e);
            }
        }
        published = true;
        return named.stream().map(Domain::new).toList();
    }

    private static CommandException cannotWrite(final Path path, final IOException cause)
    {
        return new CommandException(ExitCode.FAILED, "CMD-0117", "cannot write, path=" + path + " reason=" + cause,
            "nothing was created; the directory must have free space and be owned by the user of this command");
    }

    @Override
    public void close() throws IOException
    {
        DirectoryDeletion.delete(staging);
        if (!published)
        {
            for (final Path target : named)
            {
                DirectoryDeletion.delete(target);
            }
        }
    }

    private static void copy(final Path source, final Path target, final Set<String> without) throws IOException
    {
        Files.walkFileTree(source, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
                throws IOException
            {
                final Path relative = source.relativize(directory);
                if (without.contains(relative.getName(0).toString()))
                {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                PrivateFiles.apply(Files.createDirectories(target.resolve(relative)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                final Path relative = source.relativize(file);
                if (!without.contains(relative.getName(0).toString()))
                {
                    Files.copy(file, target.resolve(relative), StandardCopyOption.COPY_ATTRIBUTES,
                        LinkOption.NOFOLLOW_LINKS);
                    PrivateFiles.apply(target.resolve(relative));
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
