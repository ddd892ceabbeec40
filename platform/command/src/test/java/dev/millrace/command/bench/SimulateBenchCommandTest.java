package dev.millrace.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.Main;
import dev.millrace.command.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line of the simulation. */
@Timeout(60)
class SimulateBenchCommandTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"--members,1", "--members,abc", "--members,20001", "--rate,0", "--keys,0", "--skew,-0.1", "--skew,NaN",
        "--partitions,0", "--loss-at,-1", "--loss-at,11", "--seconds,0", "--group,1", "--cores,0", "--flush-us,0",
        "--seed,x", "--partitions,900000"})
    void shouldRefuseValuesThatMakeNoSense(final String option, final String value)
    {
        assertThat(Main.run("bench", "simulate", option, value)).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldWriteARowForEachNumberOfMembers() throws Exception
    {
        final Path json = directory.resolve("simulation.json");
        assertThat(Main.run("bench", "simulate", "--members", "3,20", "--rate", "1000", "--seconds", "2", "--loss-at",
            "1", "--keys", "1000", "--seed", "5", "--json", json.toString())).isEqualTo(ExitCode.DONE);
        final JsonObject figures = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(figures.getAsJsonObject("settings").get("seed").getAsLong()).isEqualTo(5);
        assertThat(figures.getAsJsonArray("rows")).hasSize(2);
        assertThat(figures.getAsJsonArray("rows").get(1).getAsJsonObject().get("members").getAsInt()).isEqualTo(20);
    }

    @Test
    void shouldShowWhatTheModelRestsOn()
    {
        assertThat(Main.run("bench", "simulate", "--constants")).isEqualTo(ExitCode.DONE);
    }
}
