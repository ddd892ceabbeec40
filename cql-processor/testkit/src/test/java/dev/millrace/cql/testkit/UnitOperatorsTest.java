package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.UndefinedResultException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random queries of each kind of operator that run as units, compared with the interpreter: batches of all sizes,
 * repeated and unique times, nulls, late rows and heartbeats, one stream and two, and restarts in between. Seeds are
 * fixed and named by a failure; {@code -Dseed} tries another.
 */
@Tag("slow")
@Timeout(180)
class UnitOperatorsTest
{
    private static final long SEED = 41_000;
    private static final int QUERIES = 60;
    /** In half of them, new engines restore the state of the last one at some points. */
    private static final int INPUTS = 8;
    private static final int[] BATCHES = {1, 3, 8, 64};
    private static final String SCHEMA =
        "k int, v int, b bigint, x double, c char, d boolean, o int, ts timestamp, e bigdecimal";

    private static final Set<Kind> STREAMS = EnumSet.of(Kind.WHOLE, Kind.INSTANT, Kind.DIFFERENCE, Kind.EVALUATE);

    private Random random;

    /** The main operator of a query. */
    private enum Kind
    {
        ROWS, VALUES, KEYED, SESSION, UNTIL, TOP, SORT, DISTINCT, SET, UNION, OUTER, PAIRS,
        WHOLE, INSTANT, DIFFERENCE, EVALUATE, ONE_ROW, WIDE, EXTREME, PARTNER
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private int number(final int most)
    {
        return 1 + random.nextInt(most);
    }

    private String window(final Kind kind)
    {
        return switch (kind)
        {
            case ROWS -> "[rows " + number(4) + pick("", " slide " + number(4)) + ']';
            case VALUES -> pick("[range " + number(5) + " on o]", "[range 2 seconds on ts]",
                "[range 1500 milliseconds on ts]");
            case KEYED -> "[partition by " + pick("k", "c", "k, c", "b", "d, k", "x", "e",
                "e, c") + " rows " + number(3) +
                pick("", "", " range " + pick("1", "2", "750 milliseconds", "5") +
                    pick("", " slide " + pick("1", "2", "1500 milliseconds"))) + ']';
            case SESSION -> "[session gap " + pick("1", "2", "1250 milliseconds") +
                pick("", " partition by k", " partition by k, c", " partition by e") + ']';
            default -> pick("[now]", "[range 1]", "[range 2]", "[range 5]", "[range 3 slide 2]", "[range 2 slide 1]",
                "[range unbounded]", "[rows 3]", "[partition by k rows 2]", "[session gap 2 partition by k]");
        };
    }

    private String where(final String alias)
    {
        return random.nextInt(3) > 0 ? "" : " where " + pick("$.v > 3", "$.c = 'a'", "$.k is not null", "$.d",
            "10 / $.v > 1", "$.x < $.b").replace("$", alias);
    }

    private String columns()
    {
        return pick("s.k as a, s.v as b", "s.v as a", "s.c as a, s.x as b", "s.k as a, s.c as b, s.b as e, s.d as f",
            "s.k as a, 10 / s.v as b", "s.v + s.k as a, s.c || 'z' as b", "s.x as a, s.ts as b, s.o as e",
            "s.e as a, s.c as b", "s.e * 1.10 as a, s.k as b");
    }

    private String select(final String from)
    {
        final String source = " from " + from + " as s" + where("s");
        if (random.nextInt(3) > 0)
        {
            return "select " + columns() + source;
        }
        final String key = pick("s.k", "s.c", "s.k, s.c", "s.b", "s.v", "s.e", "s.e, s.k");
        final String aggregates = pick("count(*) as n", "sum(s.v) as n, max(s.v) as m", "avg(s.x) as n",
            "min(s.b) as n, count(s.c) as m", "count(distinct s.v) as n", "max(s.x) as n, min(s.x) as m",
            "first(s.v) as n, last(s.c) as m");
        return random.nextInt(5) == 0 ? "select " + aggregates + source :
            "select " + key + ", " + aggregates + source + " group by " + key +
            pick("", "", " having count(*) > 1");
    }

    private String relation(final String stream)
    {
        return stream + ' ' + window(random.nextInt(3) == 0 ? Kind.KEYED : Kind.TOP);
    }

    private List<Interpreter.Rule> rules(final Kind kind)
    {
        final List<Interpreter.Rule> rules = new ArrayList<>();
        final String statement = switch (kind)
        {
            case UNTIL ->
            {
                rules.add(new Interpreter.Rule("w", true, "select s.k, s.v, s.b, s.x, s.c, s.d, s.o, s.ts, s.e, " +
                    pick("s.element_time + (nvl(s.v, 3) - 2) * 500000000L",
                    "to_timestamp(s.element_time + nvl(s.k, 0) * 1000000000L)") +
                    " from S as s" + where("s"),
                    List.of("k", "v", "b", "x", "c", "d", "o", "ts", "e", "u")));
                yield select("w [range until u]");
            }
            case TOP -> top();
            case SORT -> pick("select s.k, s.v, s.c, s.b from ", "select s.c, s.k, s.v, s.b from ",
                "select s.e, s.c, s.k from ") +
                pick("S as s", relation("S") + " as s") + where("s") + " order by 1" + pick("", " desc") + ", 2";
            case DISTINCT -> "select distinct " + pick("s.k", "s.k, s.c", "s.x", "s.v / 3 as g", "s.b, s.d", "s.e",
                "s.e, s.c") +
                " from " + relation("S") + " as s" + where("s");
            case SET -> set(pick("union", "except", "minus", "intersect", "in", "not in"));
            case UNION -> set("union all");
            case OUTER -> outer(rules);
            case PAIRS -> pairs();
            case WHOLE -> "RStream(" + select(pick("S [now]", instantless())) + ')';
            case INSTANT -> "RStream(" + pick(select("S [now]") + " order by 1" + pick("", " desc"),
                set("union all").replaceAll("\\[[^\\]]*\\]", "[now]"),
                "select s.k as a, r.v as b from S [now] as s " + pick("left", "right") + " outer join R " +
                window(Kind.TOP) + " as r on s.k = r.k order by 2, 1") + ')';
            case DIFFERENCE -> pick("IStream(", "DStream(") + pick("select s.k, s.v, s.c from ",
                "select s.c, s.b, s.k from ", "select s.k, s.x, s.d from ",
                "select s.e, s.k, s.v from ") + relation("S") + " as s" + where("s") +
                ") difference using (" + pick("1", "k", "2", "1, 3") + ')';
            case EVALUATE -> stream(select(relation("S"))) + " evaluate every " + pick("1", "2", "750 milliseconds");
            case WIDE -> wide(rules);
            case EXTREME -> extreme(rules);
            case PARTNER -> partner();
            default -> select("S " + window(kind));
        };
        rules.add(new Interpreter.Rule("q", false,
            STREAMS.contains(kind) ? statement : stream(statement), List.of()));
        return rules;
    }

    /** Sides that are windows of all kinds, groups, sets, and first rows. */
    private String outer(final List<Interpreter.Rule> rules)
    {
        rules.add(new Interpreter.Rule("G", true, pick("select k as k, count(*) as n, max(v) as v, max(e) as e from " +
            relation("S") + " group by k", "select distinct k, v / 2 as n, v, e from " + relation("R"),
            "select k, o as n, v, e from " + relation("R") + " order by v, o, k rows 3"),
            List.of("k", "n", "v", "e")));
        final String left = pick("G", "G", relation("S"));
        final String right = left.equals("G") ? pick("G", relation("S"), relation("R")) : pick("G", relation("R"));
        return "select s.k as a, r.k as b, s.v as e, r.v as f, s.e as g from " + left + " as s " +
            pick("left", "right") + " outer join " + right + " as r on " + pick("s.k = r.k", "s.k = r.v", "s.v < r.v",
            "s.e = r.e", "s.k = r.k and s.v < r.v", "s.k = r.k and s.v + r.v > 4",
            "s.v between r.v - 1 and r.v + 1", "s.v >= r.k and s.v <= r.v") + pick("", "", " where r.v is null");
    }

    /** Groups and first rows of pairs of time windows, most of them by columns of one side. */
    private String pairs()
    {
        final boolean isGrowing = random.nextInt(3) == 0;
        final String from = " from S " + (isGrowing ? "" : time()) + " as s, " + pick("R ", "R ", "S ") +
            (isGrowing ? "" : time()) + " as r where " + pick("s.k = r.k", "s.k = r.k and s.v < r.v",
            "s.k = r.k and s.o > r.o", "s.c = r.c", "s.v < r.v") + pick("", " and $s.rowtime <= $r.rowtime",
            " and $r.rowtime > $s.rowtime", " and $r.rowtime between $s.rowtime and $s.rowtime + 3000000000L",
            " and $r.rowtime = $s.rowtime").replace("$s", pick("s", "r")).replace("$r", pick("r", "s"));
        if (random.nextInt(4) == 0)
        {
            return "select s.k as a, s.v as b, r.v as e, r.c as f" + from + " order by " + pick("r.v", "r.v desc",
                "s.x desc") + ", s.k, s.v, r.v, r.c rows " + number(3) + pick("", " partition by s.k",
                " partition by s.k, s.c", " partition by r.c");
        }
        final String key = pick("s.k", "s.k, s.v", "r.c", "s.e", "s.c, s.d, s.b", "s.k, r.v", "s.v + s.o");
        final String aggregates = pick("max(r.v) as n", "min(r.v) as n, max(s.b) as m", "max(s.x) as n, count(*) as m",
            "min(r.x) as n, avg(r.v) as m", "max(r.b) as n, count(distinct r.b) as m", "sum(r.v) as n, max(s.ts) as m",
            "min(r.ts) as n, max(r.v) as m, count(r.v) as o", "max(r.v) as n, max(r.c) as m");
        return "select " + (random.nextInt(6) == 0 ? aggregates + from : key.replace("s.v + s.o", "s.v + s.o as h") +
            ", " + aggregates + from + " group by " + key.replace("s.v + s.o", "h"));
    }

    /** Tumbling windows, joined with their own maximum or minimum, or something similar. */
    private String extreme(final List<Interpreter.Rule> rules)
    {
        final String column = pick("v", "b", "x", "ts", "o");
        final String window = pick("[range 2 slide 2]", "[range 3 slide 3]", "[range 1500 milliseconds slide 1500 " +
            "milliseconds]", "[range 4 slide 2]");
        final String other = random.nextInt(6) == 0 ? "[range 2 slide 2]" : window;
        rules.add(new Interpreter.Rule("m", true, "select " + pick("max(", "min(") + pick("s." + column, "s." + column,
            "s." + column, column.equals("v") ? "s.o" : "s." + column) + ") as m from S " + other + " as s" +
            pick("", "", "", " where s.v > 3", " where 10 / s.v > 1"), List.of("m")));
        return "select s.k as a, s.c as b, s." + column + " as e, m.m as f from S " + window +
            " as s, m where s." + column + " = m.m" + pick("", "", " and s.v > 2", " and s.c = 'a'");
    }

    /** Distinct rows of one side of a join, which only depend on the existence of a partner. */
    private String partner()
    {
        final String columns = pick("$.k", "$.k as a, $.c as b", "$.v / 2 as a", "$.e as a, $.k as b")
            .replace("$", pick("s", "r"));
        final String from = " from S " + window(Kind.TOP) + " as s, R " + window(Kind.TOP) + " as r where " +
            pick("s.k = r.k", "s.k = r.v", "s.c = r.c", "s.e = r.e and s.k = r.k", "s.k = r.k and s.v < r.v");
        final String distinct = "select distinct " + columns + from;
        return random.nextInt(3) > 0 ? distinct : "(select " + columns + from + ") " + pick("union", "minus",
            "intersect", "except", "in", "not in") + " (select " + columns.replace("r.", "s.") +
            " from S " + window(Kind.TOP) + " as s)";
    }

    private String time()
    {
        return pick("[now]", "[range 1]", "[range 2]", "[range 5]", "[range 750 milliseconds]", "[range 3 slide 2]",
            "[range 2 slide 1]", "[range 4 slide 4]", "[range unbounded]");
    }

    /** Rows of more columns than a long has bits. */
    private String wide(final List<Interpreter.Rule> rules)
    {
        final List<String> columns = new ArrayList<>();
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < 65 + random.nextInt(35); i++)
        {
            columns.add(pick("s.k", "s.v", "s.b", "s.x", "s.c", "s.d", "s.e", "s.ts", "s.b + " + i, "s.v * " + i));
            names.add("w" + i);
        }
        final String last = names.get(names.size() - 1);
        columns.set(0, "s.k");
        rules.add(new Interpreter.Rule("w", true, "select " + String.join(", ", columns) + " from S as s", names));
        final String rows = "w " + window(Kind.TOP).replace("by k", "by w0");
        return pick("select * from " + rows, "select distinct * from " + rows, "(select * from " + rows +
            ") except (select * from w [range 2])", "(select * from " + rows + ") union all (select * from w [rows 2])",
            "select * from " + rows + " order by w0, " + last + ", w1, w2, w3, w4 rows 3",
            "select " + last + ", count(*) as n, max(w0) as m from " + rows + " group by " + last,
            "select a.*, b.v as z from " + rows + " as a, S [range 2] as b where a.w0 = b.k");
    }

    private String instantless()
    {
        return "S " + pick("[range 2]", "[range 3 slide 2]", "[rows 3]", "[partition by k rows 2]",
            "[range unbounded]");
    }

    private String top()
    {
        final String order = " order by " + pick("s.v", "s.v desc", "s.c, s.v", "s.c desc, s.k", "s.x desc nulls last",
            "s.b nulls first, s.d", "s.ts desc", "s.e", "s.e desc, s.c") + ", s.k, s.o rows " + number(4) +
            pick("", " partition by s.k", " partition by s.c, s.d");
        if (random.nextInt(4) == 0)
        {
            return "select s.n, s.k from (select t.k, count(*) as n from " + relation("S") +
                " as t group by t.k) as s order by s.n" + pick("", " desc") + ", s.k rows " + number(2);
        }
        return "select s.k, s.v, s.c" + pick("", ", s.x", ", s.e") + " from " + relation("S") + " as s" + where("s") +
            order;
    }

    private String set(final String operation)
    {
        final String columns = pick("$.k", "$.k, $.c", "$.v", "$.x, $.b", "$.d, $.c", "$.e", "$.e, $.k");
        return "(select " + columns.replace("$", "s") + " from " + relation("S") + " as s" + where("s") + ") " +
            operation + " (select " + columns.replace("$", "r") + " from " + relation(pick("R", "R", "S")) + " as r" +
            where("r") + ')';
    }

    private String stream(final String text)
    {
        return switch (random.nextInt(4))
        {
            case 0 -> "IStream(" + text + ')';
            case 1 -> "DStream(" + text + ')';
            default -> text;
        };
    }

    /** Rows whose last column is their time. */
    private static List<Interpreter.Arrival> timed(final List<Interpreter.Arrival> arrivals)
    {
        final List<Interpreter.Arrival> timed = new ArrayList<>();
        for (final Interpreter.Arrival arrival : arrivals)
        {
            final Object[] values = arrival.values() == null ? null : arrival.values().clone();
            if (values != null && values.length > 0)
            {
                values[values.length - 1] = arrival.timeNs();
            }
            timed.add(new Interpreter.Arrival(arrival.timeNs(), arrival.input(), arrival.kind(), values));
        }
        return timed;
    }

    private int compare(final Kind kind, final long seed) throws Exception
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        final List<Interpreter.Rule> rules = rules(kind);
        final boolean totalOrder = random.nextInt(3) == 0;
        final String schema = kind == Kind.PAIRS ? SCHEMA + ", " + CompiledCase.TIME_COLUMN + " bigint" : SCHEMA;
        final CaseFile file = new CaseFile("unit-" + seed, "generated", "units",
            List.of(CaseFile.input("S", false, schema), CaseFile.input("R", false, schema)), rules, List.of(),
            Map.of(), false, null);
        final EngineRunner engine =
            new EngineRunner(file, new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, totalOrder));
        final Reference reference = new Reference(file);
        for (int i = 0; i < INPUTS; i++)
        {
            final List<Interpreter.Arrival> arrivals = CaseGenerator.arrivals(file, seed * 31 + i, totalOrder);
            final CaseFile input = file.over(kind == Kind.PAIRS ? timed(arrivals) : arrivals);
            final Map<String, List<CaseRow>> wanted;
            try
            {
                wanted = reference.run(input.arrivals()).rows();
            }
            catch (final UndefinedResultException open)
            {
                continue;
            }
            final int batch = BATCHES[i % BATCHES.length];
            final Set<Integer> restarts = i < INPUTS / 2 ? Set.of() : Restarts.some(random, input.arrivals().size());
            final List<CaseRow> got =
                engine.run(input.arrivals(), batch, restarts).rows().getOrDefault("q", List.of());
            final String difference = Comparison.difference(
                got, wanted.getOrDefault("q", List.of()), reference.isStream("q"), false);
            assertThat(difference).as("%s, seed %d, %s, batches of %d, unique times %s, restarts before %s%n%s", kind,
                seed, rules, batch, totalOrder, restarts, difference == null ? "" : input.toYaml()).isNull();
        }
        return engine.queriesInUnits();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldGiveWhatTheInterpreterGives(final Kind kind) throws Exception
    {
        final Long given = Long.getLong("seed");
        final long first = given == null ? SEED : given;
        int inUnits = 0;
        for (long seed = first; seed < first + QUERIES; seed++)
        {
            inUnits += compare(kind, seed);
        }
        System.out.println(kind + ": " + inUnits + " of " + QUERIES + " queries in units, seed " + first);
        assertThat(inUnits).isEqualTo(QUERIES);
    }
}
