package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
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

/** Arguments that say which domains are meant. */
public final class DomainSelection
{
    @Parameters(
        paramLabel = "DIR", arity = "0..*",
        description = "Domain directories; a plain name, or a pattern like 'defaultserver?*', is looked up in the" +
            " directory of --below.")
    private List<Path> directories = List.of();

    @Option(names = "--all", description = "All domains in the directory of --below.")
    private boolean all;

    @Option(names = "--below", paramLabel = "DIR",
        description = "Directory with domains; default: user_projects/domains of the home directory.")
    private Path below;

    /**
     * Whether domains are named.
     *
     * @return false when nothing is said
     */
    public boolean isGiven()
    {
        return all || !directories.isEmpty();
    }

    /**
     * Whether a domain is named by itself, not by a pattern or as one of all.
     *
     * @param domain one of {@link #domains}
     * @return true when the user expects just this one
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
     * The domains in the directory in question.
     *
     * @return sorted by name
     * @throws IOException when it cannot be read
     */
    public List<Domain> listed() throws IOException
    {
        return below == null ? Home.find().listDomains() : below(below);
    }

    /**
     * The domains in a directory that the user has named.
     *
     * @param directory as it was named
     * @return sorted by name
     * @throws IOException      when it cannot be read
     * @throws CommandException when there is no such directory
     */
    public static List<Domain> below(final Path directory) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0108", "no such directory, --below=" +
                directory.toAbsolutePath(), "name the one that holds domain directories");
        }
        return Domain.below(directory.toAbsolutePath().normalize());
    }

    /**
     * The domains that are meant.
     *
     * @return at least one, each once
     * @throws IOException      when directories cannot be read
     * @throws CommandException when there is none, or one that is named is not there
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
                ExitCode.NOT_FOUND, "CMD-0135", "no domain there, directory=" + (below == null ?
                Home.find().domains() : below), "millrace domain create and clone make them");
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
            throw new CommandException(ExitCode.USAGE, "CMD-0194", "no domain has such a name, pattern=" + pattern,
                "millrace domain list shows those of the home directory; --below DIR names another one");
        }
        return matching;
    }

    private Domain domain(final Path directory) throws IOException
    {
        if (below != null && directory.getNameCount() == 1 && Domain.isDomain(below.resolve(directory)))
        {
            return Domain.find(below.resolve(directory));
        }
        return Domain.find(Home.find().domain(directory));
    }

    private static Domain here()
    {
        final Path here = Path.of("").toAbsolutePath();
        if (!Domain.isDomain(here))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0192", "no domain is named",
                "give a directory, or --all for those of the home directory");
        }
        return new Domain(here);
    }
}
