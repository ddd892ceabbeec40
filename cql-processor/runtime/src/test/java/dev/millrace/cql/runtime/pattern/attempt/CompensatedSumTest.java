package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sums of doubles with compensated rounding errors, compared with exact decimal sums. */
@Timeout(60)
class CompensatedSumTest
{
    private static final int AT = 3;
    private static final long SEED = 20_261_128L;
    private final long[] words = new long[AT + CompensatedSum.WORDS];

    @Test
    void shouldKeepWhatALargeValueHides()
    {
        for (final double value : new double[] {1, 1e100, 1, -1e100})
        {
            CompensatedSum.add(words, AT, value);
        }
        assertThat(CompensatedSum.value(words, AT)).isEqualTo(2);
    }

    @Test
    void shouldKeepWhatASmallSumLosesToALargeValue()
    {
        CompensatedSum.add(words, AT, 0.5);
        CompensatedSum.add(words, AT, 1e17);
        CompensatedSum.add(words, AT, -1e17);
        assertThat(CompensatedSum.value(words, AT)).isEqualTo(0.5);
    }

    @Test
    void shouldSumWithOneMoreValueAndLeaveTheRecordAsItWas()
    {
        CompensatedSum.add(words, AT, 1);
        CompensatedSum.add(words, AT, 1e100);
        final long[] before = words.clone();
        assertThat(CompensatedSum.value(words, AT, -1e100)).isEqualTo(1);
        assertThat(words).isEqualTo(before);
    }

    @Test
    void shouldRoundTheExactSumOnce()
    {
        final Random random = new Random(SEED);
        BigDecimal exact = BigDecimal.ZERO;
        for (int i = 0; i < 100_000; i++)
        {
            final double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12));
            exact = exact.add(new BigDecimal(value));
            final double wanted = exact.doubleValue();
            assertThat(CompensatedSum.value(words, AT, value)).as("value %d, seed %d", i, SEED)
                .isBetween(wanted - Math.ulp(wanted), wanted + Math.ulp(wanted));
            CompensatedSum.add(words, AT, value);
            assertThat(CompensatedSum.value(words, AT)).as("value %d, seed %d", i, SEED)
                .isBetween(wanted - Math.ulp(wanted), wanted + Math.ulp(wanted));
        }
    }

    @Test
    void shouldStayInfiniteAndNotBecomeNaN()
    {
        CompensatedSum.add(words, AT, Double.POSITIVE_INFINITY);
        CompensatedSum.add(words, AT, 1);
        assertThat(CompensatedSum.value(words, AT)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(CompensatedSum.value(words, AT, 1)).isEqualTo(Double.POSITIVE_INFINITY);
    }
}
