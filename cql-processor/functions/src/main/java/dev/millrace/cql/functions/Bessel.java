package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;

/**
 * Bessel functions, under Colt's names.
 *
 * <p>Modified functions: the trapezoidal rule on their integrals over the exponential of a cosine, which converges
 * faster than any power of the step. Other functions: downward recurrence with Neumann's normalization and series below
 * {@link #ASYMPTOTIC_FROM}, Hankel's expansion above. The absolute error is below 1e-13 for moderate arguments.
 */
public final class Bessel
{
    private static final double ASYMPTOTIC_FROM = 30;
    private static final double EULER = 0.57721566490153286061;
    private static final int MAX_ORDER = 10_000;
    private static final double MAX_ARGUMENT = 1e8;
    private static final double HUGE = 1e150;

    private Bessel()
    {
    }

    /** Modified, first kind, order 0. */
    public static double i0(final double x)
    {
        return Math.exp(Math.abs(x)) * i0e(x);
    }

    /** The same times exp(-|x|). */
    public static double i0e(final double x)
    {
        return scaledFirst(0, Math.abs(x));
    }

    /** Modified, first kind, order 1. */
    public static double i1(final double x)
    {
        return Math.exp(Math.abs(x)) * i1e(x);
    }

    /** The same times exp(-|x|). */
    public static double i1e(final double x)
    {
        return Math.signum(x) * scaledFirst(1, Math.abs(x));
    }

    /** exp(-x) I_n(x) = 1/pi times the integral over 0..pi of exp(x (cos t - 1)) cos(n t). */
    private static double scaledFirst(final int order, final double x)
    {
        final int steps = (int) Math.min(4096, 32 + 12 * Math.sqrt(Math.min(x, MAX_ARGUMENT)));
        if (x > 5000)
        {
            return hankelModified(order, x);
        }
        double sum = 0.5 * (1 + Math.exp(-2 * x) * (order % 2 == 0 ? 1 : -1));
        for (int i = 1; i < steps; i++)
        {
            final double t = Math.PI * i / steps;
            final double half = Math.sin(0.5 * t);
            sum += Math.exp(-2 * x * half * half) * Math.cos(order * t);
        }
        return sum / steps;
    }

    private static double hankelModified(final int order, final double x)
    {
        double term = 1;
        double sum = 1;
        for (int k = 1; k <= 12; k++)
        {
            term *= -(4.0 * order * order - (2.0 * k - 1) * (2 * k - 1)) / (8 * x * k);
            sum += term;
        }
        return sum / Math.sqrt(2 * Math.PI * x);
    }

    /** Modified, third kind, order 0. */
    public static double k0(final double x)
    {
        return kn(0, x);
    }

    /** The same times exp(x). */
    public static double k0e(final double x)
    {
        return scaledThird("k0e", 0, x);
    }

    /** Modified, third kind, order 1. */
    public static double k1(final double x)
    {
        return kn(1, x);
    }

    /** The same times exp(x). */
    public static double k1e(final double x)
    {
        return scaledThird("k1e", 1, x);
    }

    /** Modified, third kind, of any order. */
    public static double kn(final int order, final double x)
    {
        final int n = Math.abs(order);
        if (n > MAX_ORDER)
        {
            throw FunctionErrors.domain("kn", "order=" + order);
        }
        double low = Math.exp(-x) * scaledThird("kn", 0, x);
        if (n == 0)
        {
            return low;
        }
        double high = Math.exp(-x) * scaledThird("kn", 1, x);
        for (int i = 1; i < n; i++)
        {
            final double next = low + 2 * i / x * high;
            low = high;
            high = next;
        }
        return high;
    }

    /** exp(x) K_n(x) = the integral over t from 0 of exp(-x (cosh t - 1)) cosh(n t), for orders 0 and 1. */
    private static double scaledThird(final String function, final int order, final double x)
    {
        if (!(x > 0))
        {
            throw FunctionErrors.domain(function, "x=" + x);
        }
        // Beyond this the integrand is below 1e-18 of its maximum.
        final double end = 2 * Math.log(Math.sqrt(1 + 24 / x) + Math.sqrt(24 / x)) + (order == 0 ? 0.0 : 0.2);
        final int steps = 400;
        final double width = end / steps;
        double sum = 0.5;
        for (int i = 1; i <= steps; i++)
        {
            final double t = i * width;
            final double half = Math.sinh(0.5 * t);
            sum += Math.exp(-2 * x * half * half) * (order == 0 ? 1 : Math.cosh(t));
        }
        return sum * width;
    }

    /** First kind, order 0. */
    public static double j0(final double x)
    {
        return jn(0, x);
    }

    /** First kind, order 1. */
    public static double j1(final double x)
    {
        return jn(1, x);
    }

    /** First kind, of any order. */
    public static double jn(final int order, final double x)
    {
        final int n = Math.abs(order);
        if (n > MAX_ORDER)
        {
            throw FunctionErrors.domain("jn", "order=" + order);
        }
        final double a = Math.abs(x);
        final boolean isNegative = (order < 0 ^ x < 0) && n % 2 == 1;
        final double value = a == 0 ? n == 0 ? 1 : 0 : first(n, a);
        return isNegative ? -value : value;
    }

    private static double first(final int n, final double x)
    {
        if (x < ASYMPTOTIC_FROM || n > x)
        {
            return recurrence(n, x)[0];
        }
        double low = hankel(0, x, false);
        double high = hankel(1, x, false);
        if (n == 0)
        {
            return low;
        }
        for (int i = 1; i < n; i++)
        {
            final double next = 2 * i / x * high - low;
            low = high;
            high = next;
        }
        return high;
    }

    /** J_n, Y_0 and Y_1 by the downward recurrence of J, whose even terms add up to 1. */
    private static double[] recurrence(final int n, final double x)
    {
        final int start = 2 * ((int) (Math.max(n, x) + 12 * Math.cbrt(Math.max(n, x)) + 30) / 2);
        final double logarithm = Math.log(0.5 * x) + EULER;
        double above = 0;
        double here = 1e-200;
        double norm = 0;
        double wanted = 0;
        double zero = 0;
        double one = 0;
        for (int k = start; k >= 0; k--)
        {
            if (k == n)
            {
                wanted = here;
            }
            if (k % 2 == 0)
            {
                final int sign = k / 2 % 2 == 0 ? 1 : -1;
                norm += (k == 0 ? 1 : 2) * here;
                zero += k == 0 ? 2 / Math.PI * logarithm * here : -4 / Math.PI * sign * here / (0.5 * k);
            }
            final double below = k == 0 ? 0 : 2 * k / x * here - above;
            if (k % 2 == 0)
            {
                final int sign = k / 2 % 2 == 0 ? 1 : -1;
                one += k == 0 ? 2 / Math.PI * (logarithm * above - here / x)
                    : 4 / Math.PI * sign * 0.5 * (below - above) / (0.5 * k);
            }
            above = here;
            here = below;
            if (Math.abs(here) > HUGE)
            {
                final double scale = 1 / HUGE;
                above *= scale;
                here *= scale;
                norm *= scale;
                wanted *= scale;
                zero *= scale;
                one *= scale;
            }
        }
        return new double[] {wanted / norm, zero / norm, one / norm};
    }

    /** Hankel's expansion for orders 0 and 1; from {@link #ASYMPTOTIC_FROM} on, all terms used here decrease. */
    private static double hankel(final int order, final double x, final boolean isSecond)
    {
        final double mu = 4.0 * order * order;
        double term = 1;
        double even = 1;
        double odd = 0;
        for (int k = 1; k <= 24; k++)
        {
            term *= (mu - (2.0 * k - 1) * (2 * k - 1)) / (8 * x * k);
            final int sign = k / 2 % 2 == 0 ? 1 : -1;
            even += k % 2 == 0 ? sign * term : 0;
            odd += k % 2 == 1 ? sign * term : 0;
        }
        final double phase = x - (0.5 * order + 0.25) * Math.PI;
        final double amplitude = Math.sqrt(2 / (Math.PI * x));
        return isSecond ? amplitude * (even * Math.sin(phase) + odd * Math.cos(phase))
            : amplitude * (even * Math.cos(phase) - odd * Math.sin(phase));
    }

    /** Second kind, order 0. */
    public static double y0(final double x)
    {
        return yn(0, x);
    }

    /** Second kind, order 1. */
    public static double y1(final double x)
    {
        return yn(1, x);
    }

    /** Second kind, of any order. */
    public static double yn(final int order, final double x)
    {
        final int n = Math.abs(order);
        if (!(n <= MAX_ORDER && x > 0))
        {
            throw FunctionErrors.domain("yn", "order=" + order + " x=" + x);
        }
        final boolean isLarge = x >= ASYMPTOTIC_FROM;
        final double[] small = isLarge ? null : recurrence(0, x);
        double low = isLarge ? hankel(0, x, true) : small[1];
        double high = isLarge ? hankel(1, x, true) : small[2];
        if (n == 0)
        {
            return low;
        }
        for (int i = 1; i < n; i++)
        {
            final double next = 2 * i / x * high - low;
            low = high;
            high = next;
        }
        return order < 0 && n % 2 == 1 ? -high : high;
    }
}
