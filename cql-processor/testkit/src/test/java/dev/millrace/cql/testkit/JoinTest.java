package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random joins over several streams and relations, one of which may have only heartbeats: the engine compared with the
 * interpreter, with restarts in between. K has a primary key, B has none; some of their changes refer to rows that do
 * not exist.
 */
@Tag("slow")
@Timeout(180)
class JoinTest
{
    private static final int STATEMENTS = 40;
    private static final int INPUTS = 4;
    private static final long STEP_NS = 250_000_000L;
    private static final List<String> NAMES = List.of("S", "R", "T", "K", "B");
    private static final List<String> RELATIONS = List.of("K", "B");
    private static final List<Interpreter.Input> SOURCES = NAMES.stream().map(name -> new Interpreter.Input(name,
        RELATIONS.contains(name), List.of("k", "v", "c", "d", "de"),
        List.of(Type.INT, Type.INT, Type.CHAR, Type.DOUBLE, name.equals("B") ? Type.BIGINT : Type.BIGDECIMAL),
        name.equals("K") ? List.of("c", "k") : List.of())).toList();

    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 20_261_124, 3_000_000_007L})
    void shouldJoinAsTheInterpreterDoes(final long first) throws CqlException
    {
        int inUnits = 0;
        for (long seed = first; seed < first + STATEMENTS; seed++)
        {
            random = new Random(seed);
            final List<Interpreter.Rule> rules = rules();
            final boolean totalOrder = random.nextBoolean();
            final EngineRunner engine = new EngineRunner(SOURCES, rules,
                new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, totalOrder));
            inUnits += engine.queriesInUnits();
            for (int i = 0; i < INPUTS; i++)
            {
                compare(seed, rules, engine, arrivals(totalOrder));
            }
        }
        assertThat(inUnits).isEqualTo(STATEMENTS);
    }

    private void compare(final long seed, final List<Interpreter.Rule> rules, final EngineRunner engine,
        final List<Interpreter.Arrival> arrivals)
    {
        final Interpreter interpreter = new Interpreter(SOURCES, rules);
        final List<CaseRow> want = interpreter.run(arrivals).outputs().get("q").stream().map(row ->
            CaseRow.of(row.timeNs(), row.kind(), row.values(), interpreter.types("q"))).toList();
        final int batch = 1 + random.nextInt(20);
        final Set<Integer> restarts = random.nextBoolean() ? Set.of() : Restarts.some(random, arrivals.size());
        final List<CaseRow> found = engine.run(arrivals, batch, restarts).rows().getOrDefault("q", List.of());
        assertThat(Comparison.difference(found, want, interpreter.isStream("q"), false))
            .as("seed %d %s, restarts before %s", seed, rules, restarts).isNull();
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private String window()
    {
        return pick("[now]", "[now]", "[range 1]", "[range 2]", "[range 750 milliseconds]", "[range 3]",
            "[range unbounded]", "[range 2 slide 1]", "[range 3 slide 3]", "[rows 3]", "[partition by k rows 2]");
    }

    private List<Interpreter.Rule> rules()
    {
        final List<Interpreter.Rule> rules = new ArrayList<>();
        final String statement = switch (random.nextInt(6))
        {
            case 0 -> outer();
            case 1 -> three();
            case 2 -> grouped(rules);
            case 3 -> "select s.k as k, count(*) as n, " + pick("sum(r.v)", "max(r.v)", "min(s.d)",
                "max(s.d) - min(r.v)", "count(distinct r.c)", "max(r.v) - min(r.v) + count(distinct r.v)") +
                " as x from " + from() + pick("", "", " and r.v > 1") + " group by s.k";
            default -> "select s.k as a, r.v as b, s.c as c, " + pick("s.d", "r.d", "r.d + s.d", "s.de", "r.k") +
                " as e from " + from();
        };
        rules.add(new Interpreter.Rule("q", false,
            switch (random.nextInt(5))
            {
                case 0 -> "DStream(" + statement + ')';
                case 4 -> "RStream(" + statement.replaceFirst("S\\[[^]]*]", "S[now]") + ')';
                case 1 -> statement;
                default -> "IStream(" + statement + ')';
            }, List.of()));
        return rules;
    }

    private String from()
    {
        return rows("S") + " as s, " + rows(pick("S", "R", "R", "K", "K", "B")) + " as r where " +
            condition("s", "r");
    }

    /** A relation, or a window over a stream. */
    private String rows(final String source)
    {
        return RELATIONS.contains(source) ? source : source + window();
    }

    private String condition(final String a, final String b)
    {
        final List<String> all = new ArrayList<>();
        all.add(switch (random.nextInt(8))
        {
            case 6, 7 -> range(a, b);
            case 0 -> a + ".c = " + b + ".c";
            case 1 -> a + ".k = " + b + ".k and " + a + ".c = " + b + ".c";
            case 2 -> a + ".v < " + b + ".v";
            case 3 -> a + ".d = " + b + ".d";
            default -> a + ".k = " + b + ".k";
        });
        if (random.nextInt(3) == 0)
        {
            all.add(pick(a + ".v <= " + b + ".v", a + ".v + " + b + ".v > 6", a + ".v > 1", b + ".c = 'a'",
                a + ".de < " + b + ".de", a + ".d <> " + b + ".d"));
        }
        return String.join(" and ", all);
    }

    /** Conditions without equality of columns, by which rows are found in order. */
    private String range(final String a, final String b)
    {
        return pick(a + ".v between " + b + ".v - 1 and " + b + ".v + 1", a + ".v >= " + b + ".v",
            a + ".v between " + b + ".k and " + b + ".v", b + ".v + 1 = " + a + ".v + 2",
            a + ".d > " + b + ".d and " + a + ".d < " + b + ".d + 1", a + ".d <= " + b + ".v",
            a + ".v < " + b + ".v and " + a + ".v > " + b + ".k and " + a + ".k <> " + b + ".v",
            a + ".v > " + b + ".k and " + a + ".k < " + b + ".v and " + a + ".c <> " + b + ".c",
            a + ".v * 700000000 < " + b + ".v + 700000000 and " + a + ".v * 700000000 > " + b + ".k");
    }

    private String outer()
    {
        return "select s.k as a, r.k as b, r.v as c, s.c as d, r.de as e from S" + window() + " as s " +
            pick("left", "right") + " outer join " + rows(pick("R", "R", "K", "B")) + " as r on " +
            condition("s", "r") + pick("", "", " where s.v > 2", " where r.v is null");
    }

    private String three()
    {
        return "select s.k as a, r.v as b, t.v as c from S" + window() + " as s, " + rows(pick("R", "K")) +
            " as r, " + rows(pick("T", "B")) + " as t where " + condition("s", "r") + " and " +
            condition(pick("s", "r"), "t");
    }

    /** Groups joined with rows, or with another group. */
    private String grouped(final List<Interpreter.Rule> rules)
    {
        rules.add(new Interpreter.Rule("G", true,
            "select k as k, count(*) as n, " + pick("sum(v)", "max(v)", "min(d)") + " as x from " +
            rows(pick("S", "S", "K", "B")) + " group by k", List.of("k", "n", "x")));
        rules.add(new Interpreter.Rule("H", true, pick("select count(*) as n, sum(k) as x from R" + window(),
            "select max(n) as n, min(x) as x from G", "select min(n) as n, max(x) as x from G where k > 0"),
            List.of("n", "x")));
        return pick("select r.v as a, G.n as b from R" + window() + " as r, G where r.k = G.k",
            "select G.k as a, G.n as b, H.x as c from G, H where G.n = H.n",
            "select G.k as a, G.n as b, H.x as c from G, H where G.n >= H.n",
            "select G.k as a, G.x as b, H.x as c from G, H where G.n <= H.n");
    }

    private List<Interpreter.Arrival> arrivals(final boolean totalOrder)
    {
        final int silent = random.nextInt(8);
        final List<List<Interpreter.Arrival>> all = new ArrayList<>();
        for (int i = 0; i < NAMES.size(); i++)
        {
            final List<Interpreter.Arrival> one = new ArrayList<>();
            final List<Object[]> present = new ArrayList<>();
            long timeNs = random.nextInt(4) * STEP_NS;
            for (int row = 0; row < 12; row++)
            {
                if (i != silent)
                {
                    one.add(arrival(timeNs, NAMES.get(i), present));
                }
                final long stepNs = (random.nextInt(5) + (totalOrder ? 1 : 0)) * STEP_NS;
                timeNs += stepNs;
                if (stepNs > 0 && random.nextInt(5) == 0)
                {
                    one.add(new Interpreter.Arrival(timeNs - 1, NAMES.get(i), 'h', new Object[0]));
                }
            }
            one.add(new Interpreter.Arrival(timeNs + random.nextInt(30) * STEP_NS, NAMES.get(i), 'h', new Object[0]));
            all.add(one);
        }
        final List<Interpreter.Arrival> merged = new ArrayList<>();
        while (!all.isEmpty())
        {
            final List<Interpreter.Arrival> one = all.get(random.nextInt(all.size()));
            merged.add(one.remove(0));
            all.removeIf(List::isEmpty);
        }
        return merged;
    }

    /** A change of a relation that keeps its key, or one of a row that does not exist. */
    private Interpreter.Arrival arrival(final long timeNs, final String source, final List<Object[]> present)
    {
        final Object[] row = row();
        if (!RELATIONS.contains(source))
        {
            return new Interpreter.Arrival(timeNs, source, '+', row);
        }
        row[4] = source.equals("K") ? row[4] : (Object)(long)random.nextInt(2);
        final Object[] before = present.stream().filter(each -> source.equals("K") ?
            Objects.equals(each[0], row[0]) && Objects.equals(each[2], row[2]) : Arrays.equals(each, row))
            .findFirst().orElse(null);
        final int what = random.nextInt(12);
        if (what < 3 && !present.isEmpty())
        {
            return new Interpreter.Arrival(timeNs, source, '-', present.remove(random.nextInt(present.size())));
        }
        if (before == null && what == 3)
        {
            return new Interpreter.Arrival(timeNs, source, pick("-", "U").charAt(0), row);
        }
        final boolean isUpdate = before != null && source.equals("K");
        if (isUpdate)
        {
            present.remove(before);
        }
        present.add(row);
        return new Interpreter.Arrival(timeNs, source, isUpdate ? 'U' : '+', row);
    }

    private Object[] row()
    {
        final Object[] row = {random.nextInt(3), random.nextInt(6), pick("a", "b"), random.nextInt(4) / 2.0,
            new BigDecimal(pick("1.5", "2", "2.0"))};
        for (int i = 0; i < row.length; i++)
        {
            if (random.nextInt(9) == 0)
            {
                row[i] = null;
            }
        }
        return row;
    }
}
