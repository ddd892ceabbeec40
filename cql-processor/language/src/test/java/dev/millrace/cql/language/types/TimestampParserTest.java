package dev.millrace.cql.language.types;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing of times. */
@Timeout(60)
class TimestampParserTest
{
    @ParameterizedTest
    @CsvSource({
        "01/01/1970 00:00:01, 1000000000",
        "1/2/1970 00:00:00, 86400000000000",
        "01-02-1970 00:00:00, 86400000000000",
        "02-Jan-70, 3155846400000000000",
        "02-jan-1970, 86400000000000",
        "1970-01-01T00:00:00.5, 500000000",
        "1970-01-01T00:00:00.000000001, 1",
        "1970-01-01 00:01:00, 60000000000",
        "1970-01-01T01:00:00+01:00, 0",
        "1970-01-01T01:00:00 +0100, 0",
        "1970-01-01T00:00:00Z, 0",
        "01/01/1970 00:00:00 UTC, 0",
        "01/01/1970 00:00:00 GMT, 0",
        "1969-12-31T23:59:59, -1000000000",
        "11/21/2026 05:10:00, 1795237800000000000"})
    void shouldReadEveryFormOfTimestamp(final String text, final long ns)
    {
        assertThat(TimestampParser.timestamp(text)).isEqualTo(ns);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "now", "2026", "13/01/2026 00:00:00", "02/30/2026 00:00:00", "2026-11-21T25:00:00",
        "2026-11-21X", "2026-11-21T05:10", "01/01/3000 00:00:00", "1970-01-01T00:00:00 nowhere"})
    void shouldGiveNothingWhenTextIsNoTimestamp(final String text)
    {
        assertThat(TimestampParser.timestamp(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0 00:00:05.00, day, second, 5000000000",
        "1 02:03:04, day, second, 93784000000000",
        "-1 00:00:00, day, second, -86400000000000",
        "5, second, second, 5000000000",
        "0.000000001, second, second, 1",
        "90, minute, minute, 5400000000000",
        "1:30, hour, minute, 5400000000000",
        "2 12, day, hour, 216000000000000",
        "+3, hour, hour, 10800000000000"})
    void shouldReadEveryFormOfInterval(final String text, final String from, final String to, final long ns)
    {
        assertThat(TimestampParser.interval(text, from, to)).isEqualTo(ns);
    }

    @ParameterizedTest
    @CsvSource({"5, day, second", "1:2:3, minute, second", "x, second, second", "1.5, minute, minute",
        "0 24:00:00, day, second", "0 00:60:00, day, second", "200000, day, day", "1, second, day"})
    void shouldGiveNothingWhenTextIsNoInterval(final String text, final String from, final String to)
    {
        assertThat(TimestampParser.interval(text, from, to)).isNull();
    }
}
