package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a kill, an instance does not compile its previous rules again. */
@Timeout(300)
class KeptClassesIT
{
    /** The view with both queries of the sample is one class. */
    private static final int CLASSES = 1;

    /** The only class that calls the compiler for rules. */
    private static final String COMPILER = "dev.millrace.cql.compiler.janino.JaninoSourceCompiler ";
    private static final String RULES = "dev.millrace.cql.generated.";

    @TempDir
    private Path directory;

    /** Whether the process has loaded such a class; Java logs each class. */
    private boolean hasLoaded(final RunningInstance instance, final String prefix) throws IOException
    {
        final Path file = directory.resolve("loaded-" + instance.process.process().pid() + ".txt");
        try (Stream<String> lines = Files.lines(file))
        {
            final Predicate<String> ofPrefix = line -> line.contains("] " + prefix);
            return lines.anyMatch(ofPrefix);
        }
    }

    private static int kept(final Path generated)
    {
        if (!Files.isDirectory(generated))
        {
            return 0;
        }
        try (Stream<Path> files = Files.list(generated))
        {
            return (int)files.filter(file -> file.toString().endsWith(".classes")).count();
        }
        catch (final IOException failure)
        {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    private static boolean isRunning(final RunningInstance instance)
    {
        try
        {
            return "RUNNING".equals(instance.state(APPLICATION));
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void shouldRunTheRulesAgainWithoutAClassOfTheCompilerWhenKilledAndStartedAgain() throws Exception
    {
        // Without a warm-up, which compiles classes once the instance runs.
        try (RunningInstance instance = new RunningInstance(directory.resolve("domain")))
        {
            final Path generated = instance.domain.directory().resolve("var/generated");
            instance.kill();
            Files.write(instance.domain.directory().resolve("config/jvm.options"),
                List.of("-Xlog:class+load:file=" + directory.resolve("loaded-%p.txt")), StandardOpenOption.APPEND);
            instance.start();
            instance.client.install(Product.HOME.signalGeneration());
            Product.await("classes are kept", 60, () -> kept(generated) == CLASSES);
            assertThat(hasLoaded(instance, RULES)).isTrue();
            assertThat(hasLoaded(instance, COMPILER)).as("the first one compiles").isTrue();

            instance.kill();
            instance.start();
            Product.await("application runs", 60, () -> isRunning(instance));
            assertThat(hasLoaded(instance, RULES)).isTrue();
            assertThat(hasLoaded(instance, COMPILER)).as("the second one finds the classes").isFalse();
            assertThat(kept(generated)).isEqualTo(CLASSES);
        }
    }
}
