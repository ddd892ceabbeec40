package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random statements with MATCH_RECOGNIZE over the stream S. */
final class RandomPatterns
{
    private final Random random;
    private final List<Interpreter.Rule> views = new ArrayList<>();
    private final List<String> used = new ArrayList<>();
    private boolean ordered;
    private boolean allRows;
    private boolean excludes;

    RandomPatterns(final Random random)
    {
        this.random = random;
    }

    /** Whether rows of one instant have an order. */
    boolean isOrdered()
    {
        return ordered;
    }

    List<Interpreter.Rule> views()
    {
        return views;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }

    private String variable()
    {
        final String name = pick("A", "B", "C");
        if (!used.contains(name))
        {
            used.add(name);
        }
        return name;
    }

    private String pattern(final int depth)
    {
        final int kind = random.nextInt(100);
        String text;
        if (depth < 2 && kind < 5)
        {
            text = "(" + variable() + pick("?", "??", "*", "*?") + ")";
        }
        else if (depth >= 2 || kind < 35)
        {
            text = variable();
        }
        else if (kind < 75)
        {
            text = pattern(depth + 1) + " " + pattern(depth + 1) + (chance(40) ? " " + pattern(depth + 1) : "");
            if (depth == 0)
            {
                return text;
            }
            text = "(" + text + ")";
        }
        else if (kind < 93)
        {
            text = "(" + pattern(depth + 1) + " | " + (chance(6) ? "()" : pattern(depth + 1)) + ")";
        }
        else if (kind < 95)
        {
            text = "permute(" + variable() + ", " + pattern(2) + ", " + variable() + ")";
        }
        else
        {
            text = "permute(" + variable() + ", " + pattern(2) + ")";
        }
        if (excludes && chance(25))
        {
            text = "{- " + text + " -}";
        }
        return chance(50) ? text + pick("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{,2}", "{,}",
            "{1,2}?") : text;
    }

    private String condition(final String v)
    {
        final String other = pick(used.toArray(new String[0]));
        switch (random.nextInt(21))
        {
            case 17:
                return pick("first(classifier())", "last(classifier(), 1)", "prev(classifier())") +
                    pick(" = \"A\"", " <> \"B\"", " is null") + " or " + v + ".v > 3";
            case 0:
                return v + ".v >= prev(" + v + ".v)";
            case 1:
                return v + ".v < prev(" + v + ".v" + pick("", ", 2", ", 1, 2000") + ")";
            case 2:
                return "count(" + v + ".*) < " + (1 + random.nextInt(3));
            case 3:
                return "sum(" + v + ".v) < " + (5 + random.nextInt(15));
            case 4:
                return v + ".v > " + other + ".v";
            case 5:
                return v + ".v >= last(" + other + ".v" + pick("", ", 1") + ") or count(" + other + ".*) = 0";
            case 6:
                return v + ".c = " + pick("\"a\"", "\"b\"", other + ".c");
            case 7:
                return "avg(" + v + ".v) > " + random.nextInt(6);
            case 8:
                return v + ".x is " + pick("", "not ") + "null";
            case 9:
                return v + ".k = " + pick("1", "2", "first(" + other + ".k)");
            case 10:
                return "sum(v) < 20 and " + v + ".v > 0";
            case 11:
                return v + ".v in (1, 2, " + (3 + random.nextInt(6)) + ", " + other + ".v)";
            case 12:
                return v + ".c like \"a\" or max(" + other + ".v) > 5";
            case 13:
                return "count(*) < 4 and " + v + ".v between 1 and 8";
            case 15:
                return "count(distinct " + other + ".v) < " + (2 + random.nextInt(2));
            case 16:
                return "median(v) > 2 or count(distinct c) < 2";
            case 14:
                return v + ".v > prev(last(" + other + ".v)) or " + v + ".k is null";
            default:
                return v + ".v " + pick("<", ">=", "<>", ">", "<=") + " " + (1 + random.nextInt(7));
        }
    }

    private String measures()
    {
        final List<String> items = new ArrayList<>();
        items.add("first(o) as f");
        items.add("last(o) as l");
        items.add(used.size() == 2 ? "count() as n" : "count(*) as n");
        final int more = random.nextInt(4);
        for (int i = 0; i < more; i++)
        {
            final String v = pick(used.toArray(new String[0]));
            items.add(pick(v + ".v", "count(" + v + ".*)", "sum(" + v + ".v)", "avg(" + v + ".v)", "max(" + v + ".x)",
                "last(" + v + ".o, 1)", "first(" + v + ".c)", "prev(" + v + ".v)", "count(" + v + ".c)",
                v + ".k + 1", "min(U.v)", "classifier()", "match_number()", "prev(last(" + v + ".v), 2)",
                "prev(first(" + v + ".v))", "prev(v, 2)", "sum(v + k)", "sum(" + v + ".v) - count(U.*)",
                "nvl(" + v + ".c, \"none\")", "case when " + v + ".v > 3 then 1 else 0 end", "count(distinct c)",
                "median(" + v + ".v)", "mean(x)", "sum(distinct " + v + ".v)", "listagg(" + v + ".c)",
                "first(classifier())", "last(classifier(), 1)", "prev(classifier(" + v + "))",
                "first(classifier(" + v + "))", "listagg(classifier())", "count(distinct classifier())",
                "sum(match_number())", "sum(match_number() + " + v + ".v)",
                "max(" + v + ".c)", "first(" + v + ".v, 1)", "last(v, 1)", "avg(x)",
                allRows ? "final last(v)" : "last(v)", allRows ? "final count(" + v + ".*)" : "count(*) + 1",
                allRows ? "running sum(v)" : "sum(v)", allRows ? "final sum(" + v + ".v)" : "min(v)") + " as m" + i);
        }
        if (chance(15))
        {
            final String v = pick(used.toArray(new String[0]));
            items.add(pick("next(v)", "next(" + v + ".o)", "next(last(v), 2)", "next(first(" + v + ".o))",
                "next(" + v + ".v, 3)", "next(classifier())", "next(v) + prev(v)") + " as m" + more);
        }
        return String.join(", ", items);
    }

    /** A duration, or a column of the first row that contains it. */
    private String duration(final String pattern)
    {
        if (!chance(30))
        {
            return pick("1", "2", "3", "1500 milliseconds");
        }
        final boolean isOneFirst = pattern.length() > 1 && pattern.charAt(1) == ' ';
        return (isOneFirst && chance(50) ? pattern.charAt(0) + "." : "") + pick("v", "k") +
            pick("", " seconds", " seconds", " minutes");
    }

    /** The select list of a pattern with ROWS PER MATCH. */
    private String list(final String columns)
    {
        final String some = pick("M.f, M.l, M.n", "M.n * 2 as d, M.f, M.l", "*", "M.*",
            allRows ? "M.o, M.v, M.f, M.n" : "*", allRows ? "M.c, M.k, M.x, M.n" : "*");
        return some.endsWith("*") ? some : some + columns;
    }

    String statement()
    {
        if (chance(20))
        {
            return sequence();
        }
        final boolean shaped = chance(15);
        allRows = chance(25);
        final String rows = allRows ? " all rows per match" + pick("", " show empty matches", " omit empty matches",
            " with unmatched rows", " with unmatched rows") : chance(8) ? " one row per match" : "";
        excludes = allRows && !rows.contains("unmatched") && chance(40);
        final String pattern = shaped ? shape() : pattern(0);
        final boolean partitioned = chance(50);
        final boolean all = !shaped && chance(30);
        final boolean duration = !shaped && !allRows && chance(18);
        final boolean within = !duration && chance(40);
        final String skip = shaped ? pick(" after match skip to last B", " after match skip to first B")
            : !all && !duration && chance(15) ? " after match skip to next row" : "";
        final StringBuilder define = new StringBuilder();
        for (final String v : used)
        {
            if (chance(85) || define.length() == 0)
            {
                define.append(define.length() == 0 ? "" : ", ").append(v).append(" as ").append(condition(v))
                    .append(chance(20) ? " and " + v + ".v <> 4" : "");
            }
        }
        ordered = !all && !partitioned;
        final String measures = measures();
        final StringBuilder columns = new StringBuilder();
        for (int i = 0; !rows.isEmpty() && measures.contains(" as m" + i); i++)
        {
            columns.append(", M.m").append(i);
        }
        final String source = chance(20) ? view() : "S";
        final List<String> members = new ArrayList<>(used);
        while (members.size() > 1 && chance(35))
        {
            members.remove(random.nextInt(members.size()));
        }
        return "select " + (rows.isEmpty() ? pick("*", "M.*", "M.f, M.l, M.n", "M.n * 2 as d, M.f, M.l")
            : list(columns.toString())) + " from " + source
            + " match_recognize (" + (partitioned ? "partition by " + pick("k", "c", "k, c") + " " : "") + "measures "
            + measures + rows + skip + (all ? " all matches" : "") + (duration ? " include timer events" : "")
            + " pattern (" + pattern + ")"
            + (within ? " within " + pick("", "inclusive ") + pick("1", "2", "3", "1500 milliseconds") : "")
            + (duration ? " duration " + pick("", "", "multiples of ") + duration(pattern) : "")
            + " subset U = (" + String.join(", ", members) + ") define " + define + ") as M"
            + (chance(15) ? " where M.n > 1" : "");
    }

    /** A start and a later row that has some relation to it: mostly of the kind that needs no search. */
    private String sequence()
    {
        final String value = pick("_.v", "_.x", "_.k", "_.v + _.k", "_.x * 2", "_.o");
        final String bound = pick("A.v", "A.x", "A.k", "A.v * 2", "A.x - 1", "A.v + 3", "A.x * 1.25", "4", "A.o + 2");
        final int sign = random.nextInt(4);
        final String[] signs = {">", ">=", "<", "<="};
        final String[] opposite = {"<=", "<", ">=", ">"};
        final String[] turned = {"<", "<=", ">", ">="};
        final String end = chance(75) ? value + ' ' + signs[sign] + ' ' + bound :
            bound + ' ' + turned[sign] + ' ' + value;
        final String rest = pick("", "not (" + end + ")", value + ' ' + opposite[sign] + ' ' + bound,
            value + ' ' + opposite[sign] + ' ' + bound, value + ' ' + opposite[random.nextInt(4)] + ' ' + bound,
            "_.v > 2");
        return "select " + pick("*", "M.a, M.b", "M.b - M.a as gap, M.m") + " from " + (chance(20) ? view() : "S") +
            " match_recognize (" + pick("", "partition by k ", "partition by c ", "partition by k, c ") +
            "measures A.o as a, B.o as b, " + pick("A.x", "B.c", "A.c", "A.k", "B.v + A.v", "first(x)", "last(v)") +
            " as m" + (chance(85) ? " all matches" : "") + " pattern (A C" + pick("*", "*", "*?", "+") + " B)" +
            (chance(75) ? " within " + pick("", "inclusive ") + pick("1", "2", "5", "1500 milliseconds") : "") +
            " define B as " + end.replace('_', 'B') +
            (rest.isEmpty() ? "" : ", C as " + rest.replace('_', 'C')) + (chance(25) ? ", A as A.v > 1" : "") +
            ") as M" + (chance(20) ? " where M.b > M.a + 1" : "");
    }

    /** A pattern in which B always has a row that is not the first. */
    private String shape()
    {
        used.clear();
        used.add("A");
        used.add("B");
        final String first = pick("A", "A+", "A B? A");
        final boolean third = chance(40);
        if (third)
        {
            used.add("C");
        }
        return first + " " + pick("B", "B+", "B{1,2}", "B+?") + (third ? " C" + pick("", "*", "?") : "");
    }

    private String view()
    {
        views.add(new Interpreter.Rule("p1", true,
            pick("select k, v, x, c, o from S where v > 2 or k = 1", "IStream(select k, v, x, c, o from S [rows 3])",
                "DStream(select k, v, x, c, o from S [range 2])", "RStream(select k, v, x, c, o from S [now])"),
            List.of("k", "v", "x", "c", "o")));
        return "p1";
    }
}
