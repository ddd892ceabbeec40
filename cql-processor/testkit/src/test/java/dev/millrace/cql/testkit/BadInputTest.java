package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid statements and rows: refused or rejected one by one, while the other query continues. */
@Order(1)
@Tag("slow")
@Timeout(180)
class BadInputTest
{
    private static final String STREAM = "S: {kind: stream, schema: \"%s\"}";
    private static final String RELATION = "R: {kind: relation, schema: \"k int, v int, primary key(k)\"}";
    private static final long PLANNING_NS = TimeUnit.SECONDS.toNanos(5);
    /** CPU time in addition to the deadline of planning: a step between two checks of the clock, and compilation. */
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long RUN_NS = TimeUnit.SECONDS.toNanos(50);
    /** Maximum heap that a hostile statement may retain, including its engine and its rows. */
    private static final long MAX_KEPT_BYTES = 128L << 20;
    private static final String HOSTILE = "select M.n from S match_recognize (measures count(*) as n %s pattern (%s) " +
        "define %s) as M";

    /** A case of one input and queries q1, q2 ... */
    private static CaseFile file(final String source, final String input, final String... queries)
    {
        final StringBuilder yaml = new StringBuilder("name: bad\nfeature: bad\nstreams:\n  ").append(source)
            .append("\nqueries:\n");
        for (int i = 0; i < queries.length; i++)
        {
            yaml.append("  - {id: q").append(i + 1).append(", kind: query, text: '")
                .append(queries[i].replace("'", "''")).append("'}\n");
        }
        yaml.append("input: |\n");
        input.lines().forEach(line -> yaml.append("  ").append(line).append('\n'));
        return CaseFile.parse(yaml.append("expect_error: none\n").toString());
    }

    private static Reference.Outcome run(final CompiledCase.Mode mode, final CaseFile file) throws CqlException
    {
        return new EngineRunner(file, mode).run(file.arrivals());
    }

    private static List<String> rows(final Reference.Outcome outcome, final String query)
    {
        return outcome.rows().get(query).stream().map(CaseRow::toString).toList();
    }

    @ParameterizedTest
    @EnumSource(value = CompiledCase.Mode.class, names = {"DEFAULT", "FLOWS"})
    void shouldRejectARowWhoseTimeGoesBackwards(final CompiledCase.Mode mode) throws CqlException
    {
        final Reference.Outcome outcome = run(mode, file(STREAM.formatted("k int"), """
            1000 S + 1
            3000 S + 2
            2000 S + 3
            2999.999999 S + 4
            3000 S + 5
            4000 S + 6
            """, "select k from S", "select count(*) as n from S"));
        assertThat(outcome.rejected()).isGreaterThanOrEqualTo(2);
        assertThat(rows(outcome, "q1")).containsExactly("1000 + 1", "3000 + 2", "3000 + 5", "4000 + 6");
        assertThat(rows(outcome, "q2")).endsWith("4000 - 3", "4000 + 4");
    }

    @ParameterizedTest
    @EnumSource(value = CompiledCase.Mode.class, names = {"DEFAULT", "FLOWS"})
    void shouldRejectChangesOfRowsThatDoNotExist(final CompiledCase.Mode mode) throws CqlException
    {
        final Reference.Outcome outcome = run(mode, file(RELATION, """
            1000 R + 1,1
            2000 R U 2,5
            3000 R - 3,5
            4000 R U 1,7
            5000 R - 1,7
            6000 R - 1,7
            7000 R heartbeat
            """, "select k, v from R", "select count(*) as n from R"));
        assertThat(outcome.rejected()).as("by the engine of each query").isEqualTo(2 * 3);
        assertThat(rows(outcome, "q1")).containsExactly("1000 + 1,1", "4000 - 1,1", "4000 + 1,7", "5000 - 1,7");
        assertThat(rows(outcome, "q2").get(rows(outcome, "q2").size() - 1)).isEqualTo("5000 + 0");
    }

    /** Statement over int i, bigint l, double d, char c; rows that it emits for the rows below; rejected rows. */
    static Stream<BadRow> badRows()
    {
        return Stream.of(
            new BadRow("select 10 / i as r from S", 1, "1000 + 10", "3000 + -10", "4000 + 0"),
            new BadRow("select i from S where 10 / i > 0", 1, "1000 + 1"),
            new BadRow("select 10 / l as r from S", 1, "1000 + 10", "3000 + -10", "4000 + 0"),
            new BadRow("select mod(7, i) as r from S", 1, "1000 + 0", "3000 + 0", "4000 + 7"),
            new BadRow("select to_bigint(c) as r from S", 2, "1000 + 12", "4000 + -3"),
            new BadRow("select to_timestamp(c) as r from S", 4),
            new BadRow("select i + 1 as r from S", 0, "1000 + 2", "2000 + 1", "3000 + 0", "4000 + -2147483648"),
            new BadRow("select i * i as r from S", 0, "1000 + 1", "2000 + 0", "3000 + 1", "4000 + 1"),
            new BadRow("select l + 1 as r from S", 0, "1000 + 2", "2000 + 1", "3000 + 0",
                "4000 + -9223372036854775808"),
            new BadRow("select i from S where d = d", 0, "1000 + 1", "3000 + -1", "4000 + 2147483647"),
            new BadRow("select i from S where d <> d", 0, "2000 + 0"),
            new BadRow("select i from S where d > 0", 0, "1000 + 1", "3000 + -1"),
            new BadRow("select d / 0 as r from S", 0, "1000 + Infinity", "2000 + NaN", "3000 + Infinity",
                "4000 + NaN"),
            new BadRow("select i from S where c like \"^(x+x+)+y$\"", 0),
            new BadRow("select M.r from S match_recognize (measures 10 / A.i as r pattern (A) define A as A.l > -5) " +
                "as M", 1, "1000 + 10", "3000 + -10", "4000 + 0"));
    }

    /**
     * A statement for which some rows are invalid.
     *
     * @param query    statement
     * @param rejected number of rejected rows
     * @param rows     output of the others
     */
    record BadRow(String query, int rejected, String... rows)
    {
        @Override
        public String toString()
        {
            return query;
        }
    }

    @ParameterizedTest
    @MethodSource("badRows")
    void shouldRejectOnlyTheRowThatIsBad(final BadRow bad) throws CqlException
    {
        for (final CompiledCase.Mode mode : List.of(CompiledCase.Mode.DEFAULT, CompiledCase.Mode.FLOWS))
        {
            final Reference.Outcome outcome = run(mode,
                file(STREAM.formatted("i int, l bigint, d double, c char(10)"), """
                    1000 S + 1,1,0.5,"12"
                    2000 S + 0,0,NaN,"x"
                    3000 S + -1,-1,Infinity,"1.5x"
                    4000 S + 2147483647,9223372036854775807,-0.0," -3 "
                    """, bad.query(), "select count(*) as n from S[range 9]"));
            assertThat(rows(outcome, "q1")).as("%s %s", mode, bad).containsExactly(bad.rows());
            assertThat(outcome.rejected()).as("%s %s", mode, bad).isEqualTo(bad.rejected());
            assertThat(rows(outcome, "q2").get(rows(outcome, "q2").size() - 1)).isEqualTo("4000 + 4");
        }
    }

    @ParameterizedTest
    @EnumSource(value = CompiledCase.Mode.class, names = {"DEFAULT", "FLOWS"})
    void shouldGroupAndCompareRowsThatAreNoNumbers(final CompiledCase.Mode mode) throws CqlException
    {
        final Reference.Outcome outcome = run(mode, file(STREAM.formatted("d double"), """
            1000 S + NaN
            1000 S + NaN
            1000 S + -0.0
            1000 S + 0.0
            2000 S heartbeat
            """, "select d, count(*) as n from S group by d", "select distinct d from S"));
        assertThat(Comparison.net(outcome.rows().get("q1")).stream().map(CaseRow::toString)).hasSize(2)
            .contains("1000 + NaN,2").anyMatch(row -> row.matches("1000 \\+ -?0\\.0,2"));
        assertThat(rows(outcome, "q2")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(value = CompiledCase.Mode.class, names = {"DEFAULT", "FLOWS"})
    void shouldGiveUpARegularExpressionThatExplodesOrDigsTooDeep(final CompiledCase.Mode mode) throws CqlException
    {
        final long startNs = System.nanoTime();
        final String endless = "a".repeat(60);
        final String deep = "ab".repeat(50_000);
        final Reference.Outcome outcome = run(mode, file(STREAM.formatted("k int, c char(10)"), """
            1000 S + 1,"aaa"
            2000 S + 2,"%s!"
            3000 S + 3,"%s"
            4000 S + 4,"ab"
            """.formatted(endless, deep), "select k from S where c like \"^(a+)+$\"",
            "select k from S where c like \"^(a|b)*$\"", "select k from S where k > 1"));
        assertThat(rows(outcome, "q1")).containsExactly("1000 + 1");
        assertThat(rows(outcome, "q2")).startsWith("1000 + 1").endsWith("4000 + 4");
        assertThat(rows(outcome, "q3")).containsExactly("2000 + 2", "3000 + 3", "4000 + 4");
        assertThat(outcome.rejected()).isPositive();
        assertThat(System.nanoTime() - startNs).as("years without a limit").isLessThan(RUN_NS);
    }

    private static long usedBytes()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    static Stream<String> ambiguousPatterns()
    {
        return Stream.of(HOSTILE.formatted("all matches", "(A | B | C)+ D", "D as D.v = 1"),
            HOSTILE.formatted("all matches", "(A* B*)* C", "C as C.v = 1"),
            HOSTILE.formatted("all matches", "(A+ | B+)+", "A as count(A.*) >= 0, B as count(B.*) >= 0"),
            HOSTILE.formatted("", "(A+ B+)+ C", "A as sum(A.v) >= 0, B as sum(B.v) >= 0, C as C.v = 1"),
            HOSTILE.formatted("", "((A | B)+ (A | B)+)+ C", "A as A.v >= count(B.*) - 99, C as C.v = 1"),
            HOSTILE.formatted("include timer events", "(A | B)*", "A as sum(A.v) >= 0, B as sum(B.v) >= 0")
                .replace(" define", " duration 9 define"));
    }

    @ParameterizedTest
    @MethodSource("ambiguousPatterns")
    void shouldBoundTheLabellingsOfAmbiguousPatterns(final String pattern) throws CqlException
    {
        final StringBuilder input = new StringBuilder();
        IntStream.range(0, 40).forEach(i -> input.append(100 * (i + 1)).append(" S + ").append(i == 39 ? 1 : 0)
            .append('\n'));
        final CaseFile file = file(STREAM.formatted("v int"), input + "20000 S heartbeat\n", pattern,
            "select count(*) as n from S");
        final long beforeBytes = usedBytes();
        final EngineRunner runner = new EngineRunner(file, CompiledCase.Mode.DEFAULT);
        final Reference.Outcome outcome = runner.run(file.arrivals());
        assertThat(usedBytes() - beforeBytes).as("bytes kept").isLessThan(MAX_KEPT_BYTES);
        assertThat(runner.plan().flows()).isNotEmpty();
        assertThat(rows(outcome, "q2").get(rows(outcome, "q2").size() - 1)).isEqualTo("4000 + 40");
        if (pattern.contains("all matches"))
        {
            assertThat(outcome.rejected() + rows(outcome, "q1").size()).as("rejected or found").isPositive();
        }
    }

    static Stream<String> hugeStatements()
    {
        return Stream.of(
            "select k from S where k in (" + list(10_000, "%d") + ")",
            "select k from S where " + list(5_000, "k = %d").replace(",", " or "),
            "select k from S where " + list(3_000, "not k = %d").replace(",", " xor "),
            "select case " + list(1_500, "when k = %d then 1").replace(",", " ") + " end as c from S",
            "select " + list(300, "k + %d as c%<d") + " from S",
            "select " + list(20_000, "k") + " from S",
            "select T0.k from " + list(150, "S as T%d") + " where " + list(149, "T%d.k = T0.k").replace(",", " and "),
            "select T0.k from " + list(1_000, "S as T%d"),
            "select T0.k from " + list(500, "S[range 5] as T%d"),
            "select T0.k from S as T0 left outer join " + IntStream.range(1, 100).mapToObj(i -> "S as T" + i +
                " on T0.k = T" + i + ".k").collect(Collectors.joining(" left outer join ")),
            list(150, "select k from S where k > %d").replace(",", " union "),
            "select k from S group by " + list(2_000, "k + %d"),
            "select count(*) from S group by " + list(300, "k + %d"),
            "select " + list(500, "sum(k + %d)") + " from S",
            "select k from S order by " + list(3_000, "k + %d") + " rows 1",
            "select k from S order by " + list(300, "k + %d") + " rows 1",
            HOSTILE.formatted("", list(60, "V%d").replace(",", " "), "V0 as V0.k = 1"),
            HOSTILE.formatted("", "permute(A, B, C, D, E, F)", "A as A.k = 1"),
            HOSTILE.formatted("", "((((A{9,99}){9,99}){9,99}){9,99}){9,99}", "A as A.k = 1"),
            HOSTILE.formatted("", "A{500} B{1,400}", "A as A.k = 1"),
            HOSTILE.formatted("", "(A | B | (A | B | (A | B)* )* )*", "A as " + list(3_000, "A.k = %d")
                .replace(",", " or ")),
            "(".repeat(10_000) + "select k from S" + ")".repeat(10_000),
            "select k from S where " + "not ".repeat(10_000) + "k = 1",
            "select " + "abs(".repeat(10_000) + "k" + ")".repeat(10_000) + " from S",
            "select " + "case when k = 1 then ".repeat(5_000) + "k" + " end".repeat(5_000) + " from S",
            "select x0.k from " + "(select k from ".repeat(300) + "S" + IntStream.range(0, 300)
                .mapToObj(i -> ") as x" + i).collect(Collectors.joining()),
            "select k from S where c = '" + "x".repeat(70_000) + "'",
            "select k from S[" + "range ".repeat(12_000) + "5]");
    }

    private static String list(final int count, final String format)
    {
        return IntStream.range(0, count).mapToObj(i -> String.format(format, i)).collect(Collectors.joining(","));
    }

    @ParameterizedTest
    @MethodSource("hugeStatements")
    void shouldPlanOrRefuseHugeStatementsInTime(final String statement) throws CqlException
    {
        final long startNs = processorNs();
        final List<String> codes = new ArrayList<>();
        final long beforeBytes = usedBytes();
        EngineRunner runner = null;
        try
        {
            runner = new EngineRunner(file(STREAM.formatted("k int, c char(10)"), "1000 S + 1,\"x\"\n", statement),
                CompiledCase.Mode.DEFAULT);
        }
        catch (final CqlException refused)
        {
            refused.problems().stream().map(CqlProblem::code).forEach(codes::add);
            assertThat(refused.problems()).allMatch(problem -> problem.line() > 0, "has a place");
        }
        final long bytes = usedBytes() - beforeBytes;
        assertThat(codes).doesNotContain("CQL-9999").hasSize(runner == null ? 1 : 0);
        assertThat(bytes).as("bytes kept").isLessThan(MAX_KEPT_BYTES);
        assertThat(processorNs() - startNs).as("%s", codes).isLessThan(PLANNING_NS + SLACK_NS);
    }

    /** CPU time of this thread, which plans and compiles: other load on the machine does not count. */
    private static long processorNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String wideRow(final int first)
    {
        return IntStream.range(first, first + 10_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    /** Statements over a stream of 10,000 columns c0, c1 ...; their output for two rows, or where they are refused. */
    static Stream<BadRow> wideStatements()
    {
        final String joins = "select T0.c1 from " + list(20, "S[now] as T%d");
        return Stream.of(new BadRow("select c9999 + 1 as x from S where c5000 > 5001", 0, "2000 + 10002"),
            new BadRow("IStream(select sum(c9999) as x from S[rows 1] group by c0)", 0, "1000 + 9999", "2000 + 10001"),
            new BadRow("RStream(select a.c1 + b.c9999 as x from S[now] as a, S[now] as b where a.c7 = b.c7)", 0,
                "1000 + 10000", "2000 + 10004"),
            new BadRow("select M.x from S match_recognize (measures B.c9999 - A.c9998 as x pattern (A B) define B as "
                + "B.c77 > A.c78) as M", 0, "2000 + 3"),
            new BadRow("select * from S", 1, "CQL-9004 1:8"),
            new BadRow("select distinct * from S[range 5]", 1, "CQL-9004 1:17"),
            new BadRow(joins, 1, "CQL-9004 1:" + (joins.lastIndexOf("T19") + 1)));
    }

    @ParameterizedTest
    @MethodSource("wideStatements")
    void shouldReadStreamsOfTenThousandColumnsAndRefuseWhatWouldCarryThemAllOn(final BadRow wide)
    {
        final CaseFile file = file(STREAM.formatted(list(10_000, "c%d int")), "1000 S + " + wideRow(0) + "\n2000 S + "
            + wideRow(2) + "\n3000 S heartbeat\n", wide.query());
        final long beforeBytes = usedBytes();
        final List<String> got = new ArrayList<>();
        EngineRunner runner = null;
        try
        {
            runner = new EngineRunner(file, CompiledCase.Mode.DEFAULT);
            got.addAll(rows(runner.run(file.arrivals()), "q1"));
        }
        catch (final CqlException refused)
        {
            refused.problems().forEach(each -> got.add(each.code() + ' ' + each.line() + ':' + each.column()));
        }
        final long bytes = usedBytes() - beforeBytes;
        assertThat(got).containsExactly(wide.rows());
        assertThat(runner == null).isEqualTo(wide.rejected() > 0);
        assertThat(bytes).as("bytes kept").isLessThan(MAX_KEPT_BYTES);
    }
}
