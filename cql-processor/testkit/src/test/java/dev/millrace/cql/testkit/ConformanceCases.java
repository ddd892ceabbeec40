package dev.millrace.cql.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The case files among the test resources. */
final class ConformanceCases
{
    private ConformanceCases()
    {
    }

    static List<Path> all()
    {
        try (Stream<Path> files = Files.walk(Path.of("src/test/resources")))
        {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
        catch (final IOException unreadable)
        {
            throw new UncheckedIOException(unreadable);
        }
    }
}
