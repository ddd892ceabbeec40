package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Relations between results of the engine that need no reference: invariants under known changes of input or statement.
 * Seeds are printed with a failure. A case is a statement with an input; the build tries 160 of each relation, 2,080 in
 * all, and {@code -Dcases=10000} tries this number of each.
 * <ul>
 * <li>(a) the results for a condition, its negation and its unknown part together are all rows (ternary logic
 *     partitioning);
 * <li>(b) an input that is split in two and united again is equal to the input;
 * <li>(c) a condition that is always true changes nothing;
 * <li>(d) shifted times shift the output;
 * <li>(e) the order of rows of one instant does not matter in time windows;
 * <li>(f) the results of each key alone are those of all keys together;
 * <li>(g) the size of batches does not matter;
 * <li>(h) additional heartbeats change nothing;
 * <li>(j) the rows that are filtered, joined or selected by HAVING are those for which the condition is true when it is
 *     only computed, after everything else (non-optimizing reference), without any rewrite, hash join or early filter;
 *     and fused pipelines emit the same rows as flows.
 * </ul>
 *
 * <p>(i), a snapshot taken and restored in the middle, does not apply: engines have no snapshots yet. The closest
 * equivalent, state that is transferred when a rule is replaced by itself, is tested with running processors
 * (LiveRulesTest).
 */
@Tag("slow")
@Timeout(180)
class MetamorphicTest
{
    private static final int CASES = Integer.getInteger("cases", 160);
    /** Inputs per statement: more when many cases are requested, since compiling one takes longer than running it. */
    private static final int INPUTS = CASES < 1_000 ? 4 : 10;
    private static final int STATEMENTS = CASES / INPUTS;
    private static final long HOUR = 3_600_000_000_000L;
    private static final String FIELDS = "S.k, S.v, S.x, S.c";

    private static final List<String> WINDOWS = List.of("", " [now]", " [range 2]", " [range 3 slide 2]",
        " [range 1500 milliseconds]");

    private final long seed = Long.getLong("seed", 20_261_123L);
    private final Random random = new Random(seed);

    /** A query over inputs named S (and others), planned as a flow. */
    private static EngineRunner engine(final String text, final String... inputs) throws Exception
    {
        return engine(CompiledCase.Mode.FLOWS, text, inputs);
    }

    private static EngineRunner engine(final CompiledCase.Mode mode, final String text, final String... inputs)
        throws Exception
    {
        return new EngineRunner(inputs(inputs), List.of(new Interpreter.Rule("q1", false, text, List.of())), mode);
    }

    private static List<Interpreter.Input> inputs(final String... names)
    {
        return Arrays.stream(names).map(name -> CaseFile.input(name, false, CaseGenerator.STREAM)).toList();
    }

    private List<Interpreter.Arrival> arrivals(final String... names)
    {
        return new RandomInput(random).make(inputs(names));
    }

    private static List<CaseRow> rows(final EngineRunner engine, final List<Interpreter.Arrival> arrivals)
    {
        return engine.run(arrivals).rows().get("q1");
    }

    private String window()
    {
        return WINDOWS.get(random.nextInt(WINDOWS.size()));
    }

    private void same(final List<CaseRow> got, final List<CaseRow> want, final boolean stream, final String what)
    {
        assertThat(Comparison.difference(got, want, stream, false)).as(what + ", seed " + seed).isNull();
    }

    @Test
    void shouldPartTheRowsByAConditionItsNegationAndTheUnknown() throws Exception
    {
        for (int i = 0; i < STATEMENTS; i++)
        {
            final String condition = new RandomExpressions(random).condition(2, "S");
            final String from = "select " + FIELDS + " from S" + window();
            final boolean stream = !from.contains("[");
            final EngineRunner all = engine(from, "S");
            final List<EngineRunner> parts = List.of(engine(from + " where " + condition, "S"),
                engine(from + " where not (" + condition + ")", "S"),
                engine(from + " where case when " + condition + " then 1 when not (" + condition
                    + ") then 0 else 2 end = 2", "S"));
            for (int j = 0; j < INPUTS; j++)
            {
                final List<Interpreter.Arrival> arrivals = arrivals("S");
                final List<CaseRow> together = new ArrayList<>();
                parts.forEach(part -> together.addAll(rows(part, arrivals)));
                same(together, rows(all, arrivals), stream, condition);
            }
        }
    }

    @Test
    void shouldGiveTheSameWhenAnInputIsSplitAndUnited() throws Exception
    {
        for (int i = 0; i < STATEMENTS; i++)
        {
            final String where = " where " + new RandomExpressions(random).condition(2, "S");
            final EngineRunner whole = engine("select " + FIELDS + " from S as S" + where, "S");
            final EngineRunner split = engine("(select " + FIELDS + " from S1 as S" + where + ") union all (select "
                + FIELDS + " from S2 as S" + where + ")", "S1", "S2");
            for (int j = 0; j < INPUTS; j++)
            {
                final List<Interpreter.Arrival> arrivals = new ArrayList<>(arrivals("S"));
                arrivals.add(new Interpreter.Arrival(HOUR, "S", 'h', new Object[0]));
                final List<Interpreter.Arrival> halves = new ArrayList<>();
                for (final Interpreter.Arrival arrival : arrivals)
                {
                    final boolean both = arrival.kind() == 'h';
                    final String half = random.nextBoolean() ? "S1" : "S2";
                    halves.add(new Interpreter.Arrival(arrival.timeNs(), half, arrival.kind(), arrival.values()));
                    if (both)
                    {
                        halves.add(new Interpreter.Arrival(
                            arrival.timeNs(), half.equals("S1") ? "S2" : "S1", 'h', arrival.values()));
                    }
                }
                same(rows(split, halves), rows(whole, arrivals), true, where);
            }
        }
    }

    /** Runs a generated statement over an input twice, once changed, and compares. */
    private interface Check
    {
        void check(List<Interpreter.Arrival> arrivals) throws Exception;
    }

    /** Prepares the comparison with an engine for each input. */
    private interface Change
    {
        Check of(CaseFile file, EngineRunner engine) throws Exception;
    }

    private void generated(final Predicate<CaseFile> which, final Change change) throws Exception
    {
        for (int done = 0; done < STATEMENTS;)
        {
            final CaseFile file = CaseGenerator.rules(random.nextLong());
            if (!which.test(file))
            {
                continue;
            }
            done++;
            final Check check = change.of(file, new EngineRunner(file, CompiledCase.Mode.FLOWS));
            for (int j = 0; j < INPUTS; j++)
            {
                check.check(CaseGenerator.arrivals(file, random.nextLong()));
            }
        }
    }

    private void sameAs(final CaseFile file, final EngineRunner engine, final List<CaseRow> got,
        final List<CaseRow> want)
    {
        assertThat(Comparison.difference(got, want, engine.streams().get("q1"), file.ordered()))
            .as(file.name() + " " + file.rules() + ", seed " + seed).isNull();
    }

    @Test
    void shouldIgnoreAConditionThatIsAlwaysTrue() throws Exception
    {
        generated(file -> file.rules().size() == 1 && file.rules().get(0).text().startsWith("select S")
            && !file.rules().get(0).text().contains(" where ") && !file.rules().get(0).text().contains(" order by ")
            && !file.rules().get(0).text().contains(" group by ") && !file.rules().get(0).text().contains(" having ")
            && !file.rules().get(0).text().contains(" evaluate "),
            (file, engine) -> {
                final Interpreter.Rule rule = file.rules().get(0);
                final EngineRunner filtered = new EngineRunner(file.with(List.of(new Interpreter.Rule(
                    rule.id(), false, rule.text() + " where 1 = 1", List.of()))), CompiledCase.Mode.FLOWS);
                return arrivals -> sameAs(file, engine, rows(filtered, arrivals), rows(engine, arrivals));
            });
    }

    @Test
    void shouldShiftItsOutputWhenAllTimesAreShifted() throws Exception
    {
        generated(file -> file.rules().stream().noneMatch(rule -> rule.text().contains("element_time")), (file,
            engine) -> arrivals -> {
            final List<Interpreter.Arrival> later = arrivals.stream().map(arrival -> new Interpreter.Arrival(
                arrival.timeNs() + HOUR, arrival.input(), arrival.kind(), arrival.values())).toList();
            final List<CaseRow> expected = rows(engine, arrivals).stream().map(row -> row.timeNs() == Long.MIN_VALUE
                ? row : new CaseRow(row.timeNs() + HOUR, row.kind(), row.values())).toList();
            sameAs(file, engine, rows(engine, later), expected);
        });
    }

    @Test
    void shouldNotDependOnTheOrderOfRowsOfOneInstantInTimeWindows() throws Exception
    {
        for (int i = 0; i < STATEMENTS; i++)
        {
            final EngineRunner engine = engine("select S.k, count(*) as n, sum(S.v) as s, max(S.x) as m from S"
                + window() + " group by S.k", "S");
            for (int j = 0; j < INPUTS; j++)
            {
                final List<Interpreter.Arrival> arrivals = arrivals("S");
                final List<Interpreter.Arrival> mixed = new ArrayList<>(arrivals);
                for (int from = 0; from < mixed.size();)
                {
                    int to = from;
                    while (to < mixed.size() && mixed.get(to).timeNs() == mixed.get(from).timeNs()
                        && mixed.get(to).kind() == '+')
                    {
                        to++;
                    }
                    Collections.shuffle(mixed.subList(from, to), random);
                    from = Math.max(to, from + 1);
                }
                same(rows(engine, mixed), rows(engine, arrivals), false, "order in an instant");
            }
        }
    }

    @Test
    void shouldGiveTheSameForEachKeyAlone() throws Exception
    {
        final List<String> texts = List.of(
            "select S.k, count(*) as n, sum(S.v) as s, min(S.c) as m from S [range 2] group by S.k",
            "select S.k, S.v, S.o from S [partition by k rows 2]",
            "IStream(select S.k, S.v from S [partition by k rows 1 range 3 slide 1])",
            "select M.k, M.f, M.n from S match_recognize (partition by k measures A.k as k, A.o as f, count(B.*) as n "
                + "all matches pattern (A B+) within 4 define B as B.v >= prev(B.v)) as M");
        for (int i = 0; i < STATEMENTS; i++)
        {
            final EngineRunner engine = engine(texts.get(i % texts.size()), "S");
            for (int j = 0; j < INPUTS; j++)
            {
                final List<Interpreter.Arrival> arrivals = arrivals("S");
                final List<CaseRow> parts = new ArrayList<>();
                for (final Object key : new Object[] {null, 1, 2, 3})
                {
                    parts.addAll(rows(engine, alone(arrivals, key)));
                }
                same(rows(engine, arrivals), parts, engine.streams().get("q1"), texts.get(i % texts.size()));
            }
        }
    }

    /** Rows of other keys become heartbeats, except when rows of the same time follow: those would change the past. */
    private static List<Interpreter.Arrival> alone(final List<Interpreter.Arrival> arrivals, final Object key)
    {
        final List<Interpreter.Arrival> kept = new ArrayList<>();
        for (int i = 0; i < arrivals.size(); i++)
        {
            final Interpreter.Arrival arrival = arrivals.get(i);
            if (arrival.kind() == 'h' || Objects.equals(arrival.values()[0], key))
            {
                kept.add(arrival);
            }
            else if (i + 1 == arrivals.size() || arrivals.get(i + 1).timeNs() > arrival.timeNs())
            {
                kept.add(new Interpreter.Arrival(arrival.timeNs(), "S", 'h', new Object[0]));
            }
        }
        return kept;
    }

    @Test
    void shouldGiveTheSameForAnySizeOfBatches() throws Exception
    {
        generated(file -> true, (file, engine) -> arrivals -> {
            final List<CaseRow> single = engine.run(arrivals, 1).rows().get("q1");
            sameAs(file, engine, engine.run(arrivals, 64).rows().get("q1"), single);
            sameAs(file, engine, engine.run(arrivals, 3).rows().get("q1"), single);
        });
    }

    @Test
    void shouldGiveTheSameWithMoreHeartbeats() throws Exception
    {
        generated(file -> true, (file, engine) -> arrivals -> {
            final List<Interpreter.Arrival> more = new ArrayList<>();
            for (final Interpreter.Arrival arrival : arrivals)
            {
                final boolean first = more.stream().noneMatch(earlier -> earlier.input().equals(arrival.input()));
                final long before = more.stream().filter(earlier -> earlier.input().equals(arrival.input()))
                    .mapToLong(Interpreter.Arrival::timeNs).max().orElse(0);
                if (!first && arrival.timeNs() > before)
                {
                    more.add(new Interpreter.Arrival(before + (arrival.timeNs() - before) / 2, arrival.input(), 'h',
                        new Object[0]));
                }
                more.add(arrival);
            }
            sameAs(file, engine, rows(engine, more), rows(engine, arrivals));
        });
    }

    @Test
    void shouldGiveTheSameFusedAndAsFlows() throws Exception
    {
        generated(file -> file.feature().equals("filter") || file.feature().equals("pattern"),
            (file, engine) -> {
                final EngineRunner fused = new EngineRunner(file, CompiledCase.Mode.DEFAULT);
                return arrivals -> sameAs(file, engine, rows(fused, arrivals), rows(engine, arrivals));
            });
    }

    /** Rows whose last column, which is removed, is 1. */
    private static List<CaseRow> marked(final List<CaseRow> rows)
    {
        final List<CaseRow> kept = new ArrayList<>();
        for (final CaseRow row : rows)
        {
            final int last = row.values().length - 1;
            if ("1".equals(String.valueOf(row.values()[last])))
            {
                kept.add(new CaseRow(row.timeNs(), row.kind(), Arrays.copyOf(row.values(), last)));
            }
        }
        return kept;
    }

    /** A statement that applies a condition, and one that only computes it. */
    private void onlyComputed(final String columns, final String from, final String before, final String clause,
        final String condition, final String... inputs) throws Exception
    {
        final EngineRunner optimised = engine("select " + columns + " from " + from + before + ' ' + clause + ' '
            + condition, inputs);
        final EngineRunner computed = engine("select " + columns + ", case when " + condition
            + " then 1 else 0 end as marked from " + from + before, inputs);
        for (int j = 0; j < INPUTS; j++)
        {
            final List<Interpreter.Arrival> arrivals = arrivals(inputs);
            same(rows(optimised, arrivals), marked(rows(computed, arrivals)), optimised.streams().get("q1"),
                from + before + ' ' + clause + ' ' + condition);
        }
    }

    @Test
    void shouldFilterByWhatAConditionIsWhenItIsOnlyComputed() throws Exception
    {
        for (int i = 0; i < STATEMENTS; i++)
        {
            onlyComputed(FIELDS, "S" + window(), "", "where", new RandomExpressions(random).condition(2, "S"), "S");
        }
    }

    /**
     * Without division: with look-ups by key, the condition is evaluated for fewer pairs, so that fewer are rejected.
     */
    @Test
    void shouldJoinByWhatAConditionIsWhenItIsOnlyComputed() throws Exception
    {
        for (int i = 0; i < STATEMENTS;)
        {
            final String condition = new RandomExpressions(random).condition(2, "S");
            if (!condition.contains("/") && !condition.contains("mod("))
            {
                i++;
                onlyComputed(FIELDS + ", R.k as rk, R.v as rv", "S [range 2] as S, R [range 3] as R", "", "where",
                    "S.k = R.k and R.v " + (i % 2 == 0 ? "=" : ">=") + " S.v and (" + condition + ')', "S", "R");
            }
        }
    }

    @Test
    void shouldKeepGroupsByWhatAConditionIsWhenItIsOnlyComputed() throws Exception
    {
        final List<String> conditions = List.of("S.k > 1", "S.k is null or count(*) > 1", "S.k = 2 and sum(S.v) > 0",
            "not S.k = 2", "max(S.v) > 0 or min(S.v) is null");
        for (int i = 0; i < STATEMENTS; i++)
        {
            onlyComputed("S.k, count(*) as n, sum(S.v) as s", "S" + WINDOWS.get(1 + i % (WINDOWS.size() - 1)),
                " group by S.k", "having", conditions.get(random.nextInt(conditions.size())), "S");
        }
    }

    @Test
    void shouldRebuildARelationOfWhatEntersAndLeaves() throws Exception
    {
        for (int i = 0; i < STATEMENTS; i++)
        {
            final String body = "select S.k, count(*) as n, sum(S.v) as s from S" + window() + " group by S.k";
            final EngineRunner relation = engine(body, "S");
            final EngineRunner enters = engine("IStream(" + body + ")", "S");
            final EngineRunner leaves = engine("DStream(" + body + ")", "S");
            for (int j = 0; j < INPUTS; j++)
            {
                final List<Interpreter.Arrival> arrivals = arrivals("S");
                final List<CaseRow> both = new ArrayList<>(rows(enters, arrivals));
                rows(leaves, arrivals).forEach(row -> both.add(new CaseRow(row.timeNs(), '-', row.values())));
                same(both, rows(relation, arrivals), false, body);
            }
        }
    }
}
