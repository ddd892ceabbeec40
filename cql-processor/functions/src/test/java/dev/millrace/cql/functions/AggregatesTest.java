package dev.millrace.cql.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.language.functions.FunctionDescription;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Compares aggregates with the examples of the catalog, which were computed by hand, and tests edge cases. */
@Timeout(60)
class AggregatesTest
{
    private static final Pattern ROW = Pattern.compile("\\{([^}]*)}");
    private static final Pattern VALUE = Pattern.compile("'([^']*)'|(-?[0-9.]+)(d?)");

    private static GroupAggregate make(final String name)
    {
        final GroupAggregate made = Aggregates.factories().get(name.toLowerCase(Locale.ROOT)).newAggregate();
        made.reset();
        return made;
    }

    private static GroupAggregate over(final String name, final Object... values)
    {
        final GroupAggregate made = make(name);
        for (final Object value : values)
        {
            made.plus(value instanceof Object[] row ? row : new Object[]{value});
        }
        return made;
    }

    private static Object[] row(final Object... values)
    {
        return values;
    }

    private static Stream<FunctionDescription> examples()
    {
        return FunctionCatalog.builtIn().descriptions().stream()
            .filter(each -> each.aggregate() && !each.example().isEmpty())
            .filter(each -> Aggregates.factories().containsKey(each.name().toLowerCase(Locale.ROOT)));
    }

    private static List<Object[]> rows(final String example)
    {
        final List<Object[]> rows = new ArrayList<>();
        final Matcher each = ROW.matcher(example);
        while (each.find())
        {
            final List<Object> values = new ArrayList<>();
            final Matcher value = VALUE.matcher(each.group(1));
            while (value.find())
            {
                values.add(value.group(1) != null ? value.group(1) : value.group(3).isEmpty() ?
                    (Object) Integer.valueOf(value.group(2)) : Double.valueOf(value.group(2)));
            }
            rows.add(values.toArray());
        }
        return rows;
    }

    private static void check(final GroupAggregate function, final String expected)
    {
        if (expected.startsWith("'"))
        {
            assertThat(function.value()).isEqualTo(expected.substring(1, expected.length() - 1));
            return;
        }
        final double number = Double.parseDouble(expected);
        assertThat(((Number) function.value()).doubleValue())
            .isCloseTo(number, within(Math.max(1, Math.abs(number)) * 1e-9));
    }

    @Test
    void shouldHaveAFactoryForEachAggregateOfTheCatalogueAndNoOther()
    {
        final Set<String> named = new HashSet<>();
        for (final String name : FunctionCatalog.builtIn().names())
        {
            for (final Signature signature : FunctionCatalog.builtIn().aggregates(name))
            {
                named.add(((FunctionCatalog.AggregateTarget) signature.target()).name());
            }
        }
        assertThat(Aggregates.factories().keySet()).isEqualTo(named);
    }

    @TestFactory
    Stream<DynamicTest> shouldGiveTheValueOfTheExample()
    {
        return examples().map(each -> DynamicTest.dynamicTest(each.name() + '(' + each.arguments() + ')', () ->
        {
            final GroupAggregate function = make(each.name());
            assertThat(function.value()).isNull();
            rows(each.example()).forEach(function::plus);
            check(function, each.expected());
        }));
    }

    @TestFactory
    Stream<DynamicTest> shouldForgetRowsThatLeave()
    {
        return examples().map(each -> DynamicTest.dynamicTest(each.name() + '(' + each.arguments() + ')', () ->
        {
            final GroupAggregate function = make(each.name());
            assertThat(function.isIncremental()).isTrue();
            final List<Object[]> rows = rows(each.example());
            final List<Object[]> before = rows("{7d, 2, 1} {0d, 3, 2} {-3d, 1, 1} {7d, 1, 2}").stream().map(row ->
                rows.get(0)[0] instanceof String ? row("x", "y") : typed(row, rows.get(0))).toList();
            before.forEach(function::plus);
            rows.subList(0, 1).forEach(function::plus);
            before.subList(0, 2).forEach(function::minus);
            rows.subList(1, rows.size()).forEach(function::plus);
            before.subList(2, 4).forEach(function::minus);
            check(function, each.expected());
            rows.forEach(function::minus);
            assertThat(function.value()).isNull();
        }));
    }

    /** As many values, and with the same classes, as an example has. */
    private static Object[] typed(final Object[] row, final Object[] like)
    {
        final Object[] typed = new Object[like.length];
        for (int i = 0; i < typed.length; i++)
        {
            final Number number = (Number) row[i % row.length];
            typed[i] = i == 0 || !(like[i] instanceof Integer) ? (Object) Math.min(1, number.doubleValue())
                : (Object) number.intValue();
        }
        typed[0] = ((Number) row[0]).doubleValue();
        if (like.length == 2 && like[1] instanceof Double)
        {
            typed[1] = 0.5;
        }
        return typed;
    }

    @TestFactory
    Stream<DynamicTest> shouldPassOverNullsAndForgetAllWhenReset()
    {
        return examples().map(each -> DynamicTest.dynamicTest(each.name() + '(' + each.arguments() + ')', () ->
        {
            final GroupAggregate function = make(each.name());
            final List<Object[]> rows = rows(each.example());
            final Object[] nothing = rows.get(0).clone();
            nothing[0] = null;
            function.plus(nothing);
            assertThat(function.value()).isNull();
            rows.forEach(function::plus);
            function.minus(nothing);
            check(function, each.expected());
            function.reset();
            assertThat(function.value()).isNull();
        }));
    }

    @TestFactory
    Stream<DynamicTest> shouldTakeAnyOrderOfRowsUnlessItIsTheMeaning()
    {
        final Set<String> ordered = Set.of("first", "last", "listagg", "xmlagg", "autoCorrelation", "lag1");
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("AggregatesTest seed=" + seed);
        return examples().filter(each -> !ordered.contains(each.name())).map(each ->
            DynamicTest.dynamicTest(each.name() + " seed=" + seed, () ->
            {
                final List<Object[]> rows = rows(each.example());
                Collections.shuffle(rows, new Random(seed));
                final GroupAggregate function = make(each.name());
                rows.forEach(function::plus);
                check(function, each.expected());
            }));
    }

    @Test
    void shouldRecoverWhenNanOrInfinityLeaves()
    {
        for (final String name : List.of("mean", "rms", "median", "variance", "sumOfSquares", "product", "skew"))
        {
            final GroupAggregate function = over(name, 2.0, Double.NaN, Double.NEGATIVE_INFINITY, 5.0, 4.0);
            function.minus(row(Double.NaN));
            function.minus(row(Double.NEGATIVE_INFINITY));
            assertThat(function.value()).as(name).isEqualTo(over(name, 2.0, 5.0, 4.0).value());
        }
        assertThat(over("mean", 1.0, Double.NaN).value()).isEqualTo(Double.NaN);
        assertThat(over("mean", 1.0, Double.POSITIVE_INFINITY).value()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(over("mean", 1.0, Double.NEGATIVE_INFINITY).value()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(over("mean", Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY).value()).isEqualTo(Double.NaN);
    }

    @Test
    void shouldNotKeepAPassingOverflow()
    {
        final GroupAggregate mean = over("mean", 1.0, 1.7e308, 1.7e308, 3.0);
        assertThat((Double) mean.value()).isCloseTo(0.85e308, within(1e299));
        mean.minus(row(1.7e308));
        mean.minus(row(1.7e308));
        assertThat(mean.value()).isEqualTo(2.0);
        final GroupAggregate squares = over("sumOfSquares", 1e200, 3.0);
        assertThat(squares.value()).isEqualTo(Double.POSITIVE_INFINITY);
        squares.minus(row(1e200));
        assertThat(squares.value()).isEqualTo(9.0);
    }

    @Test
    void shouldNotDriftOverAMillionRows()
    {
        final GroupAggregate mean = make("mean");
        final Random random = new Random(7);
        final double[] last = new double[100];
        for (int i = 0; i < 1_000_000; i++)
        {
            final double value = random.nextDouble() * Math.pow(10, random.nextInt(12));
            if (i >= 100)
            {
                mean.minus(row(last[i % 100]));
            }
            last[i % 100] = value;
            mean.plus(row(value));
        }
        java.math.BigDecimal sum = java.math.BigDecimal.ZERO;
        for (final double value : last)
        {
            sum = sum.add(new java.math.BigDecimal(value));
        }
        final double exact = sum.doubleValue() / 100;
        assertThat((Double) mean.value()).isCloseTo(exact, within(exact * 1e-12));
    }

    @Test
    void shouldBeNanWhereTooFewValuesAre()
    {
        for (final String name : List.of("sampleVariance", "sampleSkew", "sampleKurtosis", "skew", "kurtosis", "lag1",
            "sampleSkewStandardError", "sampleKurtosisStandardError"))
        {
            assertThat(over(name, 5.0).value()).as(name).isEqualTo(Double.NaN);
        }
        assertThat(over("covariance", (Object) row(1.0, 2.0)).value()).isEqualTo(Double.NaN);
        assertThat(over("correlation", row(1.0, 2.0), row(1.0, 3.0)).value()).isEqualTo(Double.NaN);
        assertThat(over("sampleSkew", 2.0, 2.0, 2.0).value()).isEqualTo(Double.NaN);
        assertThat(over("sampleKurtosis", 2.0, 2.0, 2.0, 2.0).value()).isEqualTo(Double.NaN);
        assertThat(over("geometricMean", -1.0, 4.0).value()).isEqualTo(Double.NaN);
        assertThat(over("weightedMean", row(1.0, 1.0), row(2.0, -1.0)).value()).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void shouldBeNullWhereNothingIsLeft()
    {
        assertThat(over("trimmedMean", row(1.0, 1, 1), row(2.0, 1, 1)).value()).isNull();
        assertThat(over("winsorizedMean", row(1.0, 0, 3), row(2.0, 0, 3)).value()).isNull();
        assertThat(over("autoCorrelation", row(1.0, 2), row(2.0, 2)).value()).isNull();
    }

    @Test
    void shouldRankBetweenAndBesideTheValues()
    {
        assertThat(over("rankInterpolated", row(1.0, 0.0), row(2.0, 0.0)).value()).isEqualTo(0.0);
        assertThat(over("rankInterpolated", row(1.0, 9.0), row(2.0, 9.0)).value()).isEqualTo(2.0);
        assertThat(over("rankInterpolated", row(1.0, 1.0), row(1.0, 1.0), row(3.0, 1.0)).value()).isEqualTo(2.0);
        assertThat(over("quantileInverse", row(2.0, 2.5), row(3.0, 2.5)).value()).isEqualTo(0.75);
        assertThat(over("quantile", row(4.0, 1.0), row(2.0, 1.0)).value()).isEqualTo(4.0);
        assertThat(over("quantile", row(4.0, 0.0), row(2.0, 0.0)).value()).isEqualTo(2.0);
    }

    @Test
    void shouldRefuseArgumentsOutOfRangeAndIgnoreThatTheyLeave()
    {
        for (final Object[] wrong : List.of(row("quantile", 1.0, 1.5), row("quantile", 1.0, Double.NaN),
            row("trimmedMean", 1.0, -1, 0), row("winsorizedMean", 1.0, 0, -1), row("autoCorrelation", 1.0, -1)))
        {
            final GroupAggregate function = make((String) wrong[0]);
            final Object[] arguments = java.util.Arrays.copyOfRange(wrong, 1, wrong.length);
            assertThatThrownBy(() -> function.plus(arguments)).as((String) wrong[0])
                .isInstanceOf(RowRejectedException.class).hasMessageContaining("out of range");
            function.minus(arguments);
            assertThat(function.value()).isNull();
        }
    }

    @Test
    void shouldTreatNegativeZeroAndNanAsTheEngineDoes()
    {
        for (final String name : List.of("median", "variance", "first"))
        {
            final GroupAggregate function = over(name, 0.0, Double.NaN, 1.0);
            function.minus(row(-0.0));
            function.minus(row(-Double.NaN));
            assertThat(((Number) function.value()).doubleValue()).as(name)
                .isEqualTo(((Number) over(name, 1.0).value()).doubleValue());
        }
    }

    @Test
    void shouldKeepTheOrderOfArrivalOfEveryType()
    {
        final GroupAggregate last = over("last", 1, 2.5f, true, new byte[]{1}, "a", null);
        assertThat(last.value()).isEqualTo("a");
        last.minus(row("a"));
        last.minus(row((Object) new byte[]{1}));
        assertThat(last.value()).isEqualTo(true);
        last.minus(row("not there"));
        assertThat(last.value()).isEqualTo(true);
        final GroupAggregate first = over("first", 2.5f, 1, 3);
        first.minus(row(2.5f));
        assertThat(first.value()).isEqualTo(1);
    }

    @Test
    void shouldPutTheSeparatorOfTheLaterTextBetweenTexts()
    {
        assertThat(over("listagg", row("a", "-"), row("b", null), row("c", "+")).value()).isEqualTo("ab+c");
        assertThat(over("xmlagg", "<a/>", null, "<b/>").value()).isEqualTo("<a/><b/>");
    }

    @Test
    void shouldRefuseATextThatBecomesTooLong()
    {
        final String text = "x".repeat(400_000);
        final GroupAggregate list = over("listagg", text, text, text);
        assertThatThrownBy(list::value).isInstanceOf(RowRejectedException.class);
        list.minus(row(text));
        assertThat((String) list.value()).hasSize(800_000);
    }

    @Test
    void shouldKeepManyValuesInOrderWhileSomeLeaveFromTheMiddle()
    {
        final GroupAggregate series = make("lag1");
        for (int i = 0; i < 1000; i++)
        {
            series.plus(row((double) i));
        }
        for (int i = 999; i > 3; i--)
        {
            series.minus(row((double) i));
        }
        // 0, 1, 2, 3 have the deviations -1.5, -0.5, 0.5, 1.5.
        assertThat((Double) series.value()).isCloseTo(1.25 / 5, within(1e-12));
        series.minus(row(77.0));
        assertThat((Double) series.value()).isCloseTo(0.25, within(1e-12));
    }
}
