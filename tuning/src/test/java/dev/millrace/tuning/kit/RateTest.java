package dev.millrace.tuning.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

@Timeout(60)
class RateTest
{
    @Test
    void shouldGiveClientsAndEventsWhenTheFormIsRight()
    {
        assertThat(Rate.parse("1x5000")).isEqualTo(new Rate(1, 5_000));
        assertThat(Rate.parse("256X100000000")).isEqualTo(new Rate(256, 100_000_000));
        assertThat(Rate.parse("4x0")).isEqualTo(new Rate(4, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5000", "x", "4x", "x5", "4 x 5", "4by5", "-1x5", "1x-5", "1.5x10", "1x5x3", "ax5"})
    void shouldRefuseWhenItIsNotClientsTimesEvents(final String text)
    {
        assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(TypeConversionException.class)
            .hasMessageContaining("is not NxM").hasMessageContaining("4x125000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x5000", "257x1", "1x100000001", "999999999x999999999999"})
    void shouldRefuseWhenItIsOutOfRange(final String text)
    {
        assertThatThrownBy(() -> Rate.parse(text)).isInstanceOf(TypeConversionException.class)
            .hasMessageContaining("out of range");
    }

    @Test
    void shouldMakeEventsDueAtEvenDistances()
    {
        final Rate rate = new Rate(1, 4);
        assertThat(rate.dueAt(0)).isZero();
        assertThat(rate.dueAt(249_999_999)).isZero();
        assertThat(rate.dueAt(250_000_000)).isEqualTo(1);
        assertThat(rate.dueAt(1_000_000_000)).isEqualTo(4);
        assertThat(rate.dueNs(1)).isEqualTo(250_000_000);
        assertThat(rate.dueNs(40)).isEqualTo(10_000_000_000L);
        assertThat(new Rate(1, 0).dueAt(1)).isEqualTo(Long.MAX_VALUE);
    }
}
