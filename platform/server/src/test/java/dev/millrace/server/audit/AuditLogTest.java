package dev.millrace.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.audit.AuditLog.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditLogTest
{
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-23T09:08:07.006Z"), ZoneOffset.UTC);

    private static final Entry SUSPEND =
        new Entry("app.suspend", "ada", "127.0.0.1:4711", "apps/a/suspend", "done", null);

    private static final String LINE = "{\"time\":\"2026-11-23T09:08:07.006Z\",\"event\":\"app.suspend\","
        + "\"user\":\"ada\","
        + "\"peer\":\"127.0.0.1:4711\",\"target\":\"apps/a/suspend\",\"result\":\"done\",\"code\":null}";

    @TempDir
    private Path directory;

    private List<String> lines(final String name) throws IOException
    {
        return Files.readAllLines(directory.resolve(name));
    }

    @Test
    void shouldWriteOneLineAnEventForTheOwnerOnlyAndKeepWhatIsThere() throws Exception
    {
        try (AuditLog log = AuditLog.open(directory, CLOCK, 1 << 20))
        {
            log.write(SUSPEND);
            assertThat(lines("audit.log")).containsExactly(LINE);
        }
        try (AuditLog log = AuditLog.open(directory, CLOCK, 1 << 20))
        {
            log.write(new Entry("login", "unknown", "-", "two\nlines \"quoted\"", "refused", "SRV-0401"));
        }
        assertThat(lines("audit.log")).hasSize(2).first().isEqualTo(LINE);
        assertThat(lines("audit.log").get(1)).contains("two\\nlines \\\"quoted\\\"", "\"code\":\"SRV-0401\"");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("audit.log"))))
            .isEqualTo("rw-------");
    }

    @Test
    void shouldKeepTheOrderOfEventsWhenTheClockOfTheMachineJumpsBackAndForth() throws Exception
    {
        final Instant start = CLOCK.instant();
        final Deque<Instant> times = new ArrayDeque<>(
            List.of(start, start.minus(Duration.ofHours(1)), start.plus(Duration.ofHours(1))));
        final Clock jumping = new Clock()
        {
            @Override
            public ZoneId getZone()
            {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(final ZoneId zone)
            {
                return this;
            }

            @Override
            public Instant instant()
            {
                return times.remove();
            }
        };
        try (AuditLog log = AuditLog.open(directory, jumping, 1 << 20))
        {
            log.write(SUSPEND);
            log.write(SUSPEND);
            log.write(SUSPEND);
        }
        assertThat(lines("audit.log")).map(line -> line.substring(20, 22)).containsExactly("09", "08", "10");
    }

    @Test
    void shouldKeepTenOldFilesWhenTheFileIsTurnedOver() throws Exception
    {
        try (AuditLog log = AuditLog.open(directory, CLOCK, 2L * LINE.length() + 2))
        {
            for (int i = 0; i < 30; i++)
            {
                log.write(SUSPEND);
            }
        }
        for (int i = 1; i <= AuditLog.OLD_FILES; i++)
        {
            assertThat(lines("audit." + i + ".log")).containsExactly(LINE, LINE);
        }
        assertThat(lines("audit.log")).containsExactly(LINE, LINE);
        assertThat(directory.resolve("audit.11.log")).doesNotExist();
    }

    @Test
    void shouldCountRefusalsWhenThereAreTooManyInAMinute() throws Exception
    {
        try (AuditLog log = AuditLog.open(directory, CLOCK, 1 << 20))
        {
            for (int i = 0; i < AuditLog.MAX_REFUSALS_PER_MINUTE + 25; i++)
            {
                log.writeRefusal(new Entry("login", "unknown", "127.0.0.1:" + i, "server", "refused", "SRV-0401"));
            }
            log.write(SUSPEND);
            assertThat(lines("audit.log")).hasSize(AuditLog.MAX_REFUSALS_PER_MINUTE + 1).last().isEqualTo(LINE);
        }
        assertThat(lines("audit.log")).hasSize(AuditLog.MAX_REFUSALS_PER_MINUTE + 2).last().asString()
            .contains("\"code\":\"SRV-0401\"", "\"count\":25}");
    }

    @Test
    void shouldGoOnWithWholeLinesWhenItCouldNotWriteForAWhile() throws Exception
    {
        try (AuditLog log = AuditLog.open(directory, CLOCK, LINE.length() + 1))
        {
            log.write(SUSPEND);
            // The tenth old file cannot be replaced.
            Files.createFile(directory.resolve("audit.9.log"));
            Files.createDirectories(directory.resolve("audit.10.log/full"));
            assertThatThrownBy(() -> log.write(SUSPEND)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> log.write(SUSPEND)).isInstanceOf(IOException.class);

            Files.delete(directory.resolve("audit.10.log/full"));
            log.write(SUSPEND);
            assertThat(lines("audit.log")).containsExactly(LINE);
            assertThat(lines("audit.1.log")).containsExactly(LINE);
        }
    }
}
