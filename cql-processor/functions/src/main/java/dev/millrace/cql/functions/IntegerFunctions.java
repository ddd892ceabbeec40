package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import org.apache.commons.math3.special.Gamma;

/** Integer arithmetic, under Colt's names. */
public final class IntegerFunctions
{
    private static final double LN2 = Math.log(2);
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    private static final double EXACT = 0x1p52;
    private static final int MAX_TERMS = 10_000;
    private static final int LAST_FACTORIAL = 170;
    private static final int LAST_LONG_FACTORIAL = 20;
    private static final int SERIES_FROM = 30;

    private IntegerFunctions()
    {
    }

    /** Binomial coefficient of a real n. */
    public static double binomial(final double n, final long k)
    {
        if (k < 0)
        {
            return 0;
        }
        if (k > MAX_TERMS)
        {
            return n == Math.rint(n) && n >= 0 && n <= Long.MAX_VALUE ? binomial1((long) n, k) : tooLarge(k);
        }
        double product = 1;
        for (long i = 1; i <= k; i++)
        {
            product *= (n - k + i) / i;
        }
        return product;
    }

    /** Binomial coefficient of integers. */
    public static double binomial1(final long n, final long k)
    {
        if (k < 0)
        {
            return 0;
        }
        if (n < 0 || n < k)
        {
            return n < 0 ? binomial((double) n, k) : 0;
        }
        final long less = Math.min(k, n - k);
        if (less > MAX_TERMS)
        {
            return Math.exp(Gamma.logGamma(n + 1.0) - Gamma.logGamma(k + 1.0) - Gamma.logGamma(n - k + 1.0));
        }
        double product = 1;
        for (long i = 1; i <= less; i++)
        {
            product = product * (n - less + i) / i;
        }
        return product < EXACT ? Math.rint(product) : product;
    }

    private static double tooLarge(final long k)
    {
        throw FunctionErrors.domain("binomial", "k=" + k);
    }

    /** Smallest integer that is not less. */
    public static long ceil(final double value)
    {
        return (long) Math.ceil(value);
    }

    /** Largest integer that is not greater. */
    public static long floor(final double value)
    {
        return (long) Math.floor(value);
    }

    /** Factorial. */
    public static double factorial(final int n)
    {
        if (n < 0)
        {
            throw FunctionErrors.domain("factorial", "n=" + n);
        }
        if (n > LAST_FACTORIAL)
        {
            return Double.POSITIVE_INFINITY;
        }
        double product = 1;
        for (int i = 2; i <= n; i++)
        {
            product *= i;
        }
        return product;
    }

    /** Logarithm to a base. */
    public static double log(final double base, final double value)
    {
        return Math.log(value) / Math.log(base);
    }

    /** Logarithm to base 2. */
    public static double log2(final double value)
    {
        final int exponent = Math.getExponent(value);
        return value > 0 && value == Math.scalb(1.0, exponent) ? exponent : Math.log(value) / LN2;
    }

    /** Logarithm to base 10. */
    public static double log10(final double value)
    {
        return Math.log10(value);
    }

    /** Logarithm of the factorial. */
    public static double logFactorial(final int n)
    {
        if (n < 0)
        {
            throw FunctionErrors.domain("logFactorial", "n=" + n);
        }
        return n < 2 ? 0 : Gamma.logGamma(n + 1.0);
    }

    /** Factorial of 0 to 20. */
    public static long longFactorial(final int n)
    {
        if (!(n >= 0 && n <= LAST_LONG_FACTORIAL))
        {
            throw FunctionErrors.domain("longFactorial", "n=" + n);
        }
        long product = 1;
        for (int i = 2; i <= n; i++)
        {
            product *= i;
        }
        return product;
    }

    /** Error of Stirling's formula for the logarithm of the factorial. */
    public static double stirlingCorrection(final int n)
    {
        if (n < 0)
        {
            throw FunctionErrors.domain("stirlingCorrection", "n=" + n);
        }
        if (n > SERIES_FROM)
        {
            final double r = 1.0 / n;
            final double s = r * r;
            return r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188))));
        }
        return n == 0 ? 0 : Math.log(factorial(n)) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
    }
}
