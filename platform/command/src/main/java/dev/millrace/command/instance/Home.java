package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The home directory of the product.
 *
 * @param directory holds bin, lib, bundles, apps and user_projects
 */
public record Home(Path directory)
{
    /** System property that the scripts set. */
    public static final String PROPERTY = "wlevs.home";

    /**
     * The home this command was started from.
     *
     * @return home
     * @throws CommandException when there is none
     */
    public static Home find()
    {
        final String value = System.getProperty(PROPERTY, "");
        final Path directory = Path.of(value).toAbsolutePath().normalize();
        if (value.isEmpty() || !Files.isDirectory(directory.resolve("bundles")))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0110", "home directory not found, " + PROPERTY + "=" + value,
                "start the command with bin/millrace of the home directory");
        }
        return new Home(directory);
    }

    /**
     * The bundle of the sample application.
     *
     * @return its file
     */
    public Path signalGeneration()
    {
        return directory.resolve("apps").resolve("signal-generation.jar");
    }

    /**
     * The ticks of the sample application.
     *
     * @return its file
     */
    public Path ticks()
    {
        return directory.resolve("utils/load-generator/data/ticks.csv");
    }

    /**
     * The script of the load generator.
     *
     * @return its file
     */
    public Path loadGenerator()
    {
        return directory.resolve("utils/load-generator/runloadgen.sh");
    }

    /**
     * Where domains usually are.
     *
     * @return directory
     */
    public Path domains()
    {
        return directory.resolve("user_projects/domains");
    }

    /**
     * The domains that lie in the usual place.
     *
     * @return sorted by name
     * @throws IOException when the directory cannot be read
     */
    public List<Domain> listDomains() throws IOException
    {
        return Domain.below(domains());
    }

    /**
     * The directory that a user means: a plain name that is no domain here is one of the usual place.
     *
     * @param given as on the command line
     * @return directory; need not exist
     */
    public Path domain(final Path given)
    {
        final boolean plain = given.getNameCount() == 1 && !given.isAbsolute() && !given.startsWith(".") &&
            !given.startsWith("..");
        return plain && !Domain.isDomain(given) ? domains().resolve(given) : given.toAbsolutePath().normalize();
    }
}
