package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of the start, which also covers the warm-up of the instances that users start. */
@Timeout(420)
class StartIT
{
    private static final int INTERRUPTED = 130;
    private static final long LIMIT_SECONDS = 300;

    @TempDir
    private Path directory;

    private Path temporary;

    @BeforeEach
    void makeDirectory() throws Exception
    {
        temporary = Files.createDirectory(directory.resolve("tmp"));
    }

    private Map<String, String> environment()
    {
        return Map.of("MILLRACE_OPTS", "-Djava.io.tmpdir=" + temporary);
    }

    @Test
    void shouldCompileTheFirstRulesSoonerWhenTheWarmUpIsDone() throws Exception
    {
        final Path json = directory.resolve("start.json");
        final Path output = directory.resolve("output.txt");
        final Process bench = Product.start(environment(), output.toFile(),
            Product.HOME.directory().resolve("bin/millrace"), "bench", "start", "--boots", "1", "--json",
            json.toString());
        try
        {
            // Four boots; on a busy machine each takes half a minute.
            assertThat(bench.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ends in time").isTrue();
            assertThat(bench.exitValue()).as(Files.readString(output)).isZero();
        }
        finally
        {
            // Also ends the instance when it has not completed.
            bench.destroy();
        }
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(figures.keySet()).containsExactlyInAnyOrder("warm", "at-once", "cold");
        assertThat(ofRules(figures, "warm")).as(figures.toString()).isLessThan(ofRules(figures, "cold"));
        assertThat(temporary).isEmptyDirectory();
        assertThat(Product.processes(temporary.toString())).isEmpty();
    }

    private static double ofRules(final JsonObject figures, final String kind)
    {
        final JsonObject median = figures.getAsJsonObject(kind).getAsJsonObject("median");
        assertThat(median.get("readyMs").getAsDouble()).isPositive();
        return median.get("planMs").getAsDouble() + median.get("compileMs").getAsDouble();
    }

    @Test
    void shouldLeaveNothingWhenInterrupted() throws Exception
    {
        final Path output = directory.resolve("output.txt");
        final Process bench = Product.startInterruptible(environment(), output.toFile(),
            Product.HOME.directory().resolve("bin/millrace"), "bench", "start");
        try
        {
            Product.await("an instance beside the command", 60,
                () -> !bench.isAlive() || Product.processes(temporary.toString()).size() > 1);
            assertThat(bench.isAlive()).isTrue();
            new ProcessBuilder("kill", "-INT", String.valueOf(bench.pid())).start().waitFor();
            assertThat(bench.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(bench.exitValue()).isEqualTo(INTERRUPTED);
            assertThat(temporary).isEmptyDirectory();
            // A child of the ended script, such as its grep, may exist for a moment longer.
            Product.await("the end of all processes", 60, () -> Product.processes(temporary.toString()).isEmpty());
        }
        finally
        {
            bench.destroy();
        }
    }
}
