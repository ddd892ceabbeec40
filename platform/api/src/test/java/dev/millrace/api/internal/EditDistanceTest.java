package dev.millrace.api.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class EditDistanceTest
{
    private static final int NO_LIMIT = 100;

    @ParameterizedTest
    @CsvSource({
        "price,price,0",
        "'','',0",
        "'',abc,3",
        "symbol,symbols,1",
        "channel,chanel,1",
        "price,prize,1",
        "symbol,SYMBOL,6",
        "kitten,sitting,3",
        "flaw,lawn,2",
    })
    void shouldCountInsertionsDeletionsAndReplacements(final String a, final String b, final int distance)
    {
        assertThat(EditDistance.of(a, b, NO_LIMIT)).isEqualTo(distance);
        assertThat(EditDistance.of(b, a, NO_LIMIT)).isEqualTo(distance);
    }

    @ParameterizedTest
    @CsvSource({
        "ab,ba,1",
        "symblo,symbol,1",
        "laodgen,loadgen,1",
        "evnet-tpye,event-type,2",
        // A swap of neighbors is not changed again: with that, ca, ac, abc would be 2.
        "ca,abc,3",
    })
    void shouldCountASwapOfNeighborsOnce(final String a, final String b, final int distance)
    {
        assertThat(EditDistance.of(a, b, NO_LIMIT)).isEqualTo(distance);
        assertThat(EditDistance.of(b, a, NO_LIMIT)).isEqualTo(distance);
    }

    @Test
    void shouldNotExceedTheLimit()
    {
        assertThat(EditDistance.of("abc", "xyz", 3)).isEqualTo(3);
        assertThat(EditDistance.of("abc", "xyz", 2)).isEqualTo(2);
        assertThat(EditDistance.of("a", "abcdef", 4)).isEqualTo(4);
        assertThat(EditDistance.of("a", "abc", 3)).isEqualTo(2);
    }
}
