package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers find the index of their statement with few probes. */
@Timeout(60)
class TemplateKeysTest
{
    private static final int KEYS = 1000;
    /** Mask of a table for this number of keys. */
    private static final int MASK = 2047;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 20, 32, 40, 44, 50})
    void shouldSpreadNumbersWhoseLowerBitsAreZero(final int zeros)
    {
        final long[] numbers = LongStream.range(1, KEYS + 1).map(number -> number << zeros).toArray();
        final long places = LongStream.of(numbers).mapToInt(TemplateKeys::hash).map(hash -> hash & MASK)
            .distinct().count();
        assertThat(places).isGreaterThan(KEYS / 3);
        final TemplateKeys keys = TemplateKeys.ofNumbers(numbers);
        assertThat(IntStream.range(0, KEYS).map(i -> keys.slotOfNumber(numbers[i])).boxed().toList())
            .isEqualTo(IntStream.range(0, KEYS).boxed().toList());
        assertThat(keys.slotOfNumber(-1)).isEqualTo(TemplateKeys.NONE);
    }
}
