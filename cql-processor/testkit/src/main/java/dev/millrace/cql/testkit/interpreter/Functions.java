package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** The single-row functions that the interpreter supports. */
final class Functions
{
    private static final Map<String, Plain> PLAIN = new HashMap<>();

    /** A function that is null when an argument is. {@code parameters} null means any type. */
    private record Plain(List<Type> parameters, Type result, Function<Object[], Object> body)
    {
    }

    static
    {
        number("sqrt", Math::sqrt);
        number("sin", Math::sin);
        number("cos", Math::cos);
        number("tan", Math::tan);
        number("exp", Math::exp);
        number("log1", Math::log);
        number("log101", Math::log10);
        number("cbrt", Math::cbrt);
        number("signum", Math::signum);
        number("ceil1", Math::ceil);
        number("floor1", Math::floor);
        number("rint", Math::rint);
        number("atan", Math::atan);
        number("tanh", Math::tanh);
        number("log1p", Math::log1p);
        number("expm1", Math::expm1);
        number("todegrees", Math::toDegrees);
        number("toradians", Math::toRadians);
        number("gamma", x -> Math.exp(logGamma(x)));
        numbers("pow", Math::pow);
        numbers("hypot", Math::hypot);
        numbers("atan2", Math::atan2);
        numbers("beta", (a, b) -> Math.exp(logGamma(a) + logGamma(b) - logGamma(a + b)));
        put("abs", List.of(Type.INT), Type.INT, a -> Math.abs((Integer)a[0]));
        put("abs1", List.of(Type.BIGINT), Type.BIGINT, a -> Math.abs((Long)a[0]));
        put("abs2", List.of(Type.FLOAT), Type.FLOAT, a -> Math.abs((Float)a[0]));
        put("abs3", List.of(Type.DOUBLE), Type.DOUBLE, a -> Math.abs((Double)a[0]));
        put("length", List.of(Type.CHAR), Type.INT, a -> ((String)a[0]).length());
        put("lower", List.of(Type.CHAR), Type.CHAR, a -> ((String)a[0]).toLowerCase(java.util.Locale.ROOT));
        put("upper", List.of(Type.CHAR), Type.CHAR, a -> ((String)a[0]).toUpperCase(java.util.Locale.ROOT));
        put("to_double", List.of(Type.DOUBLE), Type.DOUBLE, a -> a[0]);
        put("to_float", null, Type.FLOAT, a -> ((Number)a[0]).floatValue());
        put("to_bigint", null, Type.BIGINT, Functions::toBigint);
        put("to_boolean", List.of(Type.BIGINT), Type.BOOLEAN, a -> (Long)a[0] != 0);
        put("systimestamp", List.of(), Type.TIMESTAMP, a -> 0L);
    }

    private Functions()
    {
    }

    private static void put(
        final String name, final List<Type> parameters, final Type result, final Function<Object[], Object> body)
    {
        PLAIN.put(name, new Plain(parameters, result, body));
    }

    private static void number(final String name, final DoubleUnaryOperator operator)
    {
        put(name, List.of(Type.DOUBLE), Type.DOUBLE, a -> operator.applyAsDouble((Double)a[0]));
    }

    private static void numbers(final String name, final DoubleBinaryOperator operator)
    {
        put(name, List.of(Type.DOUBLE, Type.DOUBLE), Type.DOUBLE,
            a -> operator.applyAsDouble((Double)a[0], (Double)a[1]));
    }

    private static Object toBigint(final Object[] arguments)
    {
        if (arguments[0] instanceof Number number)
        {
            return number.longValue();
        }
        try
        {
            return Long.parseLong(arguments[0].toString().trim());
        }
        catch (final NumberFormatException notNumber)
        {
            throw new RowEvaluationException("no number: " + arguments[0]);
        }
    }

    static double logGamma(final double x)
    {
        final double[] lanczos = {76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155,
            0.1208650973866179e-2, -0.5395239384953e-5};
        final double shifted = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
        double sum = 1.000000000190015;
        double y = x;
        for (final double factor : lanczos)
        {
            y++;
            sum += factor / y;
        }
        return -shifted + Math.log(2.5066282746310005 * sum / x);
    }

    static TypedExpression call(final String name, final List<TypedExpression> arguments)
    {
        if (name.startsWith(Expr.CAST))
        {
            return Casts.cast(arguments.get(0), Type.valueOf(name.substring(Expr.CAST.length())));
        }
        final TypedExpression more = TextFunctions.call(name, arguments);
        if (more != null)
        {
            return more;
        }
        switch (name)
        {
            case "concat":
                count(name, arguments, 2);
                return concat(arguments.get(0), arguments.get(1));
            case "nvl":
                count(name, arguments, 2);
                return coalesce(arguments);
            case "coalesce":
                return coalesce(arguments);
            case "decode":
                return decode(arguments);
            case "mod":
                count(name, arguments, 2);
                return mod(TypedExpression.alike(arguments));
            case "to_char":
                count(name, arguments, 1);
                return arguments.get(0).to(Type.CHAR);
            case "to_timestamp":
                count(name, arguments, 1);
                return toTimestamp(arguments.get(0));
            default:
                return plain(name, arguments);
        }
    }

    private static void count(final String name, final List<TypedExpression> arguments, final int wanted)
    {
        if (arguments.size() != wanted)
        {
            throw new InvalidStatementException(name + " takes " + wanted + " arguments");
        }
    }

    private static TypedExpression plain(final String name, final List<TypedExpression> arguments)
    {
        final Plain plain = PLAIN.get(name);
        if (plain == null)
        {
            throw new InvalidStatementException("unknown function " + name);
        }
        count(name, arguments, plain.parameters() == null ? 1 : plain.parameters().size());
        final TypedExpression[] converted = new TypedExpression[arguments.size()];
        for (int i = 0; i < converted.length; i++)
        {
            final TypedExpression argument = arguments.get(i);
            final Type wanted = plain.parameters() == null ? argument.type() : plain.parameters().get(i);
            final boolean fits = argument.type() == wanted || argument.type() == Type.NULL
                || argument.type().isNumber() && wanted.isNumber() && argument.type().ordinal() <= wanted.ordinal()
                || name.equals("abs") && argument.type().isNumber();
            if (!fits)
            {
                throw new InvalidStatementException(name + " of " + argument.type());
            }
            converted[i] = name.equals("abs") || plain.parameters() == null ? argument : argument.to(wanted);
        }
        if (name.equals("abs"))
        {
            return abs(converted[0]);
        }
        return new TypedExpression(plain.result(), env -> {
            final Object[] values = new Object[converted.length];
            for (int i = 0; i < values.length; i++)
            {
                values[i] = converted[i].eval().of(env);
                if (values[i] == null)
                {
                    return null;
                }
            }
            return plain.body().apply(values);
        });
    }

    private static TypedExpression abs(final TypedExpression argument)
    {
        return new TypedExpression(argument.type(), env -> {
            final Object value = argument.eval().of(env);
            return value instanceof Integer i ? (Object)Math.abs(i) : value instanceof Long l ? (Object)Math.abs(l)
                : value instanceof Float f ? (Object)Math.abs(f) : value instanceof Double d ? (Object)Math.abs(d)
                : value instanceof java.math.BigDecimal b ? b.abs() : value;
        });
    }

    static TypedExpression concat(final TypedExpression a, final TypedExpression b)
    {
        final TypedExpression left = a.to(Type.CHAR);
        final TypedExpression right = b.to(Type.CHAR);
        return new TypedExpression(Type.CHAR, env -> {
            final String joined = Values.text(left.eval().of(env)) + Values.text(right.eval().of(env));
            return joined.isEmpty() ? null : joined;
        });
    }

    private static TypedExpression coalesce(final List<TypedExpression> arguments)
    {
        final List<TypedExpression> all = TypedExpression.alike(arguments);
        return new TypedExpression(all.get(0).type(), env -> {
            for (final TypedExpression argument : all)
            {
                final Object value = argument.eval().of(env);
                if (value != null)
                {
                    return value;
                }
            }
            return null;
        });
    }

    private static TypedExpression mod(final List<TypedExpression> both)
    {
        return new TypedExpression(both.get(0).type(), env -> {
            final Object a = both.get(0).eval().of(env);
            final Object b = both.get(1).eval().of(env);
            if (a == null || b == null)
            {
                return null;
            }
            if (a instanceof Integer || a instanceof Long)
            {
                final long divisor = ((Number)b).longValue();
                if (divisor == 0)
                {
                    throw new RowEvaluationException("division by zero");
                }
                return Values.cast(((Number)a).longValue() % divisor, Type.BIGINT, both.get(0).type());
            }
            return Values.cast(((Number)a).doubleValue() % ((Number)b).doubleValue(), Type.DOUBLE,
                both.get(0).type());
        });
    }

    private static TypedExpression toTimestamp(final TypedExpression argument)
    {
        if (argument.type() == Type.CHAR || argument.type() == Type.TIMESTAMP || argument.type() == Type.NULL)
        {
            return argument.to(Type.TIMESTAMP);
        }
        if (argument.type() != Type.BIGINT && argument.type() != Type.INT)
        {
            throw new InvalidStatementException("to_timestamp of " + argument.type());
        }
        return new TypedExpression(Type.TIMESTAMP, argument.to(Type.BIGINT).eval());
    }

    private static TypedExpression decode(final List<TypedExpression> arguments)
    {
        if (arguments.size() < 3)
        {
            throw new InvalidStatementException("decode takes at least three arguments");
        }
        final boolean hasDefault = arguments.size() % 2 == 0;
        final List<TypedExpression> results = new ArrayList<>();
        final List<TypedExpression[]> pairs = new ArrayList<>();
        for (int i = 1; i + 1 < arguments.size(); i += 2)
        {
            results.add(arguments.get(i + 1));
            pairs.add(TypedExpression.comparable(arguments.get(0), arguments.get(i)));
        }
        results.add(hasDefault ? arguments.get(arguments.size() - 1) : TypedExpression.constant(null, Type.NULL));
        final List<TypedExpression> alike = TypedExpression.alike(results);
        return new TypedExpression(alike.get(0).type(), env -> {
            for (int i = 0; i < pairs.size(); i++)
            {
                final Object a = pairs.get(i)[0].eval().of(env);
                final Object b = pairs.get(i)[1].eval().of(env);
                if (Objects.equals(a, b) || a != null && b != null && Values.compare(a, b) == 0)
                {
                    return alike.get(i).eval().of(env);
                }
            }
            return alike.get(alike.size() - 1).eval().of(env);
        });
    }
}
