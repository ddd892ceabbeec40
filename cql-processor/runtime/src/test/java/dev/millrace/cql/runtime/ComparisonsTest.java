package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ComparisonsTest
{
    private static final double[] SPECIAL = {
        0.0, -0.0, 1, -1, 2, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE,
        -Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN,
        Double.longBitsToDouble(0xFFF8_0000_0000_0000L), Double.longBitsToDouble(0xFFFF_FFFF_FFFF_FFFFL),
        Double.longBitsToDouble(0x7FFF_FFFF_FFFF_FFFFL), Double.longBitsToDouble(0x7FF0_0000_0000_0001L),
        Math.nextUp(1.0), Math.nextDown(1.0), 1e300, -1e300};

    @Test
    void shouldAgreeWithOperatorsWhenNumbersAreSpecial()
    {
        for (final double left : SPECIAL)
        {
            for (final double right : SPECIAL)
            {
                check(left, right);
            }
        }
    }

    @Test
    void shouldAgreeWithOperatorsWhenBitsAreRandom()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        final Random random = new Random(seed);
        for (int i = 0; i < 1_000_000; i++)
        {
            final double left = Double.longBitsToDouble(random.nextLong());
            final double right = switch (i % 4)
            {
                case 0 -> Double.longBitsToDouble(random.nextLong());
                case 1 -> Math.nextUp(left);
                case 2 -> left;
                default -> -left;
            };
            check(left, right);
        }
    }

    @Test
    void shouldTakeNanForTheGreatestWhenTheLesserIsAsked()
    {
        for (final double left : SPECIAL)
        {
            for (final double right : SPECIAL)
            {
                final double least = Double.compare(left, right) <= 0 ? left : right;
                assertThat(Double.compare(Comparisons.least(left, right), least)).isZero();
                assertThat(Float.compare(Comparisons.least((float)left, (float)right), (float)least)).isZero();
            }
        }
    }

    private static void check(final double left, final double right)
    {
        assertBoth(left, right, Comparisons.less(left, right), left < right);
        assertBoth(left, right, Comparisons.greater(left, right), left > right);
        assertBoth(left, right, Comparisons.lessOrEqual(left, right), left <= right);
        assertBoth(left, right, Comparisons.greaterOrEqual(left, right), left >= right);
        final long bound = Double.doubleToRawLongBits(right);
        if (right >= 0 && bound >= 0)
        {
            assertBoth(left, right, Comparisons.above(left, bound), left > right);
        }
        if (right <= 0 && bound < 0)
        {
            assertBoth(left, right, Comparisons.below(left, bound), left < right);
        }
    }

    private static void assertBoth(
        final double left, final double right, final boolean actual, final boolean expected)
    {
        if (actual != expected)
        {
            assertThat(actual).as("%s, %s", Double.doubleToRawLongBits(left), Double.doubleToRawLongBits(right))
                .isEqualTo(expected);
        }
    }
}
