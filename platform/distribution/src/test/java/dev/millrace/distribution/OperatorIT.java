package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator's view of a running application, with the real command. */
@Timeout(300)
class OperatorIT
{
    private static final int INTERRUPTED = 130;
    private static final long BLOCK_SECONDS = 60;

    @TempDir
    private static Path directory;

    private static RunningInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(directory.resolve("operator"));
        instance.client.install(Product.HOME.signalGeneration());
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    private static JsonElement json(final Product.Result result)
    {
        assertThat(result.exitCode()).as(result.output()).isZero();
        return JsonParser.parseString(result.output());
    }

    private static String output(final File file)
    {
        try
        {
            return Files.readString(file.toPath());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a command that runs until Ctrl-C, waits for its output, and interrupts it. */
    private static String interrupted(final String until, final int times, final Consumer<File> meanwhile,
        final String... arguments) throws Exception
    {
        final File file = directory.resolve("output-" + System.nanoTime() + ".txt").toFile();
        final Process process = Product.startInterruptible(
            Map.of(), file, Product.HOME.directory().resolve("bin/millrace"), arguments);
        try
        {
            meanwhile.accept(file);
            Product.await(until + " in " + file, BLOCK_SECONDS, () -> output(file).split(until, -1).length > times);
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
            assertThat(process.waitFor(BLOCK_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
            return output(file);
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldPrintJsonForEachCommandThatPrintsATable() throws Exception
    {
        final String domain = instance.domain.directory().toString();
        final JsonObject status = json(instance.app("status", APPLICATION, "--format", "json")).getAsJsonObject();
        assertThat(status.get("state").getAsString()).isEqualTo("RUNNING");
        assertThat(status.getAsJsonArray("causes")).isEmpty();
        assertThat(json(instance.app("list", "--format", "json")).getAsJsonArray().get(0).getAsJsonObject()
            .get("name").getAsString()).isEqualTo(APPLICATION);
        assertThat(json(instance.app("statistics", APPLICATION, "--format", "json")).getAsJsonObject()
            .getAsJsonArray("stages")).isNotEmpty();
        assertThat(json(Product.millrace("rules", "list", "-A", APPLICATION, "-P", processor(), "--format", "json",
            "--domain", domain)).getAsJsonArray()).isNotEmpty();
        assertThat(json(Product.millrace("domain", "status", "--format", "json", "--domain", domain))
            .getAsJsonObject().get("state").getAsString()).isEqualTo("RUNNING");
        assertThat(json(Product.millrace("domain", "list", "--format", "json", "--below", directory.toString()))
            .getAsJsonArray().get(0).getAsJsonObject().get("pid").getAsLong()).isPositive();
        final Product.Result wrong = instance.app("list", "--format", "yaml");
        assertThat(wrong.exitCode()).isEqualTo(64);
        assertThat(wrong.output()).contains("CMD-0201");
    }

    private static String processor() throws InterruptedException
    {
        for (final JsonElement stage : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
        {
            if (stage.getAsJsonObject().get("kind").getAsString().equals("processor"))
            {
                return stage.getAsJsonObject().get("id").getAsString();
            }
        }
        throw new AssertionError("no processor in " + APPLICATION);
    }

    @Test
    void shouldShowStatisticsAsATableAndRestartTheApplication() throws Exception
    {
        final Product.Result table = instance.app("statistics", APPLICATION);
        assertThat(table.exitCode()).as(table.output()).isZero();
        assertThat(table.output()).contains(APPLICATION + "  RUNNING", "STAGE", "ROWS IN", "adapter", "processor");

        final Product.Result restarted = instance.app("restart", APPLICATION);
        assertThat(restarted.exitCode()).as(restarted.output()).isZero();
        assertThat(restarted.output()).contains(APPLICATION, "RUNNING");
    }

    @Test
    void shouldWatchInBlocksWhereThereIsNoTerminalAndEndCleanlyByCtrlC() throws Exception
    {
        final String output = interrupted("RUNNING", 2, file ->
        {
        }, "app", "status", "--watch", "--interval", "1", APPLICATION, "--domain",
            instance.domain.directory().toString());
        assertThat(output).doesNotContain("\u001b").doesNotContain("Exception");
        final List<String> lines = output.lines().toList();
        assertThat(lines).hasSizeGreaterThan(1).allMatch(line -> line.startsWith(APPLICATION));
    }

    @Test
    void shouldFollowTheLogOfOneApplicationThroughARotation() throws Exception
    {
        assertThat(instance.app("logs", APPLICATION).output()).contains(APPLICATION).doesNotContain("server RUNNING");
        final Path log = instance.domain.directory().resolve("logs/server.log");
        final String output = interrupted("behind the rotation", 1, file ->
        {
            try
            {
                Product.await("the first lines", BLOCK_SECONDS, () -> output(file).contains("application installed"));
                Files.move(log, log.resolveSibling("server.1.log"));
                Files.writeString(log, "2026-11-23 22:10:35.123 INFO  [other] a.B - of another application\n" +
                    "2026-11-23 22:10:35.124 INFO  [" + APPLICATION + "/in] a.B - behind the rotation\n");
            }
            catch (final IOException | InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        }, "app", "logs", "-f", APPLICATION, "--domain", instance.domain.directory().toString());
        assertThat(output).contains("application installed").doesNotContain("of another application")
            .doesNotContain("Exception");
    }
}
