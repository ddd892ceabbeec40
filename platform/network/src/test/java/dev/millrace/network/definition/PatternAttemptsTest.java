package dev.millrace.network.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of attempts in the notation of configuration files. */
@Timeout(60)
class PatternAttemptsTest
{
    @ParameterizedTest
    @CsvSource({"1, 1", "' 500 ', 500", "1000000, 1000000"})
    void shouldReadNumbers(final String text, final int number)
    {
        assertThat(PatternAttempts.parse(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1000001", "99999999999", "1.5", "many", "10k"})
    void shouldRefuseAllElse(final String text)
    {
        assertThat(PatternAttempts.parse(text)).isNull();
    }
}
