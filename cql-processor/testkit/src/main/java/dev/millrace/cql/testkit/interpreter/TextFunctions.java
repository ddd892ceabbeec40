package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.List;
import java.util.Objects;

/** Functions of strings, nulls and conversions, as specified in the reference. */
final class TextFunctions
{
    private TextFunctions()
    {
    }

    /** A function of values that handles null arguments itself. */
    private interface Body
    {
        Object of(Object[] values);
    }

    /** Null when it is none of these functions. */
    static TypedExpression call(final String name, final List<TypedExpression> a)
    {
        switch (name)
        {
            case "substr":
                return strict(Type.CHAR, a, v -> empty(substr((String)v[0], (Integer)v[1],
                    v.length > 2 ? (Integer)v[2] : Integer.MAX_VALUE)));
            case "instr":
                return strict(Type.INT, a, v -> ((String)v[0]).indexOf((String)v[1]) + 1);
            case "replace":
                return loose(Type.CHAR, a, v -> replace(v));
            case "trim":
                return strict(Type.CHAR, a, v -> empty(((String)v[0]).replaceAll("^ +| +$", "")));
            case "ltrim":
                return strict(Type.CHAR, a, v -> empty(strip((String)v[0], v.length > 1 ? (String)v[1] : " ", true)));
            case "rtrim":
                return strict(Type.CHAR, a, v -> empty(strip((String)v[0], v.length > 1 ? (String)v[1] : " ", false)));
            case "lpad":
                return strict(Type.CHAR, a, v -> empty(pad((String)v[0], (Integer)v[1], v.length > 2 ? (String)v[2]
                    : " ", true)));
            case "rpad":
                return strict(Type.CHAR, a, v -> empty(pad((String)v[0], (Integer)v[1], v.length > 2 ? (String)v[2]
                    : " ", false)));
            case "initcap":
                return strict(Type.CHAR, a, v -> capitals((String)v[0]));
            case "regexp_extract":
                return strict(Type.CHAR, a, v -> empty(found((String)v[0], (String)v[1],
                    v.length > 2 ? (Integer)v[2] : 0)));
            case "regexp_replace":
                return loose(Type.CHAR, a, v -> v[0] == null || v[1] == null ? v[0]
                    : empty(replaced((String)v[0], (String)v[1], v[2] == null ? "" : (String)v[2])));
            case "split_part":
                return strict(Type.CHAR, a, v -> empty(part((String)v[0], (String)v[1], (Integer)v[2])));
            case "ascii":
                return strict(Type.INT, a, v -> ((String)v[0]).codePointAt(0));
            default:
                return choices(name, a);
        }
    }

    /** A word is a run of letters and digits. */
    private static String capitals(final String text)
    {
        return java.util.regex.Pattern.compile("[\\p{L}\\p{Nd}]+").matcher(text).replaceAll(word ->
            word.group().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                + word.group().substring(1).toLowerCase(java.util.Locale.ROOT));
    }

    private static String found(final String text, final String pattern, final int group)
    {
        try
        {
            final java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(pattern).matcher(text);
            final String found = matcher.find() ? matcher.group(group) : "";
            return found == null ? "" : found;
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException wrong)
        {
            throw new RowEvaluationException("regexp_extract: " + wrong.getMessage());
        }
    }

    private static String replaced(final String text, final String pattern, final String replacement)
    {
        try
        {
            return text.replaceAll(pattern, replacement);
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException wrong)
        {
            throw new RowEvaluationException("regexp_replace: " + wrong.getMessage());
        }
    }

    private static String part(final String text, final String separator, final int number)
    {
        if (number == 0)
        {
            throw new RowEvaluationException("split_part: parts are counted from 1");
        }
        final String[] parts = text.split(java.util.regex.Pattern.quote(separator), -1);
        final int index = number > 0 ? number - 1 : parts.length + number;
        return index < 0 || index >= parts.length ? "" : parts[index];
    }

    private static TypedExpression choices(final String name, final List<TypedExpression> a)
    {
        switch (name)
        {
            case "nvl2":
                final List<TypedExpression> two = TypedExpression.alike(a.subList(1, 3));
                return new TypedExpression(two.get(0).type(),
                    env -> two.get(a.get(0).eval().of(env) == null ? 1 : 0).eval().of(env));
            case "nullif":
                final TypedExpression[] sides = TypedExpression.comparable(a.get(0), a.get(1));
                return new TypedExpression(a.get(0).type(), env -> {
                    final Object x = sides[0].eval().of(env);
                    final Object y = sides[1].eval().of(env);
                    return x != null && y != null && Values.compare(x, y) == 0 ? null : a.get(0).eval().of(env);
                });
            case "greatest":
            case "least":
                final List<TypedExpression> alike = TypedExpression.alike(a);
                return strict(alike.get(0).type(), alike, v -> extreme(v, name.equals("greatest") ? 1 : -1));
            case "to_int":
                return strict(Type.INT, a, v -> toInt(v[0]));
            case "round":
                return a.get(0).type() == Type.FLOAT ? strict(Type.INT, a, v -> Math.round((Float)v[0]))
                    : strict(Type.BIGINT, a, v -> Math.round(((Number)v[0]).doubleValue()));
            case "ceil":
                return strict(Type.BIGINT, a, v -> (long)Math.ceil(((Number)v[0]).doubleValue()));
            case "floor":
                return strict(Type.BIGINT, a, v -> (long)Math.floor(((Number)v[0]).doubleValue()));
            case "hextoraw":
                return strict(Type.BYTE, a, v -> bytes((String)v[0]));
            case "rawtohex":
                return strict(Type.CHAR, a, v -> empty(v[0].toString().toUpperCase(java.util.Locale.ROOT)));
            case "to_boolean":
                return a.get(0).type() == Type.CHAR ? strict(Type.BOOLEAN, a, v -> truth((String)v[0]))
                    : strict(Type.BOOLEAN, a, v -> v[0] instanceof Boolean is ? is
                        : ((Number)v[0]).doubleValue() != 0);
            default:
                return null;
        }
    }

    private static String bytes(final String digits)
    {
        if (digits.length() % 2 != 0 || !digits.matches("[0-9a-fA-F]*"))
        {
            throw new RowEvaluationException("no bytes: " + digits);
        }
        return digits.toLowerCase(java.util.Locale.ROOT);
    }

    static boolean truth(final String text)
    {
        final boolean is = text.strip().equalsIgnoreCase("true");
        if (!is && !text.strip().equalsIgnoreCase("false"))
        {
            throw new RowEvaluationException("no boolean: " + text);
        }
        return is;
    }

    private static TypedExpression strict(final Type result, final List<TypedExpression> arguments, final Body body)
    {
        return loose(result, arguments, values -> {
            for (final Object value : values)
            {
                if (value == null)
                {
                    return null;
                }
            }
            return body.of(values);
        });
    }

    private static TypedExpression loose(final Type result, final List<TypedExpression> arguments, final Body body)
    {
        return new TypedExpression(result, env -> {
            final Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++)
            {
                values[i] = arguments.get(i).eval().of(env);
            }
            return body.of(values);
        });
    }

    private static String empty(final String text)
    {
        return text == null || text.isEmpty() ? null : text;
    }

    private static String substr(final String text, final int from, final int most)
    {
        final int start = from > 0 ? from - 1 : from < 0 ? text.length() + from : 0;
        if (start < 0 || start >= text.length() || most < 1)
        {
            return null;
        }
        return text.substring(start, (int)Math.min(text.length(), (long)start + most));
    }

    private static Object replace(final Object[] values)
    {
        if (values[0] == null || values[1] == null)
        {
            return values[0];
        }
        final String by = values.length > 2 && values[2] != null ? (String)values[2] : "";
        return empty(((String)values[0]).replace((String)values[1], by));
    }

    private static String strip(final String text, final String what, final boolean left)
    {
        String rest = text;
        while (!rest.isEmpty() && what.indexOf(rest.charAt(left ? 0 : rest.length() - 1)) >= 0)
        {
            rest = left ? rest.substring(1) : rest.substring(0, rest.length() - 1);
        }
        return rest;
    }

    private static String pad(final String text, final int length, final String with, final boolean left)
    {
        if (length < 1)
        {
            return null;
        }
        if (text.length() >= length)
        {
            return text.substring(0, length);
        }
        final String fill = with.repeat(length).substring(0, length - text.length());
        return left ? fill + text : text + fill;
    }

    private static Object extreme(final Object[] values, final int sign)
    {
        Object best = values[0];
        for (final Object value : values)
        {
            best = Values.compare(value, best) * sign > 0 ? value : best;
        }
        return Objects.requireNonNull(best);
    }

    private static Object toInt(final Object value)
    {
        final double number = value instanceof String text ? Integer.parseInt(text.trim())
            : ((Number)value).doubleValue();
        if (Double.isNaN(number) || number <= Integer.MIN_VALUE - 1.0 || number >= Integer.MAX_VALUE + 1.0)
        {
            throw new RowEvaluationException("out of range");
        }
        return (int)number;
    }
}
