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
 * The case files among the test resources: core and match as given, the other folders are our own. With
 * {@code -Dfolders=join,set} tests are made of these folders alone, as the search for mutations needs them.
 */
final class ConformanceCases
{
    private static final String FOLDERS = System.getProperty("folders", "");

    private ConformanceCases()
    {
    }

    /** A test a case. Without the place of its file: Surefire counts no test that has one, nor its failure. */
    static Stream<DynamicTest> tests(final Predicate<Path> which, final ThrowingConsumer<CaseFile> check)
    {
        return all().stream().filter(which).filter(ConformanceCases::isWanted)
            .flatMap(path -> read(path).stream().map(file -> DynamicTest.dynamicTest(
                path.getParent().getFileName() + "/" + file.name(), () -> check.accept(file))));
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

    /** The files of core and match, one case each, that the language was defined with. */
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
