package dev.millrace.cql.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions over the columns that all generated inputs have. */
final class ExpressionMaker
{
    private final Random random;

    ExpressionMaker(final Random random)
    {
        this.random = random;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
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
        switch (random.nextInt(8))
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
            default:
                return "-" + a + "v";
        }
    }

    String decimal(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        switch (depth <= 0 ? 0 : random.nextInt(5))
        {
            case 1:
                return "(" + a + "x" + pick(" + ", " - ", " * ") + integer(depth - 1, aliases) + ")";
            case 2:
                return "nvl(" + a + "x, 9.5)";
            case 3:
                return a + "x * 2.0";
            case 4:
                return a + "x / 4";
            default:
                return a + "x";
        }
    }

    String chars(final int depth, final String... aliases)
    {
        final String a = alias(aliases);
        switch (depth <= 0 ? 0 : random.nextInt(7))
        {
            case 1:
                return a + "c || \"-\" || " + a + "k";
            case 2:
                return "concat(" + a + "c, \"z\")";
            case 3:
                return "upper(" + a + "c)";
            case 4:
                return "nvl(" + a + "c, \"none\")";
            case 5:
                return "case " + a + "k when 1 then \"one\" when 2 then " + a + "c else \"many\" end";
            default:
                return a + "c";
        }
    }

    private String comparison(final String... aliases)
    {
        final String a = alias(aliases);
        switch (random.nextInt(9))
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
            default:
                return integer(1, aliases) + pick(" = ", " < ", " > ", " <= ", " >= ", " <> ") + integer(1, aliases);
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
            final String item = random.nextInt(5) == 0 ? chars(depth, aliases)
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
            final String function = pick("sum", "avg", "min", "max", "count");
            final String column = function.equals("sum") || function.equals("avg") ? pick("v", "x", "v", "k")
                : pick("v", "x", "c", "k");
            final String argument = column.equals("v") && random.nextInt(4) == 0 ? alias + ".v + 1"
                : alias + "." + column;
            items.add(function + "(" + (random.nextInt(6) == 0 ? "distinct " : "") + argument + ") as a" + i);
        }
        return String.join(", ", items);
    }
}
