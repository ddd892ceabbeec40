package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The home directory of the product.
 *
 * @param directory contains bin, lib, bundles, apps and user_projects
 */
public record Home(Path directory)
{
    /** System property set by the scripts. */
    public static final String PROPERTY = "wlevs.home";

    /**
     * Returns the home directory from which this command was started.
     *
     * @throws CommandException when it is missing
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

    /** Returns the bundle of the sample application. */
    public Path signalGeneration()
    {
        return directory.resolve("apps").resolve("signal-generation.jar");
    }

    /** Returns the directory of the samples. */
    public Path samples()
    {
        return directory.resolve("apps");
    }

    /** Returns the tick file of the sample application. */
    public Path ticks()
    {
        return directory.resolve("utils/load-generator/data/ticks.csv");
    }

    /** Returns the script of the load generator. */
    public Path loadGenerator()
    {
        return directory.resolve("utils/load-generator/runloadgen.sh");
    }

    /** Returns the default directory of domains. */
    public Path domains()
    {
        return directory.resolve("user_projects/domains");
    }
}
