package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The studies other than {@code bench scaling}: the peak of one instance, faults, and clean-up after an interruption.
 */
@Timeout(300)
class StudiesIT
{
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    @TempDir
    private Path directory;

    private Path temporary;

    @BeforeEach
    void makeDirectory() throws Exception
    {
        temporary = Files.createDirectory(directory.resolve("tmp"));
    }

    private Product.Result bench(final String... arguments) throws Exception
    {
        final String[] all = new String[arguments.length + 1];
        all[0] = "bench";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Product.run(Product.unoptimized(temporary), Product.HOME.directory().resolve("bin/millrace"), all);
    }

    private List<String> generators()
    {
        return Product.processes(temporary.toString()).stream().filter(line -> line.contains("loadgen.Main")).toList();
    }

    private void assertNothingIsLeft() throws Exception
    {
        assertThat(temporary).isEmptyDirectory();
        // A child of an ended script, such as its grep, may exist for a moment longer.
        Product.await("the end of all processes", 60, () -> Product.processes(temporary.toString()).isEmpty());
    }

    @Test
    void shouldTryEachRateOverEachNumberOfConnectionsAndNameThePeak() throws Exception
    {
        final Path json = directory.resolve("peak.json");
        final Path html = directory.resolve("peak.html");
        final Product.Result result = bench("peak", "--connections", "1,2", "--rates", "3000,6000", "--seconds", "1",
            "--warmup", "1", "--json", json.toString(), "--html", html.toString());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("peak: \\d,\\d{3} events/s accepted, [12] connections, average ");
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(figures.get("instances").getAsInt()).isEqualTo(1);
        assertThat(figures.get("ticksPerPacket").getAsInt()).isEqualTo(1);
        final JsonArray rows = figures.getAsJsonArray("rows");
        assertThat(rows).hasSize(4);
        for (int i = 0; i < rows.size(); i++)
        {
            final JsonObject row = rows.get(i).getAsJsonObject();
            assertThat(row.get("connections").getAsInt()).isEqualTo(1 + i / 2);
            // The events due in one second, regardless of the machine's load.
            assertThat(row.get("offeredPerSec").getAsDouble()).isBetween(2_900.0 * (1 + i % 2), 3_100.0 * (1 + i % 2));
            assertThat(row.get("accepted")).isEqualTo(row.get("sent"));
            assertThat(row.get("output")).isEqualTo(row.get("expectedOutput"));
        }
        assertThat(Files.readString(html)).contains("1 instances, 1 ticks per packet", "one line per number of");
        assertNothingIsLeft();
    }

    /** Times are those of a busy machine; rows must be right on any machine, and the exit code must match the table. */
    @Test
    void shouldKillOneOfTwoAndSayWhichLimitsHold() throws Exception
    {
        final Path json = directory.resolve("faults.json");
        final Product.Result result = bench("faults", "--instances", "2", "--faults", "port,kill", "--rate", "5000",
            "--json", json.toString());
        final JsonArray checks =
            JsonParser.parseString(Files.readString(json)).getAsJsonObject().getAsJsonArray("checks");
        final TreeSet<String> faults = new TreeSet<>();
        boolean areAllRight = true;
        for (final JsonElement element : checks)
        {
            final JsonObject check = element.getAsJsonObject();
            faults.add(check.get("fault").getAsString());
            assertThat(result.output()).contains(check.get("what").getAsString());
            areAllRight &= check.get("right").getAsBoolean();
            if (List.of("rows", "times").contains(check.get("unit").getAsString()))
            {
                assertThat(check.get("measured").getAsDouble()).as(result.output()).isZero();
            }
        }
        assertThat(faults).containsExactly("kill", "port");
        assertThat(checks).hasSize(7);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(areAllRight ? 0 : FAILED);
        assertThat(result.output().contains("CMD-0169")).as(result.output()).isNotEqualTo(areAllRight);
        assertNothingIsLeft();
    }

    /** So few samples still include the warm-up; whatever the result, table, figures and exit code must agree. */
    @Test
    void shouldSampleAnInstanceUnderLoadAndTellWhetherItGrows() throws Exception
    {
        final Path json = directory.resolve("soak.json");
        final Product.Result result = bench("soak", "--samples", "3", "--sample-seconds", "1", "--rate", "2000",
            "--json", json.toString());
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        final JsonArray samples = figures.getAsJsonArray("samples");
        assertThat(samples).hasSize(3);
        for (int i = 0; i < samples.size(); i++)
        {
            final JsonObject sample = samples.get(i).getAsJsonObject();
            assertThat(sample.get("events").getAsLong()).isBetween(1_800L * (i + 1), 2_200L * (i + 1));
            assertThat(sample.get("liveHeapBytes").getAsLong()).isBetween(1_000_000L, 512_000_000L);
            assertThat(sample.get("handles").getAsLong()).isPositive();
            assertThat(sample.get("threads").getAsLong()).isPositive();
        }
        final boolean isFlat = figures.get("flat").getAsBoolean();
        assertThat(result.output()).contains("2,000 events/s, no event lost", "live heap", "handles", "threads");
        assertThat(result.output().contains("GROWS")).isNotEqualTo(isFlat);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(isFlat ? 0 : FAILED);
        assertNothingIsLeft();
    }

    @Test
    @Timeout(360)
    void shouldLeaveNothingWhenAStudyIsInterruptedWhileGeneratorsSend() throws Exception
    {
        final Path output = directory.resolve("output.txt");
        final Process bench = Product.startInterruptible(Product.unoptimized(temporary), output.toFile(),
            Product.HOME.directory().resolve("bin/millrace"), "bench", "scaling", "--instances", "2", "--connections",
            "1", "--rate", "1000", "--seconds", "60", "--warmup", "1");
        try
        {
            Product.await("a generator for each of two instances", 240, () -> !bench.isAlive() ||
                generators().size() == 2);
            assertThat(bench.isAlive()).as(Files.readString(output)).isTrue();
            assertThat(Product.processes("-Dwlevs.domain.home=" + temporary)).hasSize(2);
            assertThat(Product.processes(temporary.toString())).as("the probe, with what the study has for files")
                .anyMatch(line -> line.contains("HiccupProcess"));
            new ProcessBuilder("kill", "-INT", String.valueOf(bench.pid())).start().waitFor();
            assertThat(bench.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(bench.exitValue()).as(Files.readString(output)).isEqualTo(INTERRUPTED);
            assertThat(Files.readString(output)).doesNotContain("CMD-");
            assertNothingIsLeft();
        }
        finally
        {
            bench.destroy();
        }
    }
}
