package dev.millrace.cql.planner.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Display of flows. */
@Timeout(60)
class FlowPrinterTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select distinct c from A[rows 3]                        | distinct",
        "select c, sum(i) as x from A[range 5 slide 1] group by c | group by c0 [sum(c1)]",
        "select count(*) as x, count(distinct c) as y from A[now]     | group of all [count(*), count(distinct c0)]",
        "select c from A[range 90 seconds slide 1500 milliseconds] | window range 90 seconds slide 1500 milliseconds",
        "select c from A[range 2 minutes]                             | window range 2 minutes",
        "select c from A[range 10 on i]                               | window range 10.0 on i",
        "select c from A[rows 5 slide 2]                              | window rows 5 slide 2",
        "select c from A[partition by c, i rows 2]                    | window partition by c, i rows 2",
        "select c from A[partition by c rows 2 range 1 hour slide 1 day] | rows 2 range 1 hour slide 1 day",
        "select i from A[now] order by c nulls first, i desc nulls last rows 2 partition by c | " +
            "top 2 by order1 nulls first, i desc nulls last partition by order2",
        "select i from A[range 5] order by i rows 2              | top 2 by i",
        "select i from A order by i desc                         | sort by i desc",
        "IStream(select i from A[now]) difference using (i)      | istream difference using i",
        "select i from A union select i from A                   | union",
        "select i from A[now] evaluate every 5                   | evaluate every 5 seconds",
        "select case when i > 1 then c else 'x' end as y from A  | case when ($0 > 1) then $",
        "select upper(c) as y from A where c like 'a'            | upper($",
        "select x.i from A[now] as x, A[rows 2] as y where x.i = y.i | inner join on i = i",
        "select T.x from A match_recognize (measures B.i as x pattern (B+ C) define B as B.i > 1) as T | pattern",
        "RStream(select T.i from A[now] as T, byNumber as R where R.id = T.i + 1 and 1 = 1) | byNumber"})
    void shouldShowWhatAFlowDoes(final String statement, final String part)
    {
        assertThat(new RulePlanner().explain(PlanFixture.query(statement).plan())).contains(part);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "PARTITION_ORDERED | N.c1 | select N.c1 from N[range 5], S2[range 5] where N.c1 = S2.c1 | N by $0, S2 by $0",
        "PARTITION_ORDERED | N.c1 | select N.c1 from N[now], S2[range 5] where N.c2 < S2.c1     | N by $0, S2 to all",
        "UNORDERED         |      | select c1 from N union all select c1 from S2              | N to any, S2 to any"})
    void shouldShowWhichEnginesTakeRows(
        final String order, final String expression, final String statement, final String routes)
    {
        assertThat(new RulePlanner().explain(PlanFixture.rules(
            new RuleText("q", false, statement, null, order, expression)).plan())).contains(order + ' ' + routes);
    }

    @Test
    void shouldShowWhatEachWorkerComputesAndWhatIsMerged()
    {
        assertThat(new RulePlanner().explain(PlanFixture.rules(
            RuleText.view("v", "select c1, count(*) as n from N[range 10 slide 2] group by c1"),
            new RuleText("q", false, "select max(n) as m from v", null, "PARTITION_ORDERED", "c1")).plan()))
            .isEqualTo("""
                query q relation [m] PARTITION_ORDERED N by $0, merged on one worker
                  1 calc [m=$0]
                    2 calc [aggregate0=$0]
                      3 group of all [max(part0)]
                        4 relation q/part1 [part0]
                part q/part1 relation [part0] on each worker
                  1 group of all [max(c0)]
                    2 calc [c0=$1]
                      3 calc [n=$1]
                        4 group by c0 [count(*)]
                          5 calc [c0=$0]
                            6 window range 10 seconds slide 2 seconds
                              7 stream N [c1] of 2 columns
                """);
    }
}
