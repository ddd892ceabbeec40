package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Creates random queries and random input for them. Domains are small, so that ties, nulls, equal instants and matches
 * are frequent. The same seed yields the same case. Not thread-safe.
 */
public final class CaseGenerator
{
    static final String STREAM = "k int, v int, x double, c char(4), o int";
    private static final String WIDE =
        STREAM + ", bi bigint, fl float, de bigdecimal, ts timestamp, iv interval, ok boolean";
    private static final String[] SETS = {"union", "union all", "except", "minus", "intersect", "in", "not in"};
    private static final String VIEW_COLUMNS = "S.k, S.v, S.x, S.c, S.o";

    private final Random random;
    private final long seed;
    private final List<Interpreter.Rule> rules = new ArrayList<>();
    private final boolean wide;
    private final RandomExpressions expressions;
    private final RandomSources sources;
    private boolean ordered;
    private String feature;

    private CaseGenerator(final long seed)
    {
        this.seed = seed;
        random = new Random(seed);
        wide = chance(45);
        expressions = new RandomExpressions(random, wide);
        sources = new RandomSources(random, wide);
    }

    /**
     * Creates rules, without input.
     *
     * @param seed determines the result
     * @return a case without expectation
     */
    public static CaseFile rules(final long seed)
    {
        return new CaseGenerator(seed).make();
    }

    /**
     * Creates input for a case.
     *
     * @param seed determines the result
     */
    public static List<Interpreter.Arrival> arrivals(final CaseFile file, final long seed)
    {
        return arrivals(file, seed, false);
    }

    /**
     * Creates input for a case. One in three has mostly strings that never repeat, so that state must release them.
     *
     * @param seed       determines the result
     * @param totalOrder whether no two rows of an input have the same time
     */
    public static List<Interpreter.Arrival> arrivals(final CaseFile file, final long seed, final boolean totalOrder)
    {
        return new RandomInput(new Random(seed), totalOrder, Math.floorMod(seed >>> 8, 3) == 0).make(file.inputs());
    }

    private CaseFile make()
    {
        final ExtendedStatements later = new ExtendedStatements(seed, wide);
        final String text = later.isChosen() ? later(later) : statement();
        rules.add(new Interpreter.Rule("q1", false, text, List.of()));
        final List<Interpreter.Input> inputs = new ArrayList<>();
        final String all = rules.stream().map(Interpreter.Rule::text).reduce("", (a, b) -> a + " " + b);
        final String schema = wide ? WIDE : STREAM;
        for (final String name : new String[] {"S", "R"})
        {
            if (all.matches("(?s).*\\b" + name + "\\b.*"))
            {
                inputs.add(CaseFile.input(name, false, schema));
            }
        }
        if (all.matches("(?s).*\\bT\\b.*") && !"pattern".equals(feature))
        {
            inputs.add(CaseFile.input("T", true, random.nextBoolean() ? schema : schema + ", primary key(k)"));
        }
        return new CaseFile("generated-" + seed, "generated, seed " + seed, feature, inputs, List.copyOf(rules),
            List.of(), Map.of(), ordered, null);
    }

    private String later(final ExtendedStatements forms)
    {
        feature = "later-form";
        final String text = forms.statement();
        rules.addAll(forms.views());
        return text;
    }

    private String statement()
    {
        switch (random.nextInt(16))
        {
            case 0:
                return plain();
            case 1:
            case 2:
                return "select " + expressions.list("S") + " from " + sources.source("S", 9) + where("S") + order();
            case 3:
            case 4:
                return streamed(grouped());
            case 5:
            case 6:
                return streamed(joined());
            case 7:
                return sets();
            case 8:
                return views();
            case 9:
                return top();
            case 10:
                return differences();
            case 11:
                return shared();
            default:
                feature = "pattern";
                final RandomPatterns patterns = new RandomPatterns(random);
                final String text = patterns.statement();
                ordered = patterns.isOrdered();
                rules.addAll(patterns.views());
                return text;
        }
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

    private String where(final String... aliases)
    {
        return chance(60) ? " where " + expressions.condition(2, aliases) : "";
    }

    private String streamed(final String body)
    {
        final String every = chance(6) ? " evaluate every " + sources.time() : "";
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
            return "select " + expressions.list("S") + (chance(15) ? ", S.element_time as et" : "") + " from S"
                + where("S");
        }
        if (chance(25))
        {
            return streamed("select " + pick("10 / S.v as e0, S.k", "S.x / S.v as e0", "S.v / (S.k - 1) as e0",
                "S.k, mod(S.v, S.k - 2) as e0") + " from " + sources.source("S", 5)
                + pick("", " where 6 / S.v > 1", " where S.x / S.v > 0.5 or S.k = 2", where("S")));
        }
        return streamed("select " + (chance(40) ? "distinct " : "") + expressions.list("S") + " from "
            + sources.source("S", 5) + where("S"));
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
        final String from = " from " + sources.source("S", 6) + where("S");
        final String having = chance(30)
            ? " having " + pick("count(*) > 1", "n > 1", "sum(S.v) > 5", "max(S.v) is not null and n < 4",
                "max(S.v) - min(S.v) > 2", "n in (1, 3)", "not (avg(S.v) <= 4)") : "";
        if (chance(25))
        {
            return "select " + count() + " as n, " + aggregates + from + having;
        }
        if (chance(12))
        {
            return "select S.v / 3 as g, count(*) as n, " + aggregates + from + " group by S.v / 3" + having;
        }
        if (chance(8))
        {
            return "select S.k, first(S.v) as f, last(S.c) as l, listagg(S.c) as t from S" + pick("", " [range 3]",
                " [rows 3]", " [range 2 slide 1]", " [partition by v rows 1]") + " as S group by S.k";
        }
        final String keys = wide && chance(30) ? pick("S.ok", "S.de", "S.bi, S.k", "S.iv", "S.ts", "S.fl")
            : pick("S.k", "S.c", "S.k, S.c", "S.k", "S.x");
        return "select " + (chance(15) ? "distinct " : "") + keys + ", " + count() + " as n, " + aggregates + from
            + " group by " + keys + having;
    }

    /** One of two notations. Draws no random number, so that a seed keeps its statement. */
    private String count()
    {
        return seed % 3 == 0 ? "count()" : "count(*)";
    }

    private String condition(final String a, final String b)
    {
        return pick("$.k = #.k", "$.k = #.k and $.v <= #.v", "$.c = #.c", "$.k = #.k", "$.v < #.v",
            "$.k = #.k and $.c = #.c", "$.k = #.k or $.v = #.v", "$.x = #.x and $.k <> #.k", "$.v = #.v + 1",
            wide ? "$.bi = #.v" : "$.v = #.k", wide ? "$.de = #.de" : "$.c < #.c", wide ? "$.ok = #.ok" : "$.k < #.v",
            wide ? "$.fl = #.x and $.k = #.k" : "$.x > #.v").replace("$", a).replace("#", b);
    }

    private String joined()
    {
        feature = "join";
        if (chance(45))
        {
            if (chance(25))
            {
                return "select S.v, R.k, U.v as w from " + sources.source("S", 9) + ", " + sources.source("R", 5)
                    + ", S" + sources.window() + " as U where " + condition("S", "R") + " and " + condition("U", "R")
                    + (chance(20) ? " and U.v <> S.v" : "");
            }
            return "select S.k, S.v, R.v as w, R.c from " + sources.source("S", 9) + ", " + sources.source("R", 5)
                + " where " + condition("S", "R") + (chance(40) ? " and " + expressions.condition(1, "S", "R") : "");
        }
        feature = "outer-join";
        if (chance(20))
        {
            return "select S.k, S.v, U.v as w, U.o as p from S [now] as S left outer join S " + pick("[range 3]",
                "[rows 3]", "[partition by k rows 2]", "[range 5 slide 1]") + " as U on " + condition("S", "U")
                + where("S", "U");
        }
        final String side = pick("left", "right");
        final String first = sources.source("S", 9) + " " + side + " outer join " + sources.source("R", 5) + " on "
            + (chance(15) ? "R.k = S.k and R.x is null" : condition("S", "R"));
        if (chance(25))
        {
            return "select S.k, S.v, R.k as l, U.v as w from " + first + " " + pick("left", "right")
                + " outer join S" + sources.window() + " as U on " + condition(pick("S", "R"), "U")
                + where("S", "R", "U");
        }
        return "select S.k, S.v, R.k as l, R.v as w from " + first + where("S", "R");
    }

    private String operand(final String columns)
    {
        final String name = pick("S", "R", "S", "T");
        return "(select " + (chance(10) ? "distinct " : "") + columns.replace("$", name) + " from " + name
            + (name.equals("T") ? "" : sources.window()) + where(name) + ")";
    }

    private String sets()
    {
        feature = "set-op";
        final String columns = wide && chance(40)
            ? pick("$.bi", "$.de, $.k", "$.ts", "$.iv, $.ok", "$.fl", "$.ok, $.c")
            : pick("$.k", "$.k, $.c", "$.v", "$.x, $.k");
        final String widened = columns.equals("$.v") && chance(40) ? "$.x" : columns;
        String body = operand(columns) + " " + pick(SETS) + " " + operand(widened);
        if (chance(25))
        {
            body = "(" + body + ") " + pick(SETS) + " " + operand(columns);
        }
        else if (chance(20))
        {
            body = operand(columns) + " " + pick(SETS) + " (" + body + ")";
        }
        return streamed(body);
    }

    private void view(final String id, final String text, final boolean named)
    {
        rules.add(new Interpreter.Rule(id, true, text, named ? List.of("k", "v", "x", "c", "o") : List.of()));
    }

    private String views()
    {
        feature = "view";
        final boolean stream = chance(50);
        view("w1", stream
            ? pick("IStream(", "RStream(", "DStream(") + "select " + VIEW_COLUMNS + " from S" + sources.window()
                + where("S") + ")"
            : "select " + VIEW_COLUMNS + " from " + sources.source("S", 4) + where("S"), chance(70));
        String from = stream ? "w1" + sources.timed() + " as S" : "w1 as S";
        if (chance(30))
        {
            final boolean again = chance(40);
            final RandomExpressions narrow = new RandomExpressions(random);
            view("w2", (again ? pick("IStream(", "RStream(") : "") + "select S.k + 1 as k, S.v, S.x, S.c, S.o from "
                + from + " where " + narrow.condition(1, "S") + (again ? ")" : ""), chance(70));
            // Without windows, the second view is also a stream.
            from = again ? "w2" + sources.timed() + " as S" : "w2 as S";
        }
        return over(from);
    }

    private String over(final String from)
    {
        final RandomExpressions narrow = new RandomExpressions(random);
        final String where = chance(60) ? " where " + narrow.condition(2, "S") : "";
        switch (random.nextInt(6))
        {
            case 0:
                return streamed("select " + narrow.list("S") + " from " + from + where);
            case 1:
                return streamed("select S.k, count(*) as n, " + narrow.aggregates("S") + " from " + from
                    + " group by S.k");
            case 2:
                return streamed("select S.k, S.v, R.v as w from " + from + ", R" + sources.window()
                    + " as R where S.k = R.k");
            case 3:
                return streamed("select D.k, D.m, R.v from (select S.k, max(S.v) as m from " + from
                    + " group by S.k) as D, R" + sources.window() + " as R where D.k = R.k");
            case 4:
                return streamed("select D.n, count(*) as m from (select S.k, count(*) as n from " + from + where
                    + " group by S.k) as D group by D.n");
            default:
                return streamed("select D.k, D.m from (select S.k, max(S.v) as m from " + from
                    + " group by S.k) as D where D.m > 3 or D.k is null");
        }
    }

    /** Two queries over one view, which may share computations. */
    private String shared()
    {
        feature = "two-queries";
        final boolean stream = chance(50);
        view("w1", stream ? "IStream(select " + VIEW_COLUMNS + " from S" + sources.window() + where("S") + ")"
            : "select " + VIEW_COLUMNS + " from " + sources.source("S", 4) + where("S"), true);
        rules.add(new Interpreter.Rule("q2", false, over(stream ? "w1" + sources.timed() + " as S" : "w1 as S"),
            List.of()));
        return over(chance(30) ? "S" + sources.timed() + " as S"
            : stream ? "w1" + sources.timed() + " as S" : "w1 as S");
    }

    private String top()
    {
        feature = "top-n";
        final String direction = pick("", " desc", " desc nulls last", " nulls first");
        if (chance(25))
        {
            return streamed("select D.k, D.v, D.x from (select S.k, S.v, S.x, row_number() over ("
                + pick("", "partition by S.k ", "partition by S.k, S.c ") + "order by S.v" + direction + ", S.k"
                + pick("", " desc") + ", S.x) as n from " + sources.source("S", 5) + where("S") + ") as D where "
                + pick("D.n <= 1", "n = 1", "D.n < 3", "3 >= n") + pick("", " and D.v <> 2", " and D.x > D.v"));
        }
        return streamed("select S.k, S.v, S.x from " + sources.source("S", 5) + where("S") + " order by "
            + (chance(20) ? "S.c, " : "") + "S.v" + direction + ", S.k" + pick("", " desc") + ", S.x rows "
            + number(1, 3) + (chance(40) ? " partition by " + pick("S.k", "S.k, S.c") : ""));
    }

    private String differences()
    {
        feature = "difference-using";
        return pick("IStream", "DStream") + "(select S.k, S.v, S.c as d from " + sources.source("S", 3) + where("S")
            + ") difference using (" + pick("k", "1", "k, d", "d, 2", "v") + ")"
            + (chance(10) ? " evaluate every " + sources.time() : "");
    }
}
