package dev.millrace.cql.runtime.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.function.GroupAggregate;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Built-in aggregates over objects, with manually computed values. */
@Timeout(60)
class BoxedAggregatesTest
{
    private static Object over(final GroupAggregate function, final Object... values)
    {
        function.reset();
        for (final Object value : values)
        {
            function.plus(new Object[] {value});
        }
        return function.value();
    }

    private static GroupAggregate function(final String name, final CqlType argument, final CqlType result)
    {
        return BoxedAggregates.factory(name, argument, result).newAggregate();
    }

    @Test
    void shouldSumIntegersExactlyWhereADoubleWouldRound()
    {
        final GroupAggregate sum = function("sum", CqlType.BIGINT, CqlType.BIGINT);
        assertThat(over(sum, 9_007_199_254_740_993L, 1L, -3L)).isEqualTo(9_007_199_254_740_991L);
        assertThat(over(sum, 5L)).as("after a reset").isEqualTo(5L);
        assertThat(over(sum)).isNull();
    }

    @Test
    void shouldSumDoublesWithoutLosingSmallOnes()
    {
        final GroupAggregate sum = function("sum", CqlType.DOUBLE, CqlType.DOUBLE);
        assertThat(over(sum, 1.0, 1e100, 1.0, -1e100)).isEqualTo(2.0);
        assertThat(over(sum, 1e17, 0.5, -1e17)).isEqualTo(0.5);
        assertThat(over(sum, Double.NEGATIVE_INFINITY, 1.0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(over(sum)).isNull();
    }

    @Test
    void shouldGiveTheMeanOfIntegersAsADouble()
    {
        final GroupAggregate mean = function("avg", CqlType.INT, CqlType.DOUBLE);
        assertThat(over(mean, 1, 2, 6)).isEqualTo(3.0);
        assertThat(over(mean, 1, 2)).isEqualTo(1.5);
        assertThat(over(mean)).isNull();
    }

    @Test
    void shouldSumAndAverageDecimalsExactly()
    {
        final GroupAggregate sum = function("sum", CqlType.BIGDECIMAL, CqlType.BIGDECIMAL);
        final Object[] values = {new BigDecimal("0.1"), new BigDecimal("0.2"), new BigDecimal("2.70")};
        assertThat(over(sum, values)).isEqualTo(new BigDecimal("3.00"));
        assertThat(over(sum)).isNull();
        final GroupAggregate mean = function("avg", CqlType.BIGDECIMAL, CqlType.BIGDECIMAL);
        assertThat((BigDecimal)over(mean, values)).isEqualByComparingTo("1");
        assertThat(over(mean)).isNull();
    }

    @Test
    void shouldFindTheLeastAndTheGreatestValue()
    {
        final GroupAggregate least = function("min", CqlType.INT, CqlType.INT);
        assertThat(over(least, 3, -1, 2)).isEqualTo(-1);
        assertThat(over(least, -1, 3)).isEqualTo(-1);
        final GroupAggregate greatest = function("max", CqlType.INT, CqlType.INT);
        assertThat(over(greatest, 3, 7, -1)).isEqualTo(7);
        assertThat(over(greatest, 7, 3)).isEqualTo(7);
        assertThat(over(greatest)).isNull();
    }

    /** U+FF5E precedes U+1F600 by code point, and follows it by the chars of UTF-16. */
    @Test
    void shouldOrderTextsByCodePoint()
    {
        final String wave = "\uFF5E";
        final String face = "\uD83D\uDE00";
        assertThat(over(function("min", CqlType.CHAR, CqlType.CHAR), face, wave)).isEqualTo(wave);
        assertThat(over(function("max", CqlType.CHAR, CqlType.CHAR), face, wave)).isEqualTo(face);
    }

    @Test
    void shouldCountAndPickTheFirstAndTheLast()
    {
        assertThat(over(function("count", CqlType.INT, CqlType.BIGINT), 4, 4, 5)).isEqualTo(3L);
        assertThat(over(function("first", CqlType.INT, CqlType.INT), 4, 5, 6)).isEqualTo(4);
        assertThat(over(function("last", CqlType.INT, CqlType.INT), 4, 5, 6)).isEqualTo(6);
        assertThat(over(function("last", CqlType.INT, CqlType.INT))).isNull();
    }

    @Test
    void shouldKnowNoOtherAggregate()
    {
        assertThat(BoxedAggregates.factory("median", CqlType.DOUBLE, CqlType.DOUBLE)).isNull();
    }
}
