package dev.millrace.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Generator and adapter over loopback compared with a bare pair, as a program. */
@Tag("slow")
@Timeout(120)
class LoopbackBenchTest
{
    private static final long LIMIT_SECONDS = 90;

    @TempDir
    private Path directory;

    /** A relative data file would be resolved against a property file that does not exist. */
    @Test
    void shouldMeasureAndLeaveNothingWhenTheDirectoryForTemporaryFilesIsRelative() throws Exception
    {
        Files.createDirectory(directory.resolve("tmp"));
        final Path output = directory.resolve("output.txt");
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=tmp", "-cp", System.getProperty("java.class.path"), LoopbackBench.class.getName(),
            "--connections", "1", "--ticks", "10", "--secs", "1", "--rounds", "1", "--json", "figures.json")
            .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        final JsonArray results = JsonParser.parseString(Files.readString(directory.resolve("figures.json")))
            .getAsJsonObject().getAsJsonArray("results");
        assertThat(results).hasSize(1);
        final JsonObject result = results.get(0).getAsJsonObject();
        assertThat(result.get("ticksPerPacket").getAsInt()).isEqualTo(10);
        assertThat(result.get("bareMedian").getAsDouble()).isPositive();
        assertThat(result.get("writePerPacketMedian").getAsDouble()).isPositive();
        assertThat(result.get("sharedWritesMedian").getAsDouble()).isPositive();
        assertThat(directory.resolve("tmp")).as("remaining files").isEmptyDirectory();
    }
}
