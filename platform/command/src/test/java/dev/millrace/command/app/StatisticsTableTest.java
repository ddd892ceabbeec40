package dev.millrace.command.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StatisticsTableTest
{
    private long nowNs;

    private String printed(final StatisticsTable table, final long rows)
    {
        final StringWriter text = new StringWriter();
        table.print(JsonParser.parseString("""
            {"application": "my.app", "state": "DEGRADED",
             "causes": [{"stage": "out", "code": "JDB-0103", "text": "the database is away",
                         "since": "2026-11-23T22:10:35.5Z", "count": 7}],
             "stages": [{"id": "in", "kind": "adapter", "rowsIn": %d, "rowsOut": 3, "rowsRejected": 2,
                         "rejectedBy": {"not-a-number": 2}, "queuedRows": 16, "own": {"port": 9001, "trouble": ""}}],
             "caches": [{"id": "prices", "size": 12}],
             "memory": [{"stage": "proc", "rule": "q1", "part": "state", "bytes": 12911117},
                        {"stage": "", "rule": "", "part": "shared strings", "bytes": 2048},
                        {"stage": "in", "rule": "", "part": "connections", "bytes": 7}]}
            """.formatted(rows)).getAsJsonObject(), new PrintWriter(text));
        return text.toString();
    }

    @Test
    void shouldShowStagesWithTheirReasonsOwnFiguresAndCauses()
    {
        assertThat(printed(new StatisticsTable(() -> nowNs), 5)).isEqualTo("""
            my.app  DEGRADED
                cause: JDB-0103 stage=out since=2026-11-23T22:10:35 count=7
                    the database is away
            STAGE  KIND              ROWS IN       ROWS OUT     REJECTED            \s
            in     adapter                 5              3            2            \s
                rejected not-a-number=2
                queuedRows=16 port=9001
            cache prices  size=12
            memory 12.3 MiB  proc/q1/state
            memory 2.0 KiB  shared strings
            memory 7 B  in/connections
            """.replace("\\s", " "));
    }

    @Test
    void shouldShowRatesFromTheSecondTimeOn()
    {
        final StatisticsTable table = new StatisticsTable(() -> nowNs);
        assertThat(printed(table, 1_000)).doesNotContain("IN/S");
        nowNs += TimeUnit.SECONDS.toNanos(2);
        assertThat(printed(table, 4_000)).contains("IN/S").contains("2         1500\n");
    }
}
