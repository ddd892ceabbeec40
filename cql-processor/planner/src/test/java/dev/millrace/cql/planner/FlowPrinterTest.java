package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.RuleText;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flows as people read them. */
@Timeout(60)
class FlowPrinterTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select distinct c from A[rows 3]                        | distinct",
        "select c, sum(i) as x from A[range 5] group by c        | group by",
        "select i from A[range 5] order by i rows 2              | top 2",
        "select i from A order by i desc                         | sort by",
        "IStream(select i from A[now]) difference using (i)      | ISTREAM difference using [0]",
        "select i from A union select i from A                   | set UNION",
        "select i from A[now] evaluate every 5                   | evaluate every 5000000000 ns",
        "select case when i > 1 then c else 'x' end as y from A  | case when ($0 > 1) then $",
        "select upper(c) as y from A where c like 'a'            | upper($",
        "select x.i from A[now] as x, A[rows 2] as y where x.i = y.i | INNER join on [0] = [0]",
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
}
