package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The artifacts of the home directory that projects are compiled and tested with: its directory {@code maven} is a
 * Maven repository. Jars of libraries that are also in its other directories are found there.
 *
 * @param home directory of the product
 */
record HomeArtifacts(Path home)
{
    private static final String POM = ".pom";
    private static final String JAR = ".jar";

    /**
     * Returns the files of all artifacts.
     *
     * @return sources by path in a repository
     * @throws IOException when a file cannot be read
     */
    Map<String, Path> files() throws IOException
    {
        final Path artifacts = home.resolve("maven");
        if (!Files.isDirectory(artifacts))
        {
            throw incomplete(artifacts.toString());
        }
        final Map<String, Path> files = new TreeMap<>();
        walk(artifacts).forEach(file -> files.put(artifacts.relativize(file).toString().replace('\\', '/'), file));
        final Map<String, Path> jars = jars();
        for (final Map.Entry<String, Path> pom : Map.copyOf(files).entrySet())
        {
            final String jar = pom.getKey().replaceFirst("\\.pom$", JAR);
            if (pom.getKey().endsWith(POM) && !files.containsKey(jar) && hasJar(pom.getValue()))
            {
                final Path found = jars.get(Path.of(jar).getFileName().toString());
                if (found == null)
                {
                    throw incomplete(jar);
                }
                files.put(jar, found);
            }
        }
        return files;
    }

    private static CommandException incomplete(final String missing)
    {
        return new CommandException(ExitCode.FAILED, "CMD-0267",
            "the home directory is incomplete, missing=" + missing, "install the product again");
    }

    private Map<String, Path> jars() throws IOException
    {
        return Stream.concat(walk(home.resolve("lib")).stream(), walk(home.resolve("bundles")).stream())
            .filter(file -> file.toString().endsWith(JAR))
            .collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file, (first, same) -> first));
    }

    private static List<Path> walk(final Path directory) throws IOException
    {
        try (Stream<Path> found = Files.walk(directory))
        {
            return found.filter(Files::isRegularFile).toList();
        }
    }

    /** Whether an artifact is more than its pom.xml, which parents and lists of versions are not. */
    private static boolean hasJar(final Path pom) throws IOException
    {
        return !Files.readString(pom).contains("<packaging>pom</packaging>");
    }
}
