package dev.millrace.network.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class DurationFormatTest
{
    @ParameterizedTest
    @CsvSource({"none, 0", "500ms, 500", "30s, 30000", "5 m, 300000", "2h, 7200000", "36500d, 3153600000000"})
    void shouldReadWhatItWrites(final String text, final long ms)
    {
        final Duration time = DurationFormat.parse(text);
        assertThat(time).isEqualTo(Duration.ofMillis(ms));
        assertThat(DurationFormat.parse(DurationFormat.format(time))).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0s", "-1h", "1", "1.5h", "h", "1 week", "36501d", "999999999d", "9999999999ms"})
    void shouldRefuseNonsense(final String text)
    {
        assertThat(DurationFormat.parse(text)).isNull();
    }
}
