package dev.millrace.cql.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions over the columns that all generated inputs have. */
final class RandomExpressions
{
    private final Random random;
    private final boolean wide;
    private int forms;
    private int turns;

    RandomExpressions(final Random random)
    {
        this(random, false);
    }

    /** {@code wide}: whether the inputs have columns of every type. */
    RandomExpressions(final Random random, final boolean wide)
    {
        this.random = random;
        this.wide = wide;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    /** Alternates between two notations of a conversion. Draws no random number, so that a seed keeps its statement. */
    private String conversion(final String type, final String value)
    {
        return forms++ % 2 == 0 ? "to_" + type + "(" + value + ")" : "cast(" + value + " as " + type + ")";
    }

    /** Casts every third value to one of some types, selected by its text, without a random number. */
    private String cast(final String value, final String... types)
    {
        final int type = Math.floorMod(value.hashCode(), types.length);
        return turns++ % 3 == 0 ? "cast(" + value + " as " + types[type] + ")" : value;
    }

    /** Adds an alternative over bytes to every fifth condition, without a random number. */
    private String orBytes(final String condition, final String alias)
    {
        return turns++ % 5 > 0 ? condition : "(" + condition + " or hextoraw(decode(" + alias
            + "k, 1, \"0A\", 2, \"0b\")) " + (turns % 2 == 0 ? "= hextoraw(\"0a\")"
            : "in (hextoraw(\"0B\"), hextoraw(rawtohex(hextoraw(\"ff\"))))") + ")";
    }

    /** One of the notations of an interval, selected without a random number. */
    private String seconds(final int seconds)
    {
        return "interval \"" + switch (forms++ % 4)
        {
            case 0 -> "0 00:00:0" + seconds + ".00\" day to second";
            case 1 -> "0:0" + seconds + "\" minute to second";
            case 2 -> "0:00:0" + seconds + "\" hour to second";
            default -> seconds + "\" second";
        };
    }

    private String alias(final String... aliases)
    {
        return pick(aliases) + ".";
    }

    String integer(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        if (depth <= 0 || random.nextInt(3) == 0)
        {
            return pick(a + "k", a + "v", a + "v", Integer.toString(random.nextInt(6)));
        }
        switch (random.nextInt(12))
        {
            case 0:
            case 1:
                return "(" + integer(depth - 1, aliases) + pick(" + ", " - ", " * ") + integer(depth - 1, aliases)
                    + ")";
            case 2:
                return integer(depth - 1, aliases) + " / " + pick("2", "3");
            case 3:
                return "nvl(" + integer(depth - 1, aliases) + ", " + random.nextInt(5) + ")";
            case 4:
                return "case when " + condition(depth - 1, aliases) + " then " + integer(depth - 1, aliases) + pick("",
                    " else " + integer(depth - 1, aliases)) + " end";
            case 5:
                return "abs(" + a + "v - 5)";
            case 6:
                return "decode(" + a + "k, 1, " + a + "v, null, 7, 2, 0)";
            case 7:
                return pick("length(" + chars(depth - 1, aliases) + ")", "instr(" + a + "c, \"b\")",
                    "ascii(" + a + "c)", "mod(" + integer(depth - 1, aliases) + ", 3)");
            case 8:
                return pick("coalesce(" + a + "k, " + a + "v, 4)", "nullif(" + a + "v, " + a + "k)",
                    "greatest(" + a + "v, " + integer(depth - 1, aliases) + ")", "least(" + a + "k, 2)",
                    "nvl2(" + a + "x, " + a + "k, " + a + "v)", "nvl2(" + a + "c, 1, " + a + "v)");
            default:
                return "-" + a + "v";
        }
    }

    String decimal(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        switch (depth <= 0 ? 0 : random.nextInt(9))
        {
            case 1:
                return "(" + a + "x" + pick(" + ", " - ", " * ") + integer(depth - 1, aliases) + ")";
            case 2:
                return "nvl(" + a + "x, 9.5)";
            case 3:
                return a + "x * 2.0";
            case 4:
                return a + "x / 4";
            case 5:
                return pick("sqrt(", "floor1(", "ceil1(", "abs3(", "exp(", "atan(", "signum(", "rint(") + a + "x)";
            case 6:
                return pick("pow(" + a + "x, 2d)", "mod(" + a + "x, 1.5d)", conversion("double", a + "v"),
                    "greatest(" + a + "x, 0.5)", "hypot(" + a + "x, 1d)");
            default:
                return a + "x";
        }
    }

    String chars(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        switch (depth <= 0 ? 0 : random.nextInt(13))
        {
            case 1:
                return a + "c || \"-\" || " + a + "k";
            case 2:
                return "concat(" + a + "c, \"z\")";
            case 3:
                return pick("upper(", "lower(", "initcap(", "trim(") + a + "c)";
            case 4:
                return "nvl(" + a + "c, \"none\")";
            case 5:
                return "case " + a + "k when 1 then \"one\" when 2 then " + a + "c else \"many\" end";
            case 6:
                return "substr(" + a + "c, " + pick("1", "2", "-1", "0", "3") + pick("", ", 1", ", 2") + ")";
            case 7:
                return "replace(" + a + "c, \"a\"" + pick("", ", \"xy\"", ", " + a + "c") + ")";
            case 8:
                return pick("lpad(", "rpad(") + a + "c, " + pick("1", "3", "4") + pick("", ", \"xy\"") + ")";
            case 9:
                return pick("ltrim(", "rtrim(") + a + "c, \"" + pick("a", "b", "ab") + "\")";
            case 10:
                return pick("coalesce(" + a + "c, " + conversion("char", a + "k") + ")", "nullif(" + a + "c, \"a\")",
                    "greatest(" + a + "c, \"aa\")", conversion("char", integer(depth - 1, aliases)));
            default:
                return a + "c";
        }
    }

    /** Values of the types that only wide inputs have. */
    private String other(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        final String n = integer(depth - 1, aliases);
        switch (random.nextInt(8))
        {
            case 0:
            case 1:
                return cast(pick(a + "bi", a + "bi + " + n, a + "bi * 3", a + "bi - 5L", "abs1(" + a + "bi)",
                    "nvl(" + a + "bi, " + n + ")", conversion("bigint", n), "mod(" + a + "bi, 3L)", "-" + a + "bi",
                    "greatest(" + a + "bi, " + n + ")", "round(" + a + "x)", conversion("bigint", a + "iv"),
                    "ceil(" + a + "x)", "floor(" + a + "x)", a + "bi / 2"), "bigdecimal", "interval", "char");
            case 2:
                return pick(a + "fl", a + "fl + " + n, a + "fl * 2", a + "fl * 1.5", "abs2(" + a + "fl)",
                    a + "fl * " + a + "x", conversion("float", n), a + "fl / 4", "-" + a + "fl", a + "fl + 0.5f",
                    "nvl(" + a + "fl, 1)", "least(" + a + "fl, 1)");
            case 3:
                return cast(pick(a + "de", a + "de + " + n, a + "de * 2", a + "de - " + a + "bi",
                    "nvl(" + a + "de, 0)", "-" + a + "de", "abs(" + a + "de)", a + "de + " + a + "de",
                    "coalesce(" + a + "de, 1)", a + "de * " + a + "de", a + "de / 4"), "bigint", "double", "boolean",
                    "char", "float", "bigdecimal");
            case 4:
                return pick(a + "ts", a + "ts + " + a + "iv", a + "ts - " + a + "iv", "nvl(" + a + "ts + " + a
                    + "iv, " + a + "ts)", a + "ts + " + seconds(2),
                    conversion("timestamp", a + "bi"), "greatest(" + a + "ts, " + a + "ts + " + a + "iv)");
            case 5:
                return cast(pick(a + "iv", a + "iv + " + a + "iv", "-" + a + "iv",
                    a + "iv - " + seconds(1), "nvl(" + a + "iv, interval \"0 00:00:03.00\" "
                    + "day to second)", "(" + a + "ts + " + a + "iv) - " + a + "ts"), "bigint", "char", "interval");
            case 6:
                return pick(a + "ok", "nvl(" + a + "ok, true)", conversion("boolean", a + "v"),
                    "case when " + condition(depth - 1, aliases) + " then " + a + "ok end",
                    "case when " + condition(depth - 1, aliases) + " then true else " + a + "ok end");
            default:
                return "case when " + condition(depth - 1, aliases) + " then " + pick(a + "bi", a + "fl", a + "x",
                    a + "v", "2", "1.5") + " else " + pick(a + "bi", a + "fl", a + "x", n) + " end";
        }
    }

    private String comparison(final String... aliases)
    {
        final String a = alias(aliases);
        if (wide && random.nextInt(3) == 0)
        {
            return otherComparison(aliases);
        }
        switch (random.nextInt(10))
        {
            case 0:
                return a + pick("k", "v", "x", "c") + pick(" is null", " is not null");
            case 1:
                return a + "v " + pick("", "not ") + "between " + random.nextInt(5) + " and " + (3 + random.nextInt(6));
            case 2:
                return a + "k " + pick("", "not ") + "in (1, " + pick("2", "3", "null", "2, 3") + ")";
            case 3:
                return a + "c " + pick("", "not ") + "like \"" + pick("^a", "b$", "a|b", "ab", ".") + "\"";
            case 4:
                return a + "c " + pick("=", "<>", "<", ">=", "!=") + " \"" + pick("a", "b", "ab") + "\"";
            case 5:
                return decimal(1, aliases) + pick(" > ", " <= ", " = ", " <> ") + pick("0.5", "1.75", "3", "0.25");
            case 6:
                return chars(1, aliases) + pick(" = ", " <> ", " < ", " >= ") + chars(1, aliases);
            default:
                return integer(1, aliases) + pick(" = ", " < ", " > ", " <= ", " >= ", " <> ") + integer(1, aliases);
        }
    }

    private String otherComparison(final String... aliases)
    {
        final String a = alias(aliases);
        return orBytes(otherComparison(a, aliases), a);
    }

    private String otherComparison(final String a, final String... aliases)
    {
        final String b = alias(aliases);
        final String sign = pick(" = ", " < ", " > ", " <= ", " >= ", " <> ");
        switch (random.nextInt(10))
        {
            case 0:
                return a + pick("bi", "fl", "de", "ts", "iv", "ok") + pick(" is null", " is not null");
            case 1:
                return a + pick("bi", "fl", "de") + sign + b + pick("v", "bi", "x", "fl", "de");
            case 2:
                return a + "fl" + sign + pick("0.25", "1.5", "0.25f", "1", "2.0d");
            case 3:
                return a + "de" + sign + pick("0.1", "2.5", "1", "0");
            case 4:
                return a + "ts" + sign + pick(b + "ts", b + "ts + " + b + "iv", "\"11/14/2023 22:13:24\"");
            case 5:
                return a + "iv" + sign + pick(b + "iv", "interval \"0 00:00:01.00\" day to second", b + "ts - " + a
                    + "ts");
            case 6:
                return a + "ok" + pick(" = ", " <> ") + pick("true", "false", b + "ok");
            case 7:
                return a + "bi " + pick("", "not ") + pick("between 0 and 3", "in (1, 2, 10000000000)", "in (0, null)",
                    "between " + b + "v and 5");
            case 8:
                return a + "de " + pick("", "not ") + pick("between 0 and 2.5", "in (1, 2.5, 0.1)");
            default:
                return a + "fl " + pick("", "not ") + pick("between 0.25 and 1.5", "in (1.5, 0.25)");
        }
    }

    String condition(final int depth, final String... aliases)
    {
        if (depth <= 0 || random.nextInt(3) == 0)
        {
            return comparison(aliases);
        }
        final String left = condition(depth - 1, aliases);
        switch (random.nextInt(6))
        {
            case 0:
                return "not (" + left + ")";
            case 1:
                return "(" + left + " xor " + condition(depth - 1, aliases) + ")";
            case 2:
            case 3:
                return "(" + left + " or " + condition(depth - 1, aliases) + ")";
            default:
                return left + " and " + condition(depth - 1, aliases);
        }
    }

    /** A select list of several types. */
    String list(final String... aliases)
    {
        if (aliases.length == 1 && random.nextInt(8) == 0)
        {
            return "*";
        }
        final List<String> items = new ArrayList<>();
        final int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++)
        {
            final int depth = random.nextInt(3);
            final String item = wide && random.nextInt(3) == 0 ? other(depth, aliases)
                : random.nextInt(5) == 0 ? chars(depth, aliases)
                : random.nextInt(4) == 0 ? decimal(depth, aliases) : integer(depth, aliases);
            items.add(item + (random.nextBoolean() ? " as e" + i : ""));
        }
        return String.join(", ", items);
    }

    /** Aggregates over a source. */
    String aggregates(final String alias)
    {
        final List<String> items = new ArrayList<>();
        final int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++)
        {
            if (random.nextInt(9) == 0)
            {
                items.add(pick("mean", "product", "sumOfSquares", "variance", "standardDeviation", "median", "rms")
                    + "(" + (random.nextInt(6) == 0 ? "distinct " : "") + alias + pick(".v", ".x", ".k") + ") as a"
                    + i);
                continue;
            }
            final String function = pick("sum", "avg", "min", "max", "count");
            final boolean number = function.equals("sum") || function.equals("avg");
            final String column = wide && random.nextInt(2) == 0
                ? number ? pick("bi", "fl", "de") : pick("bi", "fl", "de", "iv", "ts")
                : number ? pick("v", "x", "v", "k") : pick("v", "x", "c", "k");
            final String argument = column.equals("v") && random.nextInt(4) == 0 ? alias + ".v + 1"
                : column.equals("v") && random.nextInt(4) == 0 ? integer(2, alias) : alias + "." + column;
            items.add(function + "(" + (random.nextInt(6) == 0 ? "distinct " : "") + argument + ") as a" + i);
        }
        return String.join(", ", items);
    }
}
