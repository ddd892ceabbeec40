package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import java.math.BigDecimal;

/** Functions of {@link Math}; names with a digit are overloads, as in CQL. */
public final class MathFunctions
{
    private MathFunctions()
    {
    }

    /** Sine. */
    public static double sin(final double value)
    {
        return Math.sin(value);
    }

    /** Cosine. */
    public static double cos(final double value)
    {
        return Math.cos(value);
    }

    /** Tangent. */
    public static double tan(final double value)
    {
        return Math.tan(value);
    }

    /** Arc sine. */
    public static double asin(final double value)
    {
        return Math.asin(value);
    }

    /** Arc cosine. */
    public static double acos(final double value)
    {
        return Math.acos(value);
    }

    /** Arc tangent. */
    public static double atan(final double value)
    {
        return Math.atan(value);
    }

    /** Hyperbolic sine. */
    public static double sinh(final double value)
    {
        return Math.sinh(value);
    }

    /** Hyperbolic cosine. */
    public static double cosh(final double value)
    {
        return Math.cosh(value);
    }

    /** Hyperbolic tangent. */
    public static double tanh(final double value)
    {
        return Math.tanh(value);
    }

    /** Natural logarithm of 1 + x. */
    public static double log1p(final double value)
    {
        return Math.log1p(value);
    }

    /** Power of e. */
    public static double exp(final double value)
    {
        return Math.exp(value);
    }

    /** Power of e, minus 1. */
    public static double expm1(final double value)
    {
        return Math.expm1(value);
    }

    /** Cube root. */
    public static double cbrt(final double value)
    {
        return Math.cbrt(value);
    }

    /** Square root. */
    public static double sqrt(final double value)
    {
        return Math.sqrt(value);
    }

    /** Sign. */
    public static double signum(final double value)
    {
        return Math.signum(value);
    }

    /** Distance to the next double. */
    public static double ulp(final double value)
    {
        return Math.ulp(value);
    }

    /** Nearest integer, the even one of two. */
    public static double rint(final double value)
    {
        return Math.rint(value);
    }

    /** Degrees of radians. */
    public static double toDegrees(final double value)
    {
        return Math.toDegrees(value);
    }

    /** Radians of degrees. */
    public static double toRadians(final double value)
    {
        return Math.toRadians(value);
    }

    /** Natural logarithm. */
    public static double log1(final double value)
    {
        return Math.log(value);
    }

    /** Logarithm to base 10. */
    public static double log101(final double value)
    {
        return Math.log10(value);
    }

    /** Angle of a point. */
    public static double atan2(final double y, final double x)
    {
        return Math.atan2(y, x);
    }

    /** Length of the hypotenuse. */
    public static double hypot(final double x, final double y)
    {
        return Math.hypot(x, y);
    }

    /** Power. */
    public static double pow(final double base, final double exponent)
    {
        return Math.pow(base, exponent);
    }

    /** Sign. */
    public static float signum1(final float value)
    {
        return Math.signum(value);
    }

    /** Distance to the next float. */
    public static float ulp1(final float value)
    {
        return Math.ulp(value);
    }

    /** Absolute value. */
    public static int abs(final int value)
    {
        if (value == Integer.MIN_VALUE)
        {
            throw FunctionErrors.domain("abs", "value=" + value);
        }
        return Math.abs(value);
    }

    /** Absolute value. */
    public static long abs1(final long value)
    {
        if (value == Long.MIN_VALUE)
        {
            throw FunctionErrors.domain("abs1", "value=" + value);
        }
        return Math.abs(value);
    }

    /** Absolute value. */
    public static float abs2(final float value)
    {
        return Math.abs(value);
    }

    /** Absolute value. */
    public static double abs3(final double value)
    {
        return Math.abs(value);
    }

    /** Absolute value. */
    public static BigDecimal abs4(final BigDecimal value)
    {
        return value.abs();
    }

    /** Smallest integer that is not less. */
    public static double ceil1(final double value)
    {
        return Math.ceil(value);
    }

    /** Largest integer that is not greater. */
    public static double floor1(final double value)
    {
        return Math.floor(value);
    }

    /** Remainder to the nearest multiple. */
    public static double ieeeRemainder(final double value, final double divisor)
    {
        return Math.IEEEremainder(value, divisor);
    }

    /** Remainder. */
    public static double mod(final double value, final double divisor)
    {
        return value % divisor;
    }

    /** Remainder with the sign of the value. */
    public static int mod(final int value, final int divisor)
    {
        FunctionErrors.need(divisor != 0, "mod", "divisor=0");
        return value % divisor;
    }

    /** Remainder with the sign of the value. */
    public static long mod(final long value, final long divisor)
    {
        FunctionErrors.need(divisor != 0, "mod", "divisor=0");
        return value % divisor;
    }

    /** Nearest integer. */
    public static int round(final float value)
    {
        return Math.round(value);
    }

    /** Nearest integer. */
    public static long round1(final double value)
    {
        return Math.round(value);
    }
}
