package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes random queries and random input for them. Domains are small, so that ties, nulls, equal instants and matches
 * are frequent. The same seed gives the same case. Used by one thread.
 */
public final class CaseGenerator
{
    static final String STREAM = "k int, v int, x double, c char(4), o int";
    private static final String[] SETS = {"union", "union all", "except", "minus", "intersect", "in", "not in"};

    private final Random random;
    private final long seed;
    private final List<Interpreter.Rule> rules = new ArrayList<>();
    private final ExpressionMaker expressions;
    private boolean ordered;
    private String feature;

    private CaseGenerator(final long seed)
    {
        this.seed = seed;
        random = new Random(seed);
        expressions = new ExpressionMaker(random);
    }

    /**
     * Makes rules, without input.
     *
     * @param seed decides all
     * @return a case that expects nothing yet
     */
    public static CaseFile rules(final long seed)
    {
        return new CaseGenerator(seed).make();
    }

    /**
     * Makes input for a case.
     *
     * @param file case
     * @param seed decides all
     * @return what arrives
     */
    public static List<Interpreter.Arrival> arrivals(final CaseFile file, final long seed)
    {
        return new InputMaker(new Random(seed)).make(file.inputs());
    }

    private CaseFile make()
    {
        final String text;
        switch (random.nextInt(14))
        {
            case 0:
                text = plain();
                break;
            case 1:
            case 2:
                text = "select " + expressions.list("S") + " from " + source("S", 9) + where("S") + order();
                break;
            case 3:
            case 4:
                text = streamed(grouped());
                break;
            case 5:
            case 6:
                text = streamed(joined());
                break;
            case 7:
                text = sets();
                break;
            case 8:
                text = views();
                break;
            case 9:
                text = top();
                break;
            case 10:
                text = differences();
                break;
            default:
                feature = "pattern";
                final PatternMaker patterns = new PatternMaker(random);
                text = patterns.statement();
                ordered = patterns.isOrdered();
                rules.addAll(patterns.views());
                break;
        }
        rules.add(new Interpreter.Rule("q1", false, text, List.of()));
        final List<Interpreter.Input> inputs = new ArrayList<>();
        final String all = rules.stream().map(Interpreter.Rule::text).reduce("", (a, b) -> a + " " + b);
        for (final String name : new String[] {"S", "R"})
        {
            if (all.matches("(?s).*\\b" + name + "\\b.*"))
            {
                inputs.add(CaseFile.input(name, false, STREAM));
            }
        }
        if (all.matches("(?s).*\\bT\\b.*") && !"pattern".equals(feature))
        {
            inputs.add(CaseFile.input("T", true, random.nextBoolean() ? STREAM : STREAM + ", primary key(k)"));
        }
        return new CaseFile("generated-" + seed, "generated, seed " + seed, feature, inputs, List.copyOf(rules),
            List.of(), Map.of(), ordered, null);
    }

    private boolean chance(final int percent)
    {
        return random.nextInt(100) < percent;
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private int number(final int low, final int high)
    {
        return low + random.nextInt(high - low + 1);
    }

    private String time()
    {
        return chance(25) ? pick("500", "750", "1250") + " milliseconds"
            : number(1, 6) + pick("", "", " seconds", " second");
    }

    /** A window; without the bare stream for bounds of 8 and less. */
    private String window()
    {
        switch (random.nextInt(12))
        {
            case 0:
                return " [now]";
            case 1:
            case 2:
            case 3:
                return " [range " + time() + "]";
            case 4:
            case 5:
                return " [range " + time() + " slide " + time() + "]";
            case 6:
                return " [range " + number(1, 5) + " on o]";
            case 7:
                return " [rows " + number(1, 4) + "]";
            case 8:
                return " [rows " + number(1, 4) + " slide " + number(1, 4) + "]";
            case 9:
                return " [partition by " + pick("k", "c", "k, c") + " rows " + number(1, 3) + "]";
            case 10:
                return " [partition by k rows " + number(1, 3) + " range " + time()
                    + (chance(50) ? " slide " + time() : "") + "]";
            default:
                return pick("", " [range unbounded]");
        }
    }

    /** A window that does not depend on the order of rows inside an instant, which DStream and others do not define. */
    private String timed()
    {
        return pick("", " [now]", " [range " + time() + "]", " [range " + time() + " slide " + time() + "]",
            " [range unbounded]");
    }

    private String source(final String name, final int relationOneIn)
    {
        return random.nextInt(relationOneIn) == 0 ? "T as " + name : name + window() + " as " + name;
    }

    private String where(final String... aliases)
    {
        return chance(60) ? " where " + expressions.condition(2, aliases) : "";
    }

    private String streamed(final String body)
    {
        final String every = chance(6) ? " evaluate every " + time() : "";
        switch (random.nextInt(7))
        {
            case 0:
            case 1:
                return "IStream(" + body + ")" + every;
            case 2:
                return "DStream(" + body + ")" + every;
            case 3:
                return "RStream(" + body + ")" + every;
            default:
                return body + every;
        }
    }

    private String plain()
    {
        feature = "filter";
        if (chance(60))
        {
            ordered = true;
            return "select " + expressions.list("S") + " from S" + where("S");
        }
        return streamed("select " + (chance(40) ? "distinct " : "") + expressions.list("S") + " from " + source("S", 5)
            + where("S"));
    }

    private String order()
    {
        feature = "order-by";
        return chance(20) ? " order by 1 " + pick("", "asc", "desc", "desc nulls last", "nulls first") : "";
    }

    private String grouped()
    {
        feature = "group-by";
        final String aggregates = expressions.aggregates("S");
        final String from = " from " + source("S", 6) + where("S");
        final String having = chance(30)
            ? " having " + pick("count(*) > 1", "n > 1", "sum(S.v) > 5", "max(S.v) is not null and n < 4") : "";
        if (chance(25))
        {
            return "select count(*) as n, " + aggregates + from + having;
        }
        final String keys = pick("S.k", "S.c", "S.k, S.c", "S.k");
        return "select " + keys + ", count(*) as n, " + aggregates + from + " group by " + keys + having;
    }

    private String joined()
    {
        feature = "join";
        if (chance(50))
        {
            final String condition = pick("S.k = R.k", "S.k = R.k and S.v <= R.v", "S.c = R.c", "S.k = R.k",
                "S.v < R.v", "S.k = R.k and S.c = R.c");
            if (chance(15))
            {
                return "select S.v, R.k, U.v as w from " + source("S", 9) + ", " + source("R", 5) + ", S" + window()
                    + " as U where " + condition + " and U.k = R.k";
            }
            return "select S.k, S.v, R.v as w, R.c from " + source("S", 9) + ", " + source("R", 5) + " where "
                + condition + (chance(40) ? " and " + expressions.condition(1, "S", "R") : "");
        }
        feature = "outer-join";
        return "select S.k, S.v, R.k as l, R.v as w from " + source("S", 9) + " " + pick("left", "right")
            + " outer join " + source("R", 5) + " on "
            + pick("S.k = R.k", "S.k = R.k and S.v < R.v", "S.c = R.c", "S.v <= R.v", "R.k = S.k and R.x is null")
            + where("S", "R");
    }

    private String operand(final String columns)
    {
        final String name = pick("S", "R", "S", "T");
        return "(select " + columns.replace("$", name) + " from " + name + (name.equals("T") ? "" : window())
            + where(name) + ")";
    }

    private String sets()
    {
        feature = "set-op";
        final String columns = pick("$.k", "$.k, $.c", "$.v", "$.x, $.k");
        String body = operand(columns) + " " + pick(SETS) + " " + operand(columns);
        if (chance(25))
        {
            body = "(" + body + ") " + pick(SETS) + " " + operand(columns);
        }
        return streamed(body);
    }

    private String views()
    {
        feature = "view";
        final boolean stream = chance(50);
        final String view = stream
            ? pick("IStream(", "RStream(", "DStream(") + "select S.k, S.v, S.x, S.c, S.o from S" + window()
                + where("S") + ")"
            : "select S.k, S.v, S.x, S.c, S.o from " + source("S", 4) + where("S");
        rules.add(new Interpreter.Rule("w1", true, view, List.of("k", "v", "x", "c", "o")));
        final String from = stream ? "w1" + timed() + " as S" : "w1 as S";
        switch (random.nextInt(4))
        {
            case 0:
                return streamed("select " + expressions.list("S") + " from " + from + where("S"));
            case 1:
                return streamed("select S.k, count(*) as n, " + expressions.aggregates("S") + " from " + from
                    + " group by S.k");
            case 2:
                return streamed("select S.k, S.v, R.v as w from " + from + ", R" + window()
                    + " as R where S.k = R.k");
            default:
                return streamed("select D.k, D.m from (select S.k, max(S.v) as m from " + from
                    + " group by S.k) as D where D.m > 3 or D.k is null");
        }
    }

    private String top()
    {
        feature = "top-n";
        final String direction = pick("", " desc", " desc nulls last", " nulls first");
        return streamed("select S.k, S.v, S.x from " + source("S", 5) + where("S") + " order by S.v" + direction
            + ", S.k" + pick("", " desc") + ", S.x rows " + number(1, 3)
            + (chance(40) ? " partition by " + pick("S.k", "S.k, S.c") : ""));
    }

    private String differences()
    {
        feature = "difference-using";
        return pick("IStream", "DStream") + "(select S.k, S.v, S.c as d from " + source("S", 3) + where("S")
            + ") difference using (" + pick("k", "1", "k, d", "d, 2", "v") + ")";
    }
}
