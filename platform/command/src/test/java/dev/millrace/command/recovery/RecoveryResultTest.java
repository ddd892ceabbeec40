package dev.millrace.command.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.recovery.RecoveryResult.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecoveryResultTest
{
    @TempDir
    private Path directory;

    private static RecoveryResult result(final Rows rows)
    {
        final Map<KillMoment, Integer> kills = new EnumMap<>(KillMoment.class);
        kills.put(KillMoment.FLOW, 3);
        kills.put(KillMoment.SNAPSHOT, 1);
        return new RecoveryResult(RecoverySettings.of(RecoveryVariant.WINDOWS, 4, 0, 7, null, false), kills, 500, rows,
            List.of(30.0, 10.0, 20.0, 40.0), List.of(70.0), 12, List.of(), 8);
    }

    @Test
    void shouldReportTheFiguresAsJson()
    {
        final JsonObject json =
            JsonParser.parseString(result(new Rows(90, 90, 0, 0, 0, List.of())).json()).getAsJsonObject();
        assertThat(json.get("variant").getAsString()).isEqualTo("windows");
        assertThat(json.get("kills").getAsInt()).isEqualTo(4);
        assertThat(json.get("killsByMoment").toString()).isEqualTo("{\"flow\":3,\"snapshot\":1}");
        assertThat(json.get("sent").getAsLong()).isEqualTo(500);
        assertThat(json.get("rate").getAsLong()).isEqualTo(1_000);
        assertThat(json.getAsJsonObject("recoveryMs").get("p50").getAsDouble()).isEqualTo(20);
        assertThat(json.getAsJsonObject("recoveryMs").get("max").getAsDouble()).isEqualTo(40);
        assertThat(json.getAsJsonObject("snapshotPauseUs").get("p99").isJsonNull()).isTrue();
        assertThat(json.get("resumed").getAsInt()).isEqualTo(1);
        assertThat(json.get("secondsPerKill").getAsDouble()).isEqualTo(2);
    }

    @Test
    void shouldFailWhenARowIsMissingDoubledOrWrong()
    {
        assertThatCode(result(new Rows(90, 90, 0, 0, 0, List.of()))::check).doesNotThrowAnyException();
        for (final Rows rows : List.of(new Rows(90, 89, 1, 0, 0, List.of("missing a")),
            new Rows(90, 91, 0, 1, 0, List.of("doubled a")), new Rows(90, 90, 0, 0, 1, List.of("wrong a"))))
        {
            assertThatThrownBy(result(rows)::check).isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0210").hasMessageContaining("seed=7");
        }
    }

    @Test
    void shouldReadFiguresOfTheLogOnceAndOnlyCompleteLines() throws Exception
    {
        final Path file = directory.resolve("console.log");
        final InstanceLog log = new InstanceLog(file);
        log.read();
        Files.writeString(file, "12:00 INFO state restored, unit=a/p/worker-0-of-2 batches=5 ms=3\n" +
            "12:01 INFO state restored, unit=a/q/u bat");
        log.read();
        log.read();
        assertThat(log.replayedBatches()).isEqualTo(5);
        Files.writeString(file, Files.readString(file) + "ches=7 ms=0\n12:02 INFO other\n");
        log.read();
        assertThat(log.replayedBatches()).isEqualTo(12);
    }
}
