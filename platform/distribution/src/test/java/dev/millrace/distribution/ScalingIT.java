package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The study of many instances, with two. */
@Timeout(300)
class ScalingIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureInstancesOfOneClusterAndCheckWhatTheyPutOut() throws Exception
    {
        final Path temporary = Files.createDirectory(directory.resolve("tmp"));
        final Path json = directory.resolve("scaling.json");
        final Path html = directory.resolve("scaling.html");
        final Product.Result result = Product.run(
            Product.unoptimized(temporary), Product.HOME.directory().resolve("bin/millrace"),
            "bench", "scaling", "--instances", "2", "--connections", "1,2", "--rate", "5000", "--seconds", "1",
            "--warmup", "1", "--json", json.toString(), "--html", html.toString(), Product.UNOPTIMIZED);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("2 instances, one cluster after");
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(figures.getAsJsonArray("rows")).hasSize(2);
        long sentBefore = 0;
        for (final JsonElement element : figures.getAsJsonArray("rows"))
        {
            final JsonObject row = element.getAsJsonObject();
            assertThat(row.get("accepted")).isEqualTo(row.get("sent"));
            assertThat(row.get("output")).isEqualTo(row.get("expectedOutput"));
            assertThat(row.get("sent").getAsLong()).isGreaterThan(sentBefore);
            assertThat(row.get("output").getAsLong()).isPositive();
            assertThat(row.getAsJsonArray("instances")).hasSize(2);
            assertProcessesFitIntoWhatTheMachineDid(row);
            sentBefore = row.get("sent").getAsLong();
        }
        assertThat(Files.readString(html)).contains("<svg").contains("2 instances");
        assertThat(temporary).isEmptyDirectory();
        assertThat(Product.processes(temporary.toString())).isEmpty();
    }

    /** Both cover the same time; processor time is measured in microseconds, idle time in hundredths of a second. */
    private static void assertProcessesFitIntoWhatTheMachineDid(final JsonObject row) throws IOException
    {
        final Path statistics = Path.of("/proc/stat");
        if (Files.isReadable(statistics))
        {
            final long processors =
                Files.readAllLines(statistics).stream().filter(line -> line.matches("cpu\\d.*")).count();
            final double busySec = row.get("busyPercent").getAsDouble() / 100 * processors *
                row.get("measuredSec").getAsDouble();
            assertThat(row.get("serverCpuSec").getAsDouble() + row.get("generatorCpuSec").getAsDouble())
                .isPositive().isLessThan(busySec + 0.1);
        }
    }
}
