package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.testkit.interpreter.Interpreter;
import dev.millrace.cql.testkit.interpreter.UndefinedResultException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random queries of each kind of operator that discard partitions in the middle of their input, compared with the
 * interpreter, which has never seen the discarded rows. Output during the discard is not checked here. Also such
 * queries whose partitions move to another engine. Seeds are fixed and named by a failure; {@code -Dseed} tries
 * another.
 */
@Tag("slow")
@Timeout(180)
class ForgottenRowsTest
{
    private static final long SEED = 17_000;
    private static final int QUERIES = 30;
    private static final int INPUTS = 4;
    private static final int[] BATCHES = {1, 3, 8, 64};
    private static final String SCHEMA = " v int, b bigint, x double, c char, d boolean, o int, ts timestamp";
    private static final long SECOND = 1_000_000_000L;

    private Random random;

    /** The main operator of a query. */
    private enum Kind
    {
        WINDOW, GROUP, GROWING, KEYED, SESSION, UNTIL, TOP, DISTINCT, SET, UNION, NOW, EVALUATE, JOIN, MATCH
    }

    private String pick(final String... texts)
    {
        return texts[random.nextInt(texts.length)];
    }

    private String range()
    {
        return pick("[range 1]", "[range 2]", "[range 5]", "[range 3 slide 2]", "[range 2 slide 1]");
    }

    private String any()
    {
        return pick(range(), range(), "[partition by k rows 2]", "[partition by k, c rows 2]",
            "[session gap 2 partition by k]", "[partition by k rows 3 range 2]",
            "[partition by k rows 3 range 3 slide 2]");
    }

    private String where()
    {
        return random.nextInt(3) > 0 ? "" : " where " +
            pick("s.v > 3", "s.c = 'a'", "s.k is not null", "s.d", "s.x < s.b");
    }

    private String select(final String from)
    {
        final String source = " from " + from + " as s" + where();
        return random.nextBoolean() ? "select " + pick("s.k as a, s.v as b", "s.v as a, s.c as b", "s.c as a, s.x as b",
            "s.k as a, s.c || 'z' as b, s.d as e", "s.v + s.o as a, s.ts as b") + source : grouped(source);
    }

    private String grouped(final String source)
    {
        final String key = pick("s.k", "s.k, s.c", "s.b, s.k", "s.c, s.d, s.k");
        return "select " + pick(key, key, "s.k") + ", " + pick("count(*) as n",
            "sum(s.v) as n, max(s.v) as m", "avg(s.x) as n, count(s.c) as m", "min(s.b) as n, max(s.c) as m",
            "count(distinct s.v) as n, count(distinct s.c) as m", "max(s.x) as n, min(s.x) as m",
            "first(s.v) as n, last(s.c) as m", "sum(distinct s.v) as n", "listagg(s.c) as n", "variance(s.x) as n",
            "count(distinct s.c) filter (where s.d) as n") + source + " group by " + key +
            pick("", "", " having count(*) > 1");
    }

    private List<Interpreter.Rule> rules(final Kind kind)
    {
        final List<Interpreter.Rule> rules = new ArrayList<>();
        final String statement = switch (kind)
        {
            case GROUP -> stream(grouped(" from S " + any() + " as s" + where()));
            case GROWING -> stream(grouped(" from S as s" + where()));
            case KEYED -> stream(select("S [partition by k" + pick("", ", c", ", b") + " rows " +
                pick("1", "2", "3") + pick("", "", " range " + pick("1", "2", "5") +
                pick("", " slide " + pick("1", "2"))) + ']'));
            case SESSION -> stream(select("S [session gap " + pick("1", "2", "1250 milliseconds") +
                " partition by k" + pick("", ", c") + ']'));
            case UNTIL ->
            {
                rules.add(new Interpreter.Rule("w", true, "select s.k, s.v, s.b, s.x, s.c, s.d, s.o, s.ts, " +
                    pick("s.element_time + (nvl(s.v, 3) - 2) * 500000000L",
                    "to_timestamp(s.element_time + nvl(s.v, 0) * 1000000000L)") + " from S as s" + where(),
                    List.of("k", "v", "b", "x", "c", "d", "o", "ts", "e")));
                yield stream(select("w [range until e]"));
            }
            case TOP -> "select s.k, s.v, s.c from S " + any() + " as s" + where() + " order by " +
                pick("s.v", "s.v desc", "s.c, s.v", "s.x desc nulls last", "s.ts desc") + ", s.o rows " +
                pick("1", "2", "4") + " partition by s.k";
            case DISTINCT -> stream("select distinct " + pick("s.k", "s.k, s.c", "s.x, s.k", "s.v / 3 as g, s.k") +
                " from S " + any() + " as s" + where());
            case SET -> set(pick("union", "except", "minus", "intersect", "in", "not in"));
            case UNION -> set("union all");
            case NOW -> "RStream(select s.k as a, s.v as b, r.v as e from S [now] as s, " + pick("R ", "S ") + any() +
                " as r where s.k = r.k" + pick("", " and s.c = r.c", " and s.v > r.v") + ')';
            case EVALUATE -> stream(select("S " + any())) + " evaluate every " + pick("1", "2", "750 milliseconds");
            case JOIN -> stream("select " + pick("s.k as a, s.v as b, r.v as e", "s.c as a, r.c as b",
                "s.k as a, s.x + r.v as b, r.d as e") + " from S " + any() + " as s, " + pick("R", "R", "S") + ' ' +
                any() + " as r where s.k = r.k" + pick("", " and s.c = r.c", " and s.v > r.v", " and s.o <= r.o"));
            case MATCH ->
            {
                rules.add(new Interpreter.Rule("w", true, pick("select s.k, s.v, s.o, s.c from S as s" + where(),
                    "IStream(select s.k, s.v, s.o, s.c from S " + any() + " as s)"), List.of("k", "v", "o", "c")));
                rules.add(new Interpreter.Rule("m", true, "select t.k, t.v, t.o, t.c from w match_recognize (" +
                    "partition by k measures A.k as k, B.v as v, B.o as o, A.c as c pattern (A B) define B as " +
                    pick("B.v >= A.v", "B.o > A.o", "B.c = A.c") + ") as t", List.of("k", "v", "o", "c")));
                yield stream(pick("select s.k, count(*) as n, max(s.v) as m from m " + any() + " as s group by s.k",
                    "select distinct s.k, s.c from m " + any() + " as s", "select s.k, s.o from m " + range() + " as s",
                    "select s.k, sum(s.v) as n from m as s group by s.k"));
            }
            default -> stream(select("S " + range()));
        };
        rules.add(new Interpreter.Rule("q", false, statement, List.of()));
        return rules;
    }

    private String set(final String operation)
    {
        final String columns = pick("$.k", "$.k, $.c", "$.k, $.x, $.b", "$.d, $.k");
        return "(select " + columns.replace("$", "s") + " from S " + any() + " as s) " + operation + " (select " +
            columns.replace("$", "r") + " from " + pick("R", "R", "S") + ' ' + any() + " as r)";
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

    /** Partitions by their values. */
    private record Some(List<Object> values) implements PartitionPredicate
    {
        @Override
        public boolean ofNull()
        {
            return values.contains(null);
        }

        @Override
        public boolean ofString(final String value)
        {
            return values.contains(value);
        }

        @Override
        public boolean ofLong(final long value)
        {
            return values.contains(value);
        }

        @Override
        public boolean ofFloat(final float value)
        {
            return values.contains(value);
        }

        @Override
        public boolean ofDouble(final double value)
        {
            return values.contains(value);
        }
    }

    /**
     * Rows in order of time, each at least as late as its predecessors, followed by a heartbeat much later than all of
     * them.
     */
    private static List<Interpreter.Arrival> inOrder(final List<Interpreter.Arrival> arrivals)
    {
        final Map<String, Long> lastNs = new HashMap<>(Map.of("S", Long.MIN_VALUE, "R", Long.MIN_VALUE));
        final List<Interpreter.Arrival> kept = new ArrayList<>();
        for (final Interpreter.Arrival arrival : arrivals)
        {
            if (arrival.kind() == '+' && arrival.timeNs() >= lastNs.get(arrival.input()))
            {
                lastNs.put(arrival.input(), arrival.timeNs());
                kept.add(arrival);
            }
        }
        final long endNs = lastNs.values().stream().mapToLong(each -> each).max().orElse(0) + 20 * SECOND;
        lastNs.keySet().forEach(input -> kept.add(new Interpreter.Arrival(endNs, input, 'h', new Object[0])));
        return kept;
    }

    /** Partitions move to a separate engine during the run: together both emit the output of one. */
    private void move(final Kind kind, final long seed) throws Exception
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        final List<Interpreter.Rule> rules = rules(kind);
        final boolean totalOrder = random.nextInt(3) == 0;
        final String schema = "k " + pick("char", "bigint") + ',' + SCHEMA;
        final CaseFile file = new CaseFile("moved-" + seed, "generated", "units",
            List.of(CaseFile.input("S", false, schema), CaseFile.input("R", false, schema)), rules, List.of(),
            Map.of(), false, null);
        final EngineRunner engine = new EngineRunner(file.inputs(), rules,
            new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, totalOrder), Map.of("S", "k", "R", "k"));
        final Reference reference = new Reference(file);
        for (int i = 0; i < INPUTS && engine.isApart(); i++)
        {
            final List<Interpreter.Arrival> arrivals =
                inOrder(CaseGenerator.arrivals(file, seed * 31 + i, totalOrder));
            final List<Object> values = new ArrayList<>(arrivals.stream().filter(each -> each.kind() == '+')
                .map(each -> each.values()[0]).distinct().filter(each -> random.nextBoolean()).toList());
            final int before = random.nextInt(arrivals.size());
            final List<CaseRow> got =
                engine.run(arrivals, before, new Some(values)).rows().getOrDefault("q", List.of());
            check(reference, false, arrivals, new TreeMap<>(), got, kind + ", seed " + seed + ", " + rules +
                ", unique times " + totalOrder + ", moves " + values + " before " + before);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"MATCH", "EVALUATE"})
    void shouldSayWhatCannotBeToldApart(final Kind kind)
    {
        assertThatThrownBy(() ->
        {
            for (long seed = SEED; seed < SEED + QUERIES; seed++)
            {
                move(kind, seed);
            }
        }).isInstanceOf(StateException.class).hasMessageContaining("cannot be separated by partition");
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"MATCH", "EVALUATE"}, mode = EnumSource.Mode.EXCLUDE)
    void shouldGiveTheSameWherePartitionsMoveToAnotherEngine(final Kind kind) throws Exception
    {
        final Long given = Long.getLong("seed");
        final long first = given == null ? SEED : given;
        for (long seed = first; seed < first + QUERIES / 2; seed++)
        {
            move(kind, seed);
        }
    }

    private int compare(final Kind kind, final long seed) throws Exception
    {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        final List<Interpreter.Rule> rules = rules(kind);
        final boolean totalOrder = random.nextInt(3) == 0;
        final String schema = "k " + pick("char", "bigint") + ',' + SCHEMA;
        final CaseFile file = new CaseFile("forgotten-" + seed, "generated", "units",
            List.of(CaseFile.input("S", false, schema), CaseFile.input("R", false, schema)), rules, List.of(),
            Map.of(), false, null);
        final EngineRunner engine = new EngineRunner(file.inputs(), rules,
            new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, totalOrder), Map.of("S", "k", "R", "k"));
        if (!engine.isApart())
        {
            return 0;
        }
        final Reference reference = new Reference(file);
        for (int i = 0; i < INPUTS; i++)
        {
            final List<Interpreter.Arrival> arrivals =
                inOrder(CaseGenerator.arrivals(file, seed * 31 + i, totalOrder));
            final TreeMap<Integer, EngineRun.Forgetting> forgettings = new TreeMap<>();
            for (int n = 1 + random.nextInt(3); n > 0 && arrivals.size() > 4; n--)
            {
                final List<Object> values = new ArrayList<>(arrivals.stream().filter(each -> each.kind() == '+')
                    .map(each -> each.values()[0]).distinct().filter(each -> random.nextBoolean()).toList());
                forgettings.put(1 + random.nextInt(arrivals.size() - 3),
                    new EngineRun.Forgetting(pick("S", "S", "R"), new Some(values)));
            }
            final List<CaseRow> got = engine.run(arrivals, BATCHES[i % BATCHES.length], forgettings).rows()
                .getOrDefault("q", List.of());
            final String what = kind + ", seed " + seed + ", " + rules + ", batches of " + BATCHES[i % BATCHES.length] +
                ", unique times " + totalOrder + ", forgets " + forgettings;
            check(reference, rules.get(rules.size() - 1).text().contains("evaluate every"), arrivals, forgettings, got,
                what);
        }
        return engine.queriesInUnits();
    }

    /** Checks the output between two discards. */
    private static void check(final Reference reference, final boolean isDelayed,
        final List<Interpreter.Arrival> arrivals, final TreeMap<Integer, EngineRun.Forgetting> forgettings,
        final List<CaseRow> got, final String what)
    {
        final List<Integer> moments = new ArrayList<>(forgettings.keySet());
        for (int n = -1; n < moments.size(); n++)
        {
            final int from = n < 0 ? 0 : moments.get(n);
            final int to = n + 1 < moments.size() ? moments.get(n + 1) : arrivals.size();
            final long afterNs = lastNs(arrivals, from, Math::max, Long.MIN_VALUE) + (isDelayed ? 2 * SECOND : 0);
            // While another row of the last time may arrive, time is closed up to a nanosecond before it.
            final long beforeNs = lastNs(arrivals, to, Math::min, Long.MAX_VALUE) - 1;
            if (n >= 0 && afterNs >= beforeNs)
            {
                continue;
            }
            final List<CaseRow> wanted;
            final List<Interpreter.Arrival> known = without(arrivals, forgettings.headMap(from, true));
            try
            {
                wanted = reference.run(known).rows().getOrDefault("q", List.of());
            }
            catch (final UndefinedResultException open)
            {
                continue;
            }
            final long startNs = n < 0 ? Long.MIN_VALUE : afterNs;
            if (reference.isStream("q"))
            {
                assertThat(byTime(got, startNs, beforeNs)).as("%s, between %d and %d, input%n%s", what, startNs,
                    beforeNs, text(arrivals)).isEqualTo(byTime(wanted, startNs, beforeNs));
                continue;
            }
            final TreeSet<Long> times = new TreeSet<>();
            got.forEach(row -> times.add(row.timeNs()));
            wanted.forEach(row -> times.add(row.timeNs()));
            arrivals.forEach(arrival -> times.add(arrival.timeNs()));
            times.stream().filter(each -> each > startNs && each < beforeNs).forEach(timeNs ->
                assertThat(content(got, timeNs)).as("%s, at %d, input%n%s", what, timeNs, text(arrivals))
                    .isEqualTo(content(wanted, timeNs)));
        }
    }

    private static String text(final List<Interpreter.Arrival> arrivals)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < arrivals.size(); i++)
        {
            final Interpreter.Arrival each = arrivals.get(i);
            text.append(i).append(": ").append(each.timeNs()).append(' ').append(each.input()).append(' ')
                .append(each.kind()).append(Arrays.toString(each.values())).append('\n');
        }
        return text.toString();
    }

    /** The minimum or maximum of the last times of the inputs before a moment. */
    private static long lastNs(final List<Interpreter.Arrival> arrivals, final int moment,
        final LongBinaryOperator choice, final long none)
    {
        final Map<String, Long> lastNs = new HashMap<>();
        arrivals.subList(0, moment).forEach(each -> lastNs.put(each.input(), each.timeNs()));
        return lastNs.size() < 2 && none == Long.MAX_VALUE ? Long.MIN_VALUE + 1 :
            lastNs.values().stream().mapToLong(each -> each).reduce(none, choice);
    }

    private static List<Interpreter.Arrival> without(
        final List<Interpreter.Arrival> arrivals, final Map<Integer, EngineRun.Forgetting> forgettings)
    {
        final List<Interpreter.Arrival> kept = new ArrayList<>();
        for (int i = 0; i < arrivals.size(); i++)
        {
            final int at = i;
            final Interpreter.Arrival arrival = arrivals.get(i);
            if (arrival.kind() == 'h' || forgettings.entrySet().stream().noneMatch(each -> at < each.getKey() &&
                each.getValue().input().equals(arrival.input()) &&
                ((Some)each.getValue().partitions()).values().contains(arrival.values()[0])))
            {
                kept.add(arrival);
            }
        }
        return kept;
    }

    /** The two zeros are equal. */
    private static String withoutSign(final String row)
    {
        return row.replaceAll("-0\\.0\\b", "0.0");
    }

    private static Map<String, Long> counted(final Stream<String> rows)
    {
        return rows.collect(Collectors.groupingBy(ForgottenRowsTest::withoutSign, TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> byTime(final List<CaseRow> rows, final long afterNs, final long beforeNs)
    {
        return counted(rows.stream().filter(row -> row.timeNs() > afterNs && row.timeNs() < beforeNs)
            .map(CaseRow::toString));
    }

    /** The rows of a relation at the end of an instant. */
    private static Map<String, Long> content(final List<CaseRow> rows, final long timeNs)
    {
        final Map<String, Long> content = new TreeMap<>();
        rows.stream().filter(row -> row.timeNs() <= timeNs).forEach(row -> content.merge(
            withoutSign(new CaseRow(0, '+', row.values()).toString()), row.kind() == '+' ? 1L : -1L, Long::sum));
        content.values().removeIf(each -> each == 0);
        return content;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldGoOnAsIfForgottenRowsHadNeverCome(final Kind kind) throws Exception
    {
        final Long given = Long.getLong("seed");
        final long first = given == null ? SEED : given;
        int inUnits = 0;
        for (long seed = first; seed < first + QUERIES; seed++)
        {
            inUnits += compare(kind, seed);
        }
        System.out.println(kind + ": " + inUnits + " of " + QUERIES + " queries in units, seed " + first);
        assertThat(inUnits).isGreaterThan(QUERIES / 2);
    }
}
