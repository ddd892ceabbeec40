package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A part of the comparison of engine and interpreter over random queries. Seeds are printed; longer runs:
 * {@link DifferentialTester#main}.
 */
@Tag("slow")
@Timeout(180)
class DifferentialTesterTest
{
    /**
     * First seeds of each run, each with a number of queries: fixed, so that a commit always yields the same result.
     */
    private static final long[] SEEDS = {1, 20_261_123L, 5_100_035_865L};
    private static final int QUERIES = 30;
    /** Few per query: more queries find more defects than more rows. */
    private static final int INPUTS = 6;

    private static void compare(final CompiledCase.Mode mode) throws InterruptedException
    {
        final Long given = Long.getLong("seed");
        if (given != null)
        {
            compare(mode, given, SEEDS.length * QUERIES);
            return;
        }
        for (final long seed : SEEDS)
        {
            compare(mode, seed, QUERIES);
        }
    }

    private static void compare(final CompiledCase.Mode mode, final long seed, final int queries)
        throws InterruptedException
    {
        final DifferentialTester.Report report = new DifferentialTester(new DifferentialTester.Settings(
            seed, queries, INPUTS, 2, 0, 0, mode, 3, null), System.out).run();
        assertThat(report.findings().stream().map(finding -> finding.text() + finding.file().toYaml()))
            .as("first seed %d", seed).isEmpty();
        assertThat(report.refusals()).as("first seed %d", seed).isEmpty();
        assertThat(report.cases()).isGreaterThan(queries);
        if (mode == CompiledCase.Mode.FLOWS)
        {
            assertThat(report.inUnits()).as("queries in units, first seed %d", seed).isPositive();
        }
        assertThat(report.rows()).isGreaterThan(report.cases());
    }

    @Test
    void shouldFindNoDifferenceWithFlows() throws InterruptedException
    {
        compare(CompiledCase.Mode.FLOWS);
    }

    @Test
    void shouldFindNoDifferenceAsAServerPlans() throws InterruptedException
    {
        compare(CompiledCase.Mode.DEFAULT);
    }

    /**
     * As the platform does with PARTITION_ORDERED: rows are routed to engines by the value of the partition expression.
     */
    @Test
    void shouldFindNoDifferenceWhenFlowsAreSplit() throws InterruptedException
    {
        compare(CompiledCase.Mode.SPLIT);
    }

    /** A deviation of the same values in another order of arrival; the engine stores sums and detects no change. */
    @Test
    void shouldNotJudgeWhereRoundingDecidesWhetherARowHasChanged() throws InterruptedException
    {
        final DifferentialTester.Report report = new DifferentialTester(new DifferentialTester.Settings(
            5_100_035_865L, 1, 20, 1, 0, 0, CompiledCase.Mode.DEFAULT, 3, null), System.out).run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.skipped()).isPositive();
        assertThat(report.cases()).isPositive();
    }

    /** Whether it is a difference that the engine has rejected one row. */
    private static boolean isRejectionWrong(final String query, final String input)
    {
        final CaseFile file = CaseFile.parse("""
            streams:
              S: {kind: stream, schema: "k int, c char(8)"}
              T: {kind: relation, schema: "k int, c char(8)"}
            queries:
              - {id: q, kind: query, text: '%s'}
            input: |
              %s
            expect_error: none
            """.formatted(query.replace("'", "\""), input.replace("\n", "\n  ")));
        final Reference reference = new Reference(file);
        final Reference.Outcome wanted = reference.run(file.arrivals());
        assertThat(wanted.rejected()).as("rows that an instant shows and that cannot be worked out").isZero();
        return DifferentialTester.isWronglyRejected(file.arrivals(), reference, wanted,
            new Reference.Outcome(wanted.rows(), 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "select split_part(c, '/', k) as r from S [rows 1]",
        "select regexp_extract(c, '(a)', k - 1) as r from S [rows 1]",
        "select split_part(c, '/', k) as r from S [range 6 slide 4]",
        "select split_part(c, '/', k) as r, count(*) as n from S [rows 1] group by split_part(c, '/', k)",
        "select max(split_part(c, '/', k)) as r from S [partition by c rows 1]",
        "select a.k as r from S [rows 1] as a, S [rows 1] as b where split_part(a.c, '/', a.k) = b.c",
        "IStream(select 10 / k as r from S [rows 1])"})
    void shouldLetTheEngineRejectARowThatNoInstantShows(final String query)
    {
        assertThat(isRejectionWrong(query, "1000 S + 0,a/b\n1000 S + 1,a/b")).as("the first row fails").isFalse();
        assertThat(isRejectionWrong(query, "1000 S + 2,a/b\n1000 S + 1,a/b")).as("no row fails").isTrue();
    }

    @Test
    void shouldLetTheEngineRejectARowOfARelationThatLeavesAtOnce()
    {
        final String query = "select split_part(c, '/', k) as r from T";
        assertThat(isRejectionWrong(query, "1000 T + 0,a/b\n1000 T - 0,a/b")).as("the row fails").isFalse();
        assertThat(isRejectionWrong(query, "1000 T + 1,a/b\n1000 T - 1,a/b")).as("no row fails").isTrue();
    }

    @Test
    void shouldReportTheRejectionOfARowThatNoFunctionSees()
    {
        assertThat(isRejectionWrong("select split_part(c, '/', k) as r from S [rows 1] where k > 0",
            "1000 S + 0,a/b\n1000 S + 1,a/b")).isTrue();
    }

    @Test
    void shouldMakeStatementsOfEveryKind()
    {
        final Set<String> missing = new TreeSet<>(Features.names());
        for (long seed = 0; seed < 6_000; seed++)
        {
            Features.of(CaseGenerator.rules(seed)).forEach(missing::remove);
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldMakeTheSameCaseOfTheSameSeed()
    {
        for (long seed = 0; seed < 200; seed++)
        {
            final CaseFile once = CaseGenerator.rules(seed);
            final CaseFile again = CaseGenerator.rules(seed);
            assertThat(again.rules()).isEqualTo(once.rules());
            assertThat(DifferentialTester.answered(again.over(CaseGenerator.arrivals(again, seed))).toYaml())
                .isEqualTo(DifferentialTester.answered(once.over(CaseGenerator.arrivals(once, seed))).toYaml());
        }
    }
}
