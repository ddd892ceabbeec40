package dev.millrace.api.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compared with the library of the JDK. */
@Timeout(60)
class InstantParserTest
{
    private final InstantParser parser = new InstantParser();

    private void check(final String text)
    {
        Long expected = null;
        try
        {
            final Instant instant = Instant.parse(text);
            expected = Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        }
        catch (final DateTimeException | ArithmeticException invalid)
        {
            // Must be refused.
        }
        final byte[] bytes = ("x" + text + "y").getBytes(StandardCharsets.UTF_8);
        assertThat(parser.parse(bytes, 1, bytes.length - 1)).as(text).isEqualTo(expected != null);
        if (expected != null)
        {
            assertThat(parser.epochNs()).as(text).isEqualTo(expected);
        }
    }

    @Test
    void shouldParseTheInstantsThatTheLibraryParses()
    {
        final Random random = new Random(7);
        for (int i = 0; i < 20_000; i++)
        {
            final Instant instant = Instant.ofEpochSecond(random.nextLong(-9_100_000_000L, 9_100_000_000L),
                i % 3 == 0 ? 0 : i % 3 == 1 ? random.nextInt(1_000) * 1_000_000 : random.nextInt(1_000_000_000));
            check(instant.toString());
        }
        check("2024-02-29T00:00:00Z");
        check("2000-02-29T23:59:59.999999999Z");
        check("2026-11-29T10:15:00.5Z");
        check("2026-11-29T10:15:00+01:00");
        check("2026-11-29T10:15Z");
        check("2026-11-29T24:00:00Z");
        check("1677-01-01T00:00:00Z");
        check("1970-01-01T00:00:00Z");
    }

    @Test
    void shouldRefuseWhatTheLibraryRefuses()
    {
        for (final String text : new String[]{"", "Z", "2026-11-29", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00.5x5Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00",
            "9999-01-01T00:00:00Z", "12345678901234567890"})
        {
            check(text);
        }
    }
}
