package dev.millrace.adapter.loadgen.generator;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** The functions that generate numbers, as integers and as floating-point numbers. The results are not thread-safe. */
final class NumberFunctions
{
    /** Bound of the numbers of walks, within which no sum overflows. */
    private static final long MAX_WALK = 1L << 61;

    private NumberFunctions()
    {
    }

    /**
     * Creates a function of integers; numbers of a sequence wrap around.
     *
     * @throws IllegalArgumentException with the fact, if the arguments are wrong
     */
    static LongSupplier integers(final String function, final long[] arguments, final SplitMix64 random)
    {
        return switch (function)
        {
            case "sequence" -> sequence(arguments[0], arguments[1]);
            case "uniform" -> uniform(arguments[0], arguments[1], random);
            case "walk" -> walk(arguments, random);
            default -> throw new IllegalArgumentException("the function does not generate numbers");
        };
    }

    private static LongSupplier sequence(final long start, final long step)
    {
        return new LongSupplier()
        {
            private long next = start;

            @Override
            public long getAsLong()
            {
                final long value = next;
                next += step;
                return value;
            }
        };
    }

    private static LongSupplier uniform(final long min, final long max, final SplitMix64 random)
    {
        check(min <= max, "the minimum exceeds the maximum");
        return () -> min + random.below(max - min + 1);
    }

    private static LongSupplier walk(final long[] arguments, final SplitMix64 random)
    {
        final long step = arguments[1];
        final long min = arguments[2];
        final long max = arguments[3];
        check(min >= -MAX_WALK && max <= MAX_WALK, "the bounds of a walk are too large");
        check(min <= arguments[0] && arguments[0] <= max, "the start is outside of the bounds");
        check(step >= 0 && step <= max - min, "the step is negative, or larger than the distance of the bounds");
        return new LongSupplier()
        {
            private long next = arguments[0];

            @Override
            public long getAsLong()
            {
                final long value = next;
                next += random.below(2 * step + 1) - step;
                next = next > max ? 2 * max - next : next < min ? 2 * min - next : next;
                return value;
            }
        };
    }

    /**
     * Creates a function of floating-point numbers.
     *
     * @throws IllegalArgumentException with the fact, if the arguments are wrong
     */
    static DoubleSupplier doubles(final String function, final double[] arguments, final SplitMix64 random)
    {
        return switch (function)
        {
            case "sequence" -> sequence(arguments[0], arguments[1]);
            case "uniform" -> uniform(arguments[0], arguments[1], random);
            case "walk" -> walk(arguments, random);
            default -> throw new IllegalArgumentException("the function does not generate numbers");
        };
    }

    private static DoubleSupplier sequence(final double start, final double step)
    {
        return new DoubleSupplier()
        {
            private long count;

            @Override
            public double getAsDouble()
            {
                // A product, because errors of rounding would accumulate in a sum.
                return start + step * count++;
            }
        };
    }

    private static DoubleSupplier uniform(final double min, final double max, final SplitMix64 random)
    {
        check(min <= max && Double.isFinite(max - min), "the minimum exceeds the maximum, or the range is too large");
        return () -> min + (max - min) * random.unit();
    }

    private static DoubleSupplier walk(final double[] arguments, final SplitMix64 random)
    {
        final double step = arguments[1];
        final double min = arguments[2];
        final double max = arguments[3];
        check(Double.isFinite(max - min), "the bounds of a walk are too large");
        check(min <= arguments[0] && arguments[0] <= max, "the start is outside of the bounds");
        check(step >= 0 && step <= max - min, "the step is negative, or larger than the distance of the bounds");
        return new DoubleSupplier()
        {
            private double next = arguments[0];

            @Override
            public double getAsDouble()
            {
                final double value = next;
                next += (2 * random.unit() - 1) * step;
                next = next > max ? 2 * max - next : next < min ? 2 * min - next : next;
                // Rounding must not exceed the bounds.
                next = Math.max(min, Math.min(max, next));
                return value;
            }
        };
    }

    private static void check(final boolean isRight, final String fact)
    {
        if (!isRight)
        {
            throw new IllegalArgumentException(fact);
        }
    }
}
