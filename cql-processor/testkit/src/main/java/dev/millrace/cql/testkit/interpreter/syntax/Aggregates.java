package dev.millrace.cql.testkit.interpreter.syntax;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Types and values of aggregates. Stateless. */
public final class Aggregates
{
    /** Their names. */
    public static final Set<String> NAMES = Set.of("count", "sum", "avg", "min", "max", "first", "last", "listagg",
        "mean", "product", "sumofsquares", "variance", "standarddeviation", "median", "rms", "window_start",
        "window_end");
    private static final Set<String> OF_DOUBLES =
        Set.of("mean", "product", "sumofsquares", "variance", "standarddeviation", "median", "rms");

    private Aggregates()
    {
    }

    /** The type of an aggregate of values of a type. */
    public static Type type(final String name, final Type argument)
    {
        if (name.equals("count"))
        {
            return Type.BIGINT;
        }
        if (name.equals("first") || name.equals("last"))
        {
            return argument;
        }
        if (name.equals("listagg") && argument == Type.CHAR)
        {
            return Type.CHAR;
        }
        if (OF_DOUBLES.contains(name) && argument.isNumber())
        {
            return Type.DOUBLE;
        }
        if (!name.equals("min") && !name.equals("max") && !argument.isNumber() && argument != Type.NULL
            && argument != Type.INTERVAL)
        {
            throw new InvalidStatementException(name + " of " + argument);
        }
        if (name.equals("avg"))
        {
            return argument == Type.DOUBLE || argument == Type.BIGDECIMAL || argument == Type.INTERVAL ? argument
                : Type.FLOAT;
        }
        return argument;
    }

    /** {@code count()} counts rows; the separator of listagg is not an aggregated value. */
    public static Expr.Call plainCall(final Expr.Call call)
    {
        if (call.name().equals("count") && call.arguments().isEmpty() && !call.distinct())
        {
            return new Expr.Call("count", false, List.of(new Expr.Star(null)));
        }
        return call.name().equals("listagg") && call.arguments().size() == 2 &&
            call.arguments().get(1) instanceof Expr.Lit
            ? new Expr.Call("listagg", call.distinct(), call.arguments().subList(0, 1)) : call;
    }

    /** An aggregate of values that are not null. */
    public static Object fold(final Expr.Call call, final Type type, final List<Object> values)
    {
        return call.name().equals("listagg") && call.arguments().size() == 2 && !values.isEmpty()
            ? String.join(Values.text(((Expr.Lit)call.arguments().get(1)).value()),
                values.stream().map(Object::toString).toList()) : fold(call.name(), type, values);
    }

    private static Object fold(final String name, final Type type, final List<Object> values)
    {
        if (name.equals("count"))
        {
            return (long)values.size();
        }
        if (values.isEmpty())
        {
            return null;
        }
        if (name.equals("min") || name.equals("max"))
        {
            Object best = values.get(0);
            for (final Object value : values)
            {
                final int order = Values.compare(value, best);
                best = name.equals("min") == order < 0 && order != 0 ? value : best;
            }
            return best;
        }
        if (name.equals("first") || name.equals("last"))
        {
            return values.get(name.equals("first") ? 0 : values.size() - 1);
        }
        if (name.equals("listagg"))
        {
            return values.stream().map(Object::toString).reduce("", String::concat);
        }
        return OF_DOUBLES.contains(name)
            ? statistic(name, values.stream().mapToDouble(value -> ((Number)value).doubleValue()).toArray())
            : total(name.equals("avg"), type, values);
    }

    private static double statistic(final String name, final double[] values)
    {
        double sum = 0;
        double squares = 0;
        double product = 1;
        for (final double value : values)
        {
            sum += value;
            squares += value * value;
            product *= value;
        }
        final double mean = sum / values.length;
        double deviations = 0;
        for (final double value : values)
        {
            deviations += (value - mean) * (value - mean);
        }
        switch (name)
        {
            case "mean":
                return mean;
            case "product":
                return product;
            case "sumofsquares":
                return squares;
            case "variance":
                return deviations / values.length;
            case "standarddeviation":
                return Math.sqrt(deviations / values.length);
            case "rms":
                return Math.sqrt(squares / values.length);
            default:
                final double[] sorted = values.clone();
                Arrays.sort(sorted);
                return (sorted[(values.length - 1) / 2] + sorted[values.length / 2]) / 2;
        }
    }

    private static Object total(final boolean mean, final Type type, final List<Object> values)
    {
        if (type == Type.FLOAT || type == Type.DOUBLE)
        {
            double sum = 0;
            for (final Object value : values)
            {
                sum += ((Number)value).doubleValue();
            }
            return Values.cast(mean ? sum / values.size() : sum, Type.DOUBLE, type);
        }
        if (type == Type.BIGDECIMAL)
        {
            BigDecimal sum = BigDecimal.ZERO;
            for (final Object value : values)
            {
                sum = sum.add((BigDecimal)value);
            }
            return mean ? sum.divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL128)
                : sum;
        }
        long sum = 0;
        for (final Object value : values)
        {
            sum += ((Number)value).longValue();
        }
        return Values.cast(mean ? sum / values.size() : sum, Type.NULL, type == Type.INT ? type : Type.BIGINT);
    }
}
