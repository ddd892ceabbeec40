package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arguments that select domains. */
public final class DomainSelection
{
    @Parameters(
        paramLabel = "DIR", arity = "0..*",
        description = "Domain directories; a simple name, or a pattern such as 'defaultserver?*', is looked up in the" +
            " directory of --below.")
    private List<Path> directories = List.of();

    @Option(names = "--all", description = "All domains in the directory of --below.")
    private boolean all;

    @Option(names = "--below", paramLabel = "DIR",
        description = "Directory with domains; default: user_projects/domains of the home directory.")
    private Path below;

    /** Whether domains are selected explicitly. */
    public boolean isGiven()
    {
        return all || !directories.isEmpty();
    }

    /**
     * Whether a domain is selected by its name, not by a pattern or as one of all.
     *
     * @param domain one of {@link #domains}
     * @throws IOException when directories cannot be read
     */
    public boolean isNamed(final Domain domain) throws IOException
    {
        for (final Path directory : directories)
        {
            if (!isPattern(directory) && domain(directory).equals(domain))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isPattern(final Path directory)
    {
        return directory.toString().matches("[^/]*[*?\\[][^/]*");
    }

    /**
     * Returns the domains in the selected directory, sorted by name.
     *
     * @throws IOException when it cannot be read
     */
    public List<Domain> listed() throws IOException
    {
        return below == null ? Domain.below(Home.find().domains()) : below(below);
    }

    /**
     * Returns the domains in a directory given by the user, sorted by name.
     *
     * @throws IOException      when it cannot be read
     * @throws CommandException when there is no such directory
     */
    public static List<Domain> below(final Path directory) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0108", "no such directory, --below=" +
                directory.toAbsolutePath(), "specify the directory that contains domain directories");
        }
        return Domain.below(directory.toAbsolutePath().normalize());
    }

    /**
     * Returns the selected domains.
     *
     * @return at least one, each once
     * @throws IOException      when directories cannot be read
     * @throws CommandException when no domain is found, or a named one does not exist
     */
    public List<Domain> domains() throws IOException
    {
        final Set<Domain> domains = new LinkedHashSet<>();
        if (all)
        {
            domains.addAll(listed());
        }
        for (final Path directory : directories)
        {
            if (isPattern(directory))
            {
                domains.addAll(matching(directory.toString()));
            }
            else
            {
                domains.add(domain(directory));
            }
        }
        if (!isGiven())
        {
            domains.add(here());
        }
        if (domains.isEmpty())
        {
            throw new CommandException(
                ExitCode.NOT_FOUND, "CMD-0135", "the directory contains no domain, directory=" + (below == null ?
                Home.find().domains() : below), "create domains with millrace domain create or clone");
        }
        return List.copyOf(domains);
    }

    private List<Domain> matching(final String pattern) throws IOException
    {
        final PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        final List<Domain> matching =
            listed().stream().filter(domain -> matcher.matches(domain.directory().getFileName())).toList();
        if (matching.isEmpty())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0194", "no domain matches the pattern, pattern=" + pattern,
                "millrace domain list shows those of the home directory; --below DIR selects another directory");
        }
        return matching;
    }

    private Domain domain(final Path directory) throws IOException
    {
        if (below != null && directory.getNameCount() == 1 && Domain.isDomain(below.resolve(directory)))
        {
            return Domain.find(below.resolve(directory));
        }
        return Domain.find(Domain.resolve(Home.find(), directory));
    }

    private static Domain here()
    {
        final Path here = Path.of("").toAbsolutePath();
        if (!Domain.isDomain(here))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0192", "no domain is specified",
                "specify a directory, or --all for those of the home directory");
        }
        return new Domain(here);
    }
}
