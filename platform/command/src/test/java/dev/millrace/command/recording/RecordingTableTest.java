package dev.millrace.command.recording;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordingTableTest
{
    private static final JsonObject RESPONSE = JsonParser.parseString("""
        {"application": "a", "stages": [
          {"stage": "quoteAdapter", "recording": {"state": "FAILED", "dataset": "d", "rows": 12, "rowsNotRecorded": 3,
            "started": "2026-11-29T10:15:00Z", "failure": "the disk is full"}},
          {"stage": "in", "recording": {"state": "IDLE", "dataset": "quotes"}},
          {"stage": "in", "playback": {"state": "PLAYING", "dataset": "quotes", "rows": 5, "passes": 0,
            "position": "2026-11-29T10:15:07.25Z", "failure": null}}]}
        """).getAsJsonObject();

    private static String printed(final RecordingTable table, final String stage, final boolean isJson)
    {
        final StringWriter text = new StringWriter();
        table.print(RESPONSE, stage, isJson, new PrintWriter(text));
        return text.toString();
    }

    @Test
    void shouldPrintRecordingsWithTheirFailures()
    {
        assertThat(printed(RecordingTable.ofRecordings(), null, false)).isEqualTo("""
            STAGE         STATE      DATASET            ROWS  NOT RECORDED  STARTED
            quoteAdapter  FAILED     d                    12             3  2026-11-29T10:15:00Z
                the disk is full
            in            IDLE       quotes                -             -  -
            """);
    }

    @Test
    void shouldPrintPlaybacks()
    {
        assertThat(printed(RecordingTable.ofPlaybacks(), "in", false)).isEqualTo("""
            STAGE    STATE      DATASET            ROWS        PASSES  POSITION
            in       PLAYING    quotes                5             0  2026-11-29T10:15:07.25Z
            """);
        assertThat(printed(RecordingTable.ofPlaybacks(), "quoteAdapter", false)).isEqualTo("no playbacks\n");
    }

    @Test
    void shouldPrintJson()
    {
        assertThat(JsonParser.parseString(printed(RecordingTable.ofPlaybacks(), null, true))).isEqualTo(
            JsonParser.parseString("""
                [{"stage": "in", "state": "PLAYING", "dataset": "quotes", "rows": 5, "passes": 0,
                  "position": "2026-11-29T10:15:07.25Z", "failure": null}]
                """));
    }
}
