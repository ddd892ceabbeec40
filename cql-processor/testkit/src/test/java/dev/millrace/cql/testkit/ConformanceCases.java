package dev.millrace.cql.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * The case files in the test resources: core and match as given, the other folders written for this project. With
 * {@code -Dfolders=join,set}, as mutation testing requires, there are tests for these folders only, one per file: PIT
 * calls the factory again for each test that it runs.
 */
final class ConformanceCases
{
    private static final String FOLDERS = System.getProperty("folders", "");

    private ConformanceCases()
    {
    }

    /** A test per case. Without the location of its file: Surefire counts no test that has one, nor its failure. */
    static Stream<DynamicTest> tests(final Predicate<Path> which, final ThrowingConsumer<CaseFile> check)
    {
        final Stream<Path> paths = all().stream().filter(which).filter(ConformanceCases::isWanted);
        if (!FOLDERS.isEmpty())
        {
            return paths.map(path -> DynamicTest.dynamicTest(
                path.getParent().getFileName() + "/" + path.getFileName(), () -> checkAll(path, check)));
        }
        return paths.flatMap(path -> read(path).stream().map(file -> DynamicTest.dynamicTest(
            path.getParent().getFileName() + "/" + file.name(), () -> check.accept(file))));
    }

    private static void checkAll(final Path path, final ThrowingConsumer<CaseFile> check) throws Throwable
    {
        for (final CaseFile file : read(path))
        {
            check.accept(file);
        }
    }

    private static boolean isWanted(final Path path)
    {
        return FOLDERS.isEmpty() || List.of(FOLDERS.split(",")).contains(path.getParent().getFileName().toString());
    }

    private static List<CaseFile> read(final Path path)
    {
        try
        {
            return CaseFile.readAll(path);
        }
        catch (final IOException unreadable)
        {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The files of core and match, one case each, with which the language was defined. */
    static List<Path> given()
    {
        return all().stream().filter(path -> path.getParent().endsWith("core") || path.getParent().endsWith("match"))
            .toList();
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
