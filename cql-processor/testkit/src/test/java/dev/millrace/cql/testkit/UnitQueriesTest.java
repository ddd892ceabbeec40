package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.UndefinedResultException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random queries that run as units, compared with the interpreter: batches of all sizes, repeated and unique times,
 * nulls, late rows and heartbeats, and restarts in between. Seeds are fixed and printed; {@code -Dseed} tries another.
 */
@Tag("slow")
@Timeout(180)
class UnitQueriesTest
{
    private static final long[] SEEDS = {1, 77_000, 20_261_124L};
    private static final int QUERIES = 40;
    /** In half of them, new engines restore the state of the last one at some points. */
    private static final int INPUTS = 8;
    private static final int[] BATCHES = {1, 3, 8, 64};
    private static final String SCHEMA = "k int, v int, b bigint, x double, f float, c char, d boolean";
    private static final String[] KEYS = {"k", "c", "b", "d", "v"};
    private static final String[] AGGREGATES = {"count(*)", "count(v)", "count(c)", "sum(v)", "avg(v)", "sum(b)",
        "avg(b)", "sum(x)", "avg(x)", "sum(f)", "avg(f)", "min(v)", "max(v)", "min(x)", "max(x)", "max(b)", "min(b)",
        "count(distinct v)", "count(distinct c)", "count(distinct b)", "count(*) filter (where v > 2)",
        "sum(v) filter (where d)", "max(x) filter (where c = 'a')", "count(distinct c) filter (where v < 4)",
        "sum(b) filter (where v > 1)", "min(b) filter (where d)", "avg(b) filter (where c = 'a')",
        "count(case when v > 2 then 1 end)", "sum(case when d then x end)", "max(case when c = 'a' then v end)",
        "sum(distinct v)", "avg(distinct b)", "min(c)", "max(c)", "first(v)", "last(c)", "variance(x)",
        "listagg(c)", "sum(cast(v as bigdecimal))", "avg(cast(b as bigdecimal))", "max(cast(v as bigdecimal))"};
    /** Counts of distinct values, which may share state. */
    private static final String[] DISTINCTS = {"count(distinct $)", "count(distinct $) filter (where v > 2)",
        "count(distinct $) filter (where d)", "count(distinct $) filter (where k in (1, 3))",
        "count(distinct case when v < 4 then $ end)", "count(distinct case when c = 'a' then $ end)",
        "count(distinct $) filter (where $ is null)", "count(distinct $) filter (where v > 2 or x < 1)"};
    private static final String[] WINDOWS = {"", "[now]", "[range 1]", "[range 2]", "[range 5]",
        "[range 2 slide 1]", "[range 4 slide 2]", "[range 3 slide 3]", "[range 3 slide 2]",
        "[range 5 slide 500 milliseconds]", "[range 1750 milliseconds slide 1]", "[range 500 milliseconds slide 2]",
        "[range unbounded]"};
    private static final String[] CONDITIONS = {"v > 2", "c = 'a'", "c < 'b'", "c like 'a|b'", "x < b", "mod(v, 3) = 1",
        "k in (1, 2)", "c in ('a', 'c')", "lower(c) = 'a'", "length(c || c) = 2", "upper(c) in ('A', 'B')",
        "c || 'x' like 'ax|b'", "case when lower(c) = 'a' then 'x' when v > 2 then c end = 'x'",
        "v is not null and b is null", "d or k = 1", "case when v > 2 then 1 end = 1"};
    private static final String[] EXPRESSIONS = {"v + 1", "k", "v", "b * 2", "x", "f", "c", "d", "c || 'z'",
        "case when v > 2 then c else 'low' end", "cast(v as bigint)", "b - v", "lower(c)", "length(c)",
        "case when c = 'a' then 'low' when v > 2 then upper(c) end", "upper(c) || c",
        "case when lower(c) = 'b' then 1 when c like 'a' then 2 end", "case when d then 'd' else c || 'y' end"};
    private static final String[] HAVINGS = {"count(*) > 1", "sum(v) > 5", "max(v) < 4", "count(*) - 2 > count(v)"};

    private Random random;

    private String one(final String[] of)
    {
        return of[random.nextInt(of.length)];
    }

    private List<String> some(final String[] of, final int most)
    {
        final List<String> some = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i >= 0; i--)
        {
            final String next = one(of);
            if (!some.contains(next))
            {
                some.add(next);
            }
        }
        return some;
    }

    private String query()
    {
        final String where = random.nextInt(3) == 0 ? " where " + one(CONDITIONS) : "";
        final String from = " from S " + one(WINDOWS) + where;
        if (random.nextInt(4) == 0)
        {
            final List<String> columns = some(EXPRESSIONS, 3);
            return stream("select " + named(columns) + from);
        }
        final List<String> keys = random.nextInt(6) == 0 ? List.of() : some(KEYS, 2);
        final List<String> columns = new ArrayList<>(random.nextInt(5) == 0 ? List.of() : keys);
        if (random.nextInt(5) == 0)
        {
            final String column = one(KEYS);
            some(DISTINCTS, 6).forEach(each -> columns.add(each.replace("$", column)));
        }
        columns.addAll(some(AGGREGATES, 4));
        if (random.nextInt(5) == 0)
        {
            columns.add("count(*) * 2 + 1");
        }
        if (from.contains("slide") && random.nextInt(2) == 0)
        {
            columns.add(random.nextBoolean() ? "window_end()" : "window_start()");
        }
        final String having = random.nextInt(4) == 0 ? " having " + one(HAVINGS) : "";
        return stream("select " + named(columns) + from +
            (keys.isEmpty() ? "" : " group by " + String.join(", ", keys) + having));
    }

    private static String named(final List<String> columns)
    {
        final List<String> named = new ArrayList<>();
        columns.forEach(column -> named.add(column + " as n" + named.size()));
        return String.join(", ", named);
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

    private int compare(final long seed) throws Exception
    {
        random = new Random(seed);
        final String text = query();
        final boolean totalOrder = random.nextInt(3) == 0;
        final CaseFile file = new CaseFile("unit-" + seed, "generated", "units",
            List.of(CaseFile.input("S", false, SCHEMA)), List.of(new Interpreter.Rule("q", false, text, List.of())),
            List.of(), Map.of(), false, null);
        final EngineRunner engine =
            new EngineRunner(file, new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, totalOrder));
        final Reference reference = new Reference(file);
        for (int i = 0; i < INPUTS; i++)
        {
            final CaseFile input = file.over(CaseGenerator.arrivals(file, seed * 31 + i, totalOrder));
            final Map<String, List<CaseRow>> wanted;
            try
            {
                wanted = reference.run(input.arrivals()).rows();
            }
            catch (final UndefinedResultException open)
            {
                continue;
            }
            final Map<String, List<CaseRow>> got =
                engine.run(input.arrivals(), BATCHES[i % BATCHES.length], i < INPUTS / 2 ? Set.of() :
                Restarts.some(random, input.arrivals().size())).rows();
            final String difference = Comparison.difference(got.getOrDefault("q", List.of()),
                wanted.getOrDefault("q", List.of()), reference.isStream("q"), false);
            assertThat(difference).as("seed %d, %s, batches of %d, unique times %s%n%s", seed, text,
                BATCHES[i % BATCHES.length], totalOrder, difference == null ? "" : input.toYaml()).isNull();
        }
        return engine.queriesInUnits();
    }

    @Test
    void shouldGiveWhatTheInterpreterGives() throws Exception
    {
        final Long given = Long.getLong("seed");
        int inUnits = 0;
        int queries = 0;
        for (final long first : given == null ? SEEDS : new long[] {given})
        {
            for (long seed = first; seed < first + QUERIES; seed++)
            {
                queries++;
                inUnits += compare(seed);
            }
        }
        System.out.println(inUnits + " of " + queries + " queries in units, seeds " +
            (given == null ? List.of(SEEDS[0], SEEDS[1], SEEDS[2]) : given));
        assertThat(inUnits).isEqualTo(queries);
    }
}
