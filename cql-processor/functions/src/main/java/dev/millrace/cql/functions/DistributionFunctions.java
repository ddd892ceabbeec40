package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import org.apache.commons.math3.special.Erf;

/** Distribution functions, under Colt's names. */
public final class DistributionFunctions
{
    private static final int BISECTIONS = 80;

    private DistributionFunctions()
    {
    }

    /** Beta distribution up to x. */
    public static double beta1(final double a, final double b, final double x)
    {
        return Gammas.incompleteBeta(a, b, x);
    }

    /** Beta distribution beyond x. */
    public static double betaComplemented(final double a, final double b, final double x)
    {
        return Gammas.incompleteBeta(b, a, 1 - x);
    }

    /** At most k successes in n trials. */
    public static double binomial2(final int k, final int n, final double p)
    {
        if (!(p >= 0 && p <= 1 && n >= 0 && k >= 0 && k <= n))
        {
            throw FunctionErrors.domain("binomial2", "k=" + k + " n=" + n + " p=" + p);
        }
        return k == n ? 1 : Gammas.incompleteBeta(n - k, k + 1.0, 1 - p);
    }

    /** More than k successes in n trials. */
    public static double binomialComplemented(final int k, final int n, final double p)
    {
        if (!(p >= 0 && p <= 1 && n >= 0 && k >= 0 && k <= n))
        {
            throw FunctionErrors.domain("binomialComplemented", "k=" + k + " n=" + n + " p=" + p);
        }
        return k == n ? 0 : Gammas.incompleteBeta(k + 1.0, n - k, p);
    }

    /** Chi square distribution up to x. */
    public static double chiSquare(final double v, final double x)
    {
        if (!(v > 0))
        {
            throw FunctionErrors.domain("chiSquare", "v=" + v + " x=" + x);
        }
        return x < 0 ? 0 : Gammas.incompleteGamma(v / 2, x / 2);
    }

    /** Chi square distribution beyond x. */
    public static double chiSquareComplemented(final double v, final double x)
    {
        if (!(v > 0))
        {
            throw FunctionErrors.domain("chiSquareComplemented", "v=" + v + " x=" + x);
        }
        return x < 0 ? 1 : Gammas.incompleteGammaComplement(v / 2, x / 2);
    }

    /** Error function. */
    public static double errorFunction(final double value)
    {
        return Erf.erf(value);
    }

    /** 1 minus the error function. */
    public static double errorFunctionComplemented(final double value)
    {
        return Erf.erfc(value);
    }

    /** Gamma distribution up to x. */
    public static double gamma1(final double a, final double b, final double x)
    {
        if (!(a > 0 && b > 0))
        {
            throw FunctionErrors.domain("gamma1", "a=" + a + " b=" + b + " x=" + x);
        }
        return x < 0 ? 0 : Gammas.incompleteGamma(b, a * x);
    }

    /** Gamma distribution beyond x. */
    public static double gammaComplemented(final double a, final double b, final double x)
    {
        if (!(a > 0 && b > 0))
        {
            throw FunctionErrors.domain("gammaComplemented", "a=" + a + " b=" + b + " x=" + x);
        }
        return x < 0 ? 1 : Gammas.incompleteGammaComplement(b, a * x);
    }

    /** At most k failures before n successes. */
    public static double negativeBinomial(final int k, final int n, final double p)
    {
        if (!(p >= 0 && p <= 1 && n > 0 && k >= 0))
        {
            throw FunctionErrors.domain("negativeBinomial", "k=" + k + " n=" + n + " p=" + p);
        }
        return Gammas.incompleteBeta(n, k + 1.0, p);
    }

    /** More than k failures before n successes. */
    public static double negativeBinomialComplemented(final int k, final int n, final double p)
    {
        if (!(p >= 0 && p <= 1 && n > 0 && k >= 0))
        {
            throw FunctionErrors.domain("negativeBinomialComplemented", "k=" + k + " n=" + n + " p=" + p);
        }
        return Gammas.incompleteBeta(k + 1.0, n, 1 - p);
    }

    /** Standard normal distribution up to x. */
    public static double normal(final double value)
    {
        return 0.5 * Erf.erfc(-value / Math.sqrt(2));
    }

    /** Normal distribution up to x. */
    public static double normal1(final double mean, final double variance, final double x)
    {
        if (!(variance > 0))
        {
            throw FunctionErrors.domain("normal1", "mean=" + mean + " variance=" + variance + " x=" + x);
        }
        return normal((x - mean) / Math.sqrt(variance));
    }

    /** Inverse of the standard normal distribution. */
    public static double normalInverse(final double share)
    {
        if (!(share > 0 && share < 1))
        {
            throw FunctionErrors.domain("normalInverse", "share=" + share);
        }
        return share < 0.5 ? -Math.sqrt(2) * Erf.erfcInv(2 * share) : Math.sqrt(2) * Erf.erfcInv(2 * (1 - share));
    }

    /** At most k events. */
    public static double poisson(final int k, final double mean)
    {
        if (!(k >= 0 && mean >= 0))
        {
            throw FunctionErrors.domain("poisson", "k=" + k + " mean=" + mean);
        }
        return Gammas.incompleteGammaComplement(k + 1.0, mean);
    }

    /** More than k events. */
    public static double poissonComplemented(final int k, final double mean)
    {
        if (!(k >= 0 && mean >= 0))
        {
            throw FunctionErrors.domain("poissonComplemented", "k=" + k + " mean=" + mean);
        }
        return Gammas.incompleteGamma(k + 1.0, mean);
    }

    /** Student's distribution up to t. */
    public static double studentT(final double k, final double t)
    {
        if (!(k > 0))
        {
            throw FunctionErrors.domain("studentT", "k=" + k);
        }
        final double tail = 0.5 * Gammas.incompleteBeta(0.5 * k, 0.5, k / (k + t * t));
        return t > 0 ? 1 - tail : tail;
    }

    /** The t for which the share of Student's distribution outside -t to t is alpha. */
    public static double studentTInverse(final double alpha, final int n)
    {
        if (!(alpha > 0 && alpha <= 1 && n > 0))
        {
            throw FunctionErrors.domain("studentTInverse", "alpha=" + alpha + " n=" + n);
        }
        double low = 0;
        double high = 1;
        while (2 * studentT(n, -high) > alpha && high < Double.MAX_VALUE / 2)
        {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < BISECTIONS && low < high; i++)
        {
            final double middle = 0.5 * (low + high);
            if (2 * studentT(n, -middle) > alpha)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }
        return 0.5 * (low + high);
    }
}
