package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import java.util.function.DoubleSupplier;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.special.Beta;
import org.apache.commons.math3.special.Gamma;

/** Gamma and beta functions, under Colt's names. */
public final class Gammas
{
    private Gammas()
    {
    }

    /** Beta function. */
    public static double beta(final double a, final double b)
    {
        return a > 0 && b > 0 ? Math.exp(Beta.logBeta(a, b)) : Gamma.gamma(a) * Gamma.gamma(b) / Gamma.gamma(a + b);
    }

    /** Gamma function. */
    public static double gamma(final double value)
    {
        if (!(value > 0 || value != Math.rint(value)))
        {
            throw FunctionErrors.domain("gamma", "value=" + value);
        }
        final double gamma = Gamma.gamma(value);
        // The library's powers overflow for some numbers for which the function is finite.
        return gamma == Double.POSITIVE_INFINITY ? Math.exp(Gamma.logGamma(value)) : gamma;
    }

    /** Regularized incomplete beta function, the integral from 0 to x. */
    public static double incompleteBeta(final double a, final double b, final double x)
    {
        if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
        {
            throw FunctionErrors.domain("incompleteBeta", "a=" + a + " b=" + b + " x=" + x);
        }
        return compute("incompleteBeta", () -> Beta.regularizedBeta(x, a, b));
    }

    /** Regularized incomplete gamma function, the integral from 0 to x. */
    public static double incompleteGamma(final double a, final double x)
    {
        if (!(a > 0 && x >= 0))
        {
            throw FunctionErrors.domain("incompleteGamma", "a=" + a + " x=" + x);
        }
        if (Double.isInfinite(x))
        {
            return 1;
        }
        return compute("incompleteGamma", () -> Gamma.regularizedGammaP(a, x));
    }

    /** Regularized incomplete gamma function, the integral from x. */
    public static double incompleteGammaComplement(final double a, final double x)
    {
        if (!(a > 0 && x >= 0))
        {
            throw FunctionErrors.domain("incompleteGammaComplement", "a=" + a + " x=" + x);
        }
        if (Double.isInfinite(x))
        {
            return 0;
        }
        return compute("incompleteGammaComplement", () -> Gamma.regularizedGammaQ(a, x));
    }

    /** Logarithm of the gamma function. */
    public static double logGamma(final double value)
    {
        if (!(value > 0))
        {
            throw FunctionErrors.domain("logGamma", "value=" + value);
        }
        return Gamma.logGamma(value);
    }

    /** Runs a computation that may not converge. */
    static double compute(final String function, final DoubleSupplier work)
    {
        try
        {
            return work.getAsDouble();
        }
        catch (final MathIllegalStateException | MathIllegalArgumentException failure)
        {
            throw FunctionErrors.domain(function, failure.getMessage());
        }
    }
}
