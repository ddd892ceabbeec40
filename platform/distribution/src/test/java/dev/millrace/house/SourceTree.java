package dev.millrace.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout: finds the root and lists source files. */
final class SourceTree
{
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private SourceTree()
    {
    }

    static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve("cql-processor")))
        {
            directory = directory.getParent();
        }
        if (directory == null)
        {
            throw new IllegalStateException("not inside a checkout, directory=" + Path.of("").toAbsolutePath());
        }
        return directory;
    }

    static List<String> modules()
    {
        final Matcher matcher = MODULE.matcher(read(root().resolve("pom.xml")));
        return matcher.results().map(result -> result.group(1)).toList();
    }

    static List<Path> files(final Path directory, final Predicate<Path> wanted)
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory))
        {
            return files
                .filter(Files::isRegularFile)
                .filter(file -> !("/" + root().relativize(file)).replace('\\', '/').contains("/target/"))
                .filter(wanted)
                .sorted()
                .toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static List<Path> java(final String moduleOrFolder)
    {
        return files(root().resolve(moduleOrFolder), file -> file.toString().endsWith(".java"));
    }

    static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file, ex);
        }
    }

    static String name(final Path file)
    {
        return root().relativize(file).toString().replace('\\', '/');
    }
}
