package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sample of the home: a project without Java code, whose directory contains a {@value #FILE}. A project in its
 * directory {@code feed} is deployed after it and generates its input; so do {@code NAME.prop} files of the load
 * generator, whose port is the system property {@code NAME.port} of the instance.
 *
 * @param directory the project
 * @param summary   what it shows, one sentence
 * @param broker    the broker that it needs
 */
public record Sample(Path directory, String summary, SampleBroker broker)
{
    static final String FILE = "sample.properties";

    /**
     * Reads the samples of a home.
     *
     * @return ordered by name
     * @throws IOException when a file cannot be read
     */
    public static List<Sample> all(final Home home) throws IOException
    {
        try (Stream<Path> found = Files.list(home.samples()))
        {
            final List<Path> directories =
                found.filter(each -> Files.isRegularFile(each.resolve(FILE))).sorted().toList();
            final Sample[] samples = new Sample[directories.size()];
            for (int i = 0; i < samples.length; i++)
            {
                samples[i] = read(directories.get(i));
            }
            return List.of(samples);
        }
    }

    /**
     * Finds a sample.
     *
     * @throws IOException      when a file cannot be read
     * @throws CommandException if no sample has this name
     */
    public static Sample find(final Home home, final String name) throws IOException
    {
        final List<Sample> samples = all(home);
        return samples.stream().filter(sample -> sample.name().equals(name)).findFirst().orElseThrow(() ->
            new CommandException(ExitCode.USAGE, "CMD-0290", "no such sample, name=" + name,
                "the samples are " + samples.stream().map(Sample::name).collect(Collectors.joining(", ")) +
                "; without a name, the command runs Signal Generation"));
    }

    private static Sample read(final Path directory) throws IOException
    {
        final Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(directory.resolve(FILE)))
        {
            properties.load(reader);
        }
        return new Sample(directory, properties.getProperty("summary", ""),
            SampleBroker.valueOf(properties.getProperty("broker", "none").toUpperCase(Locale.ROOT)));
    }

    /** Returns its name, which is that of its directory. */
    public String name()
    {
        return directory.getFileName().toString();
    }

    boolean hasFeed()
    {
        return Files.isDirectory(directory.resolve("feed"));
    }

    /** Returns the property files of the load generator, ordered by name. */
    List<Path> playedFiles() throws IOException
    {
        try (Stream<Path> found = Files.list(directory))
        {
            return found.filter(each -> each.toString().endsWith(".prop")).sorted().toList();
        }
    }
}
