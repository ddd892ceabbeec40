package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the demo like a user: every number must be right, and no process or file may be left. */
@Timeout(300)
class DemoIT
{
    /** More than two passes of the tick file, so that it wraps around. */
    private static final long EVENTS = 150_000;
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path directory;

    private Path temporary;

    @BeforeEach
    void makeDirectory() throws IOException
    {
        temporary = Files.createDirectory(directory.resolve("tmp"));
    }

    @ParameterizedTest(name = "{0} connections, {1} workers, {2} rows per packet")
    @CsvSource({"1, 1, 1", "8, 1, 10", "1, 2, 10", "8, 2, 1"})
    void shouldFindEverySignalAndTrendWhenFed(final String connections, final String workers, final String ticks)
        throws Exception
    {
        final JsonObject figures = demo(Product.unoptimized(temporary),
            "--connections", connections, "--workers", workers, "--ticks-per-packet", ticks);
        assertThat(figures.get("signals").getAsLong()).isBetween(EVENTS / 25, EVENTS / 15);
        assertThat(figures.get("trends").getAsLong()).isGreaterThan(EVENTS / 1000);
        assertThat(figures.getAsJsonObject("latencyUs").get("p50").getAsDouble()).isPositive();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("otherJdks")
    void shouldFindEverySignalAndTrendWhenRunOnAnotherJdk(final Path jdk) throws Exception
    {
        demo(Map.of("MILLRACE_OPTS", "-Djava.io.tmpdir=" + temporary), "--connections", "4", "--workers", "2", "--jdk",
            jdk.toString());
    }

    /** Returns JDKs of this machine that can run the product, including that of this build. */
    static Stream<Path> otherJdks() throws IOException
    {
        final List<Path> found = new ArrayList<>();
        final Path parent = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(parent))
        {
            try (Stream<Path> candidates = Files.list(parent))
            {
                candidates.filter(jdk -> !Files.isSymbolicLink(jdk) && Files.isExecutable(jdk.resolve("bin/java")) &&
                    Files.exists(jdk.resolve("release"))).forEach(found::add);
            }
        }
        found.removeIf(jdk -> version(jdk) < 17);
        return found.isEmpty() ? Stream.of(Path.of(System.getProperty("java.home"))) : found.stream();
    }

    private static int version(final Path jdk)
    {
        try
        {
            return Files.readAllLines(jdk.resolve("release")).stream()
                .filter(line -> line.startsWith("JAVA_VERSION=\""))
                .mapToInt(line -> Runtime.Version.parse(line.substring(14, line.lastIndexOf('"'))).feature())
                .findFirst().orElse(0);
        }
        catch (final IOException | IllegalArgumentException e)
        {
            return 0;
        }
    }

    @ParameterizedTest
    @CsvSource({"--seconds 600, ' signals '", "sensor-monitoring, rising"})
    void shouldLeaveNothingWhenInterrupted(final String arguments, final String shown) throws Exception
    {
        final Path output = directory.resolve("output.txt");
        final Process demo = Product.startInterruptible(
            Product.unoptimized(temporary), output.toFile(),
            Product.HOME.directory().resolve("bin/millrace"), ("demo " + arguments).split(" "));
        try
        {
            Product.await("feeding", 60, () -> !demo.isAlive() || text(output).contains(shown));
            assertThat(demo.isAlive()).as(text(output)).isTrue();
            new ProcessBuilder("kill", "-INT", String.valueOf(demo.pid())).start().waitFor();
            assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).isEqualTo(INTERRUPTED);
            assertThat(temporary).isEmptyDirectory();
            assertThat(Product.processes(temporary.toString())).isEmpty();
        }
        finally
        {
            demo.destroy();
        }
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException e)
        {
            return e.toString();
        }
    }

    private JsonObject demo(final Map<String, String> environment, final String... options)
        throws IOException, InterruptedException
    {
        final Path json = directory.resolve("figures.json");
        final List<String> arguments = new ArrayList<>(List.of(
            "demo", "--seconds", "60", "--events", String.valueOf(EVENTS), "--rate", "150000", "--ramp-up", "1",
            "--json", json.toString()));
        arguments.addAll(List.of(options));
        final Result result = Product.run(environment, Product.HOME.directory().resolve("bin/millrace"),
            arguments.toArray(new String[0]));
        assertThat(result.exitCode()).as(result.output()).isZero();
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(figures.get("eventsSent").getAsLong()).isEqualTo(EVENTS);
        assertThat(figures.get("eventsAccepted").getAsLong()).isEqualTo(EVENTS);
        assertThat(figures.get("eventsRejected").getAsLong()).isZero();
        assertThat(figures.get("signals")).isEqualTo(figures.get("expectedSignals"));
        assertThat(figures.get("trends")).isEqualTo(figures.get("expectedTrends"));
        assertThat(temporary).isEmptyDirectory();
        assertThat(Product.processes(temporary.toString())).isEmpty();
        return figures;
    }
}
