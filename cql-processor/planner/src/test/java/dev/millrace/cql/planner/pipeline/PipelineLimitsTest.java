package dev.millrace.cql.planner.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.PlanFixture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements beyond the limits of one generated class become flows, others do not. */
@Timeout(60)
class PipelineLimitsTest
{
    private static final String MATCH =
        "select T.x from A match_recognize (%s measures %s as x pattern (%s) define %s) as T";

    private static String list(final int count, final String format, final String between)
    {
        return IntStream.range(0, count).mapToObj(i -> String.format(format, i)).collect(Collectors.joining(between));
    }

    static Stream<String> beyond()
    {
        return Stream.of("select " + list(31, "sum(i + %d)", ", ") + " from A",
            "select m, count(*) from A group by m", "select y, count(*) from A group by y",
            "select x, count(*) from A group by x", "select o, count(*) from A group by o",
            "select sum(m) from A", "select avg(m) from A", "select min(m) from A", "select max(m) from A group by c",
            "select m + d from A", "select i from A where m > f", "select i from A where 'a' = 'b'",
            "select i from A where i in (" + list(65, "%d", ", ") + ")",
            "select i from A where " + list(200, "i = %d", " or "),
            "select i from A where " + list(200, "i <> %d", " and "),
            MATCH.formatted("", "prev(A.i, 127)", "A B", "B as B.i > A.i"),
            MATCH.formatted("", "V0.i", list(64, "V%d", " "), "V0 as V0.i > 1"),
            MATCH.formatted("partition by m", "A.i", "A B", "B as B.i > A.i"),
            MATCH.formatted("partition by y", "A.i", "A B", "B as B.i > A.i"));
    }

    static Stream<String> within()
    {
        return Stream.of("select " + list(30, "sum(i + %d)", ", ") + " from A", "select c, count(*) from A group by c",
            "select d, min(t) from A group by d", "select sum(l) from A", "select i from A where m > i",
            "select i from A where i in (" + list(64, "%d", ", ") + ")",
            "select i from A where " + list(100, "i = %d", " or "),
            MATCH.formatted("", "prev(A.i, 126)", "A B", "B as B.i > A.i"),
            MATCH.formatted("partition by c", "A.i", list(63, "V%d", " ").replace("V0 ", "A "), "A as A.i > 1"));
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void shouldBecomeAFlowBeyondTheLimits(final String text)
    {
        final ProcessorPlan plan = PlanFixture.query(text).plan();
        assertThat(plan.pipelines()).isEmpty();
        assertThat(plan.flows()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("within")
    void shouldStayAPipelineWithinTheLimits(final String text)
    {
        final ProcessorPlan plan = PlanFixture.query(text).plan();
        assertThat(plan.pipelines()).hasSize(1);
        assertThat(plan.flows()).isEmpty();
    }
}
