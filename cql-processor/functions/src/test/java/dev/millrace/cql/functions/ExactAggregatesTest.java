package dev.millrace.cql.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.cql.runtime.function.GroupAggregate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares statistics over rows that are added and removed with their definitions, computed with 420 digits. */
@Tag("slow")
@Timeout(180)
class ExactAggregatesTest
{
    private static final MathContext DIGITS = new MathContext(420);
    private static final long SEED = Long.getLong("seed", 20_261_124L);

    private static GroupAggregate make(final String name)
    {
        final GroupAggregate made = Aggregates.factories().get(name.toLowerCase(Locale.ROOT)).newAggregate();
        made.reset();
        return made;
    }

    private static BigDecimal exact(final double value)
    {
        return new BigDecimal(value);
    }

    private static BigDecimal mean(final List<double[]> rows, final int column)
    {
        BigDecimal sum = BigDecimal.ZERO;
        for (final double[] row : rows)
        {
            sum = sum.add(exact(row[column]));
        }
        return sum.divide(BigDecimal.valueOf(rows.size()), DIGITS);
    }

    /** Mean product of the distances of two columns, the second a number of rows earlier. */
    private static BigDecimal product(final List<double[]> rows, final int left, final int right, final int lag)
    {
        final BigDecimal leftMean = mean(rows, left);
        final BigDecimal rightMean = mean(rows, right);
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = lag; i < rows.size(); i++)
        {
            sum = sum.add(exact(rows.get(i)[left]).subtract(leftMean)
                .multiply(exact(rows.get(i - lag)[right]).subtract(rightMean), DIGITS));
        }
        return sum;
    }

    private static BigDecimal moment(final List<double[]> rows, final int column, final int power)
    {
        final BigDecimal mean = mean(rows, column);
        BigDecimal sum = BigDecimal.ZERO;
        for (final double[] row : rows)
        {
            sum = sum.add(exact(row[column]).subtract(mean).pow(power, DIGITS));
        }
        return sum.divide(BigDecimal.valueOf(rows.size()), DIGITS);
    }

    private static double root(final BigDecimal value)
    {
        return value.sqrt(DIGITS).doubleValue();
    }

    private static double by(final BigDecimal dividend, final BigDecimal divisor)
    {
        return divisor.signum() == 0 ? Double.NaN : dividend.divide(divisor, DIGITS).doubleValue();
    }

    private static double expected(final String name, final List<double[]> rows)
    {
        final BigDecimal size = BigDecimal.valueOf(rows.size());
        final BigDecimal variance = moment(rows, 0, 2);
        return switch (name)
        {
            case "variance" -> variance.doubleValue();
            case "standardDeviation" -> root(variance);
            case "standardError" -> root(variance.divide(size, DIGITS));
            case "sumOfSquaredDeviations" -> variance.multiply(size).doubleValue();
            case "sampleVariance" -> by(variance.multiply(size), size.subtract(BigDecimal.ONE));
            case "skew" -> by(moment(rows, 0, 3), variance.pow(3).sqrt(DIGITS));
            case "kurtosis" -> by(moment(rows, 0, 4), variance.pow(2)) - 3;
            case "covariance" -> by(product(rows, 0, 1, 0), size.subtract(BigDecimal.ONE));
            case "correlation" -> by(product(rows, 0, 1, 0),
                product(rows, 0, 0, 0).multiply(product(rows, 1, 1, 0)).sqrt(DIGITS));
            case "pooledVariance" -> variance.add(moment(rows, 1, 2)).doubleValue() / 2;
            case "lag1" -> by(product(rows, 0, 0, 1), product(rows, 0, 0, 0));
            case "autoCorrelation" -> by(product(rows, 0, 0, 3), size.subtract(BigDecimal.valueOf(3))
                .multiply(variance));
            default -> rows.stream().map(row -> exact(row[0])).reduce(BigDecimal.ONE, (a, b) -> a.multiply(b, DIGITS))
                .doubleValue();
        };
    }

    private static Object[] arguments(final String name, final double[] row)
    {
        return switch (name)
        {
            case "covariance", "correlation", "pooledVariance" -> new Object[]{row[0], row[1]};
            case "autoCorrelation" -> new Object[]{row[0], 3};
            default -> new Object[]{row[0]};
        };
    }

    private static final List<String> NAMES = List.of("variance", "standardDeviation", "standardError",
        "sumOfSquaredDeviations", "sampleVariance", "skew", "kurtosis", "covariance", "correlation", "pooledVariance",
        "lag1", "autoCorrelation", "product");

    /** Adds and removes random rows, mostly the oldest; compares the value at intervals. */
    private static void check(
        final String name, final long seed, final double error, final Function<Random, Double> next)
    {
        final Random random = new Random(seed);
        final GroupAggregate function = make(name);
        final List<double[]> rows = new ArrayList<>();
        for (int step = 0; step < 600; step++)
        {
            if (rows.size() > random.nextInt(40))
            {
                final Object[] gone =
                    arguments(name, rows.get(random.nextInt(4) > 0 ? 0 : random.nextInt(rows.size())));
                // Of equal rows, the oldest is removed.
                rows.remove(IntStream.range(0, rows.size())
                    .filter(i -> Arrays.equals(arguments(name, rows.get(i)), gone)).findFirst().orElseThrow());
                function.minus(gone);
            }
            else
            {
                final double[] row = {next.apply(random), next.apply(random)};
                rows.add(row);
                function.plus(arguments(name, row));
            }
            if (step % 5 == 0)
            {
                compare(name, seed, error, function, rows);
            }
        }
    }

    private static void compare(
        final String name,
        final long seed,
        final double error,
        final GroupAggregate function,
        final List<double[]> rows)
    {
        if (rows.isEmpty() || "autoCorrelation".equals(name) && rows.size() <= 3)
        {
            assertThat(function.value()).as(name).isNull();
            return;
        }
        final double expected = expected(name, rows);
        final double actual = (Double) function.value();
        if (!Double.isNaN(expected) || !Double.isNaN(actual))
        {
            assertThat(actual).as("%s seed=%d rows=%d", name, seed, rows.size())
                .isCloseTo(expected, within(Math.max(Math.abs(expected), isRelative(name) ? 1 : 0) * error));
        }
    }

    /** Whether the scale of the values is irrelevant. */
    private static boolean isRelative(final String name)
    {
        return List.of("skew", "kurtosis", "correlation", "lag1", "autoCorrelation").contains(name);
    }

    @Test
    void shouldAgreeWithTheDefinitionWhileRowsComeAndGo()
    {
        System.out.println("ExactAggregatesTest seed=" + SEED);
        for (final String name : NAMES)
        {
            check(name, SEED, 1e-13, random -> (double) random.nextInt(12) - 4.5);
            check(name, SEED + 1, 1e-13, random -> random.nextGaussian() * 3 + 0.1);
        }
    }

    @Test
    void shouldLoseNothingBesideAValueManyTimesTheSpread()
    {
        for (final String name : NAMES)
        {
            check(name, SEED + 2, 1e-12, random -> 1e9 + random.nextInt(3) * 0x1p-20);
        }
    }

    @Test
    void shouldForgetAPassingValueOfAnySize()
    {
        for (final String name : List.of("variance", "standardDeviation", "sampleVariance", "covariance", "product",
            "pooledVariance", "sumOfSquaredDeviations"))
        {
            check(name, SEED + 3, 1e-12, random ->
                random.nextInt(10) > 0 ? random.nextDouble() + 0.5 : Math.scalb(1 + random.nextDouble(), 70));
            check(name, SEED + 4, 1e-12, random ->
                random.nextInt(10) > 0 ? random.nextDouble() + 0.5 : Math.scalb(1 + random.nextDouble(), 230));
        }
    }

    @Test
    void shouldComputeSkewAndKurtosisOfVeryLargeValues()
    {
        for (final String name : List.of("skew", "kurtosis", "correlation", "lag1"))
        {
            check(name, SEED + 5, 1e-12, random -> Math.scalb(random.nextDouble() + 1, 201 - random.nextInt(3)));
        }
    }

    @Test
    void shouldGiveTheSameAfterAMillionRowsAsFromTheStart()
    {
        final Random random = new Random(SEED);
        final double[] last = new double[50];
        for (final String name : List.of("standardDeviation", "kurtosis", "product"))
        {
            final GroupAggregate function = make(name);
            for (int i = 0; i < 300_000; i++)
            {
                if (i >= last.length)
                {
                    function.minus(new Object[]{last[i % last.length]});
                }
                last[i % last.length] = 0.5 + random.nextDouble() * (i % 100_000 == 77 ? 1e15 : 1);
                function.plus(new Object[]{last[i % last.length]});
            }
            final GroupAggregate anew = make(name);
            for (final double value : last)
            {
                anew.plus(new Object[]{value});
            }
            final double expected = (Double) anew.value();
            assertThat((Double) function.value()).as(name).isCloseTo(expected, within(Math.abs(expected) * 1e-15));
        }
    }

    @Test
    void shouldKeepAProductThatPassesTheRangeOfDoubles()
    {
        final GroupAggregate product = make("product");
        for (final double factor : new double[]{1e300, -1e300, Double.MIN_VALUE, 4, 0})
        {
            product.plus(new Object[]{factor});
        }
        assertThat(product.value()).isEqualTo(0.0);
        product.minus(new Object[]{0.0});
        assertThat((Double) product.value()).isCloseTo(-1e300 * Double.MIN_VALUE * 4 * 1e300, within(1e264));
        product.minus(new Object[]{Double.MIN_VALUE});
        assertThat(product.value()).isEqualTo(Double.NEGATIVE_INFINITY);
        product.plus(new Object[]{Double.NEGATIVE_INFINITY});
        assertThat(product.value()).isEqualTo(Double.POSITIVE_INFINITY);
        product.plus(new Object[]{0.0});
        assertThat(product.value()).isEqualTo(Double.NaN);
    }

    @Test
    void shouldComputeALagAnewWhenItChanges()
    {
        final GroupAggregate function = make("autoCorrelation");
        for (final double value : new double[]{1, 2, 3})
        {
            function.plus(new Object[]{value, 1});
        }
        // Distances -1, 0, 1: the products of neighbors are 0 and 0.
        assertThat((Double) function.value()).isCloseTo(0, within(1e-15));
        function.plus(new Object[]{4.0, 2});
        // Distances -1.5, -0.5, 0.5, 1.5: -0.75 twice, by 2 and by the variance 1.25.
        assertThat((Double) function.value()).isCloseTo(-0.6, within(1e-15));
        function.minus(new Object[]{2.0, 1});
        // 1, 3, 4: distances -5/3, 1/3, 4/3; one product, -20/9, by the variance 14/9.
        assertThat((Double) function.value()).isCloseTo(-20.0 / 14, within(1e-15));
    }
}
