package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.tuning.harness.CommandSupport;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code millrace bench engine}, as its user sees it. */
@Tag("slow")
@Timeout(120)
class EngineBenchTest
{
    private static final List<String> FIELDS = List.of("workload", "variant", "events", "nsPerEvent", "eventsPerSec",
        "bytesPerEvent", "limitNsPerEvent", "ratioToLimit");

    @TempDir
    private Path directory;

    /** Output of a call, standard output and errors together. */
    private record Printed(int exitCode, String text)
    {
    }

    private static Printed call(final String... arguments) throws Exception
    {
        final PrintStream out = System.out;
        final PrintStream err = System.err;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream both = new PrintStream(bytes, true, StandardCharsets.UTF_8))
        {
            System.setOut(both);
            System.setErr(both);
            final int exitCode = EngineBench.run(arguments);
            return new Printed(exitCode, bytes.toString(StandardCharsets.UTF_8));
        }
        finally
        {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void shouldListNamesVariantsAndWhatTheyDo() throws Exception
    {
        final Printed list = call("--list");
        assertThat(list.exitCode()).isZero();
        assertThat(list.text().lines()).hasSameSizeAs(Workloads.ALL);
        assertThat(list.text()).contains("grouped-sum:1000-coded", "pair:1000000", "store-update:h2-oracle");
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommandLine() throws Exception
    {
        for (final List<String> wrong : List.of(List.of("--workload", "pear"), List.of("--batch", "0"),
            List.of("--batch", "257"), List.of("--rounds", "-1"), List.of("--rows-per-frame", "1001"),
            List.of("--jdk", directory.toString()), List.of("--fast")))
        {
            final Printed printed = call(wrong.toArray(String[]::new));
            assertThat(printed.exitCode()).as("exit code of %s", wrong).isEqualTo(CommandSupport.USAGE);
            assertThat(printed.text()).as("message of %s", wrong).contains("CMD-0178: ", "hint: ", "--help shows");
        }
    }

    @Test
    void shouldRefuseAJavaThatIsTooOld() throws Exception
    {
        final Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 1\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        final Printed printed = call("--jdk", directory.toString());
        assertThat(printed.exitCode()).isEqualTo(CommandSupport.USAGE);
        assertThat(printed.text()).contains("too old").contains("version=11.0.2");
    }

    @Test
    void shouldWriteALineOfJsonWhenItRunsInTheJavaThatWasAskedFor() throws Exception
    {
        final Path file = directory.resolve("filter.json");
        assertThat(EngineBench.run("--workload", "filter", "--short", "--rounds", "1", "--json", file.toString(),
            "--jdk", System.getProperty("java.home"))).isZero();
        final List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(1);
        final JsonObject line = JsonParser.parseString(lines.get(0)).getAsJsonObject();
        assertThat(List.copyOf(line.keySet()).subList(0, FIELDS.size())).isEqualTo(FIELDS);
        assertThat(line.get("workload").getAsString()).isEqualTo("filter");
        assertThat(line.get("events").getAsLong()).isGreaterThanOrEqualTo(1 << 20);
        assertThat(line.get("java").getAsString()).isEqualTo(System.getProperty("java.version"));
    }

    @Test
    void shouldEndSoonAndKeepWhatWasMeasuredWhenItIsStopped() throws Exception
    {
        final Path file = directory.resolve("stopped.json");
        final Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
            "-cp", System.getProperty("java.class.path"), EngineBench.class.getName(), "--short", "--rounds", "1",
            "--workload", "filter", "--workload", "window-1m", "--json", file.toString())
            .redirectErrorStream(true).start();
        try
        {
            final String printed = stopAfterTheFirstLine(process);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(process.exitValue()).isNotZero();
            assertThat(printed).contains("interrupted");
            assertThat(Files.readString(file)).contains("\"filter\"").doesNotContain("window-1m");
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    private static String stopAfterTheFirstLine(final Process process) throws IOException
    {
        final StringBuilder printed = new StringBuilder();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                printed.append(line).append('\n');
                if (line.startsWith("filter "))
                {
                    process.toHandle().destroy();
                }
            }
        }
        return printed.toString();
    }
}
