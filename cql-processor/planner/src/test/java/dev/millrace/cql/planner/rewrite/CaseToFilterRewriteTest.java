package dev.millrace.cql.planner.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregates of a CASE that become aggregates with a filter. A plan is written as its nodes, the last one first. */
@Timeout(60)
class CaseToFilterRewriteTest
{
    private static String plan(final String text)
    {
        return new RulePlanner().flowsOnly()
            .explain(PlanFixture.rules(RuleText.query("q", text)).planWith(new RulePlanner().flowsOnly()))
            .lines().skip(1).map(line -> line.strip().replaceFirst("^[0-9]+ ", "")).collect(Collectors.joining(" / "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select count(case when c1 > 1 then 1 end) as n from N | " +
            "calc [n=$0] / group of all [count(*) filter filter0] / calc [filter0=($0 > 1)] / " +
            "window range unbounded / stream N [c1] of 2 columns",
        "select c2, count(distinct case when c1 > 1 then c1 end) as n, count(distinct c1) as m from N group by c2 | " +
            "calc [c2=$0, n=$1, m=$2] / " +
            "group by c0 [count(distinct c1) filter filter2, count(distinct c1)] / " +
            "calc [c0=$1, c1=$0, filter2=($0 > 1)] / window range unbounded / stream N [c1, c2]",
        "select sum(case when c1 > 1 then c2 end) as n from N | " +
            "calc [n=$0] / group of all [sum(c2) filter filter1] / calc [c2=$1, filter1=($0 > 1)] / " +
            "window range unbounded / stream N [c1, c2]",
        "select sum(case when c1 > 1 then 1 end) as n from N | " +
            "calc [n=$0] / group of all [sum(c0)] / calc [c0=case when ($0 > 1) then 1 else null end] / " +
            "window range unbounded / stream N [c1] of 2 columns",
        "select sum(case when c1 > 1 then c2 else 0 end) as n from N | " +
            "calc [n=$0] / group of all [sum(c0)] / calc [c0=case when ($0 > 1) then $1 else 0 end] / " +
            "window range unbounded / stream N [c1, c2]",
        "select max(case when c1 > 1 then c2 when c1 > 0 then c1 end) as n from N | " +
            "calc [n=$0] / group of all [max(c0)] / " +
            "calc [c0=case when ($0 > 1) then $1 when ($0 > 0) then $0 else null end] / " +
            "window range unbounded / stream N [c1, c2]",
        "select first(case when c1 > 1 then c2 end) as n from N [range 5] | " +
            "calc [n=$0] / group of all [first(c0)] / calc [c0=case when ($0 > 1) then $1 else null end] / " +
            "window range 5 seconds / stream N [c1, c2]"})
    void shouldFilterWhatACaseLeavesOut(final String text, final String wanted)
    {
        assertThat(plan(text)).isEqualTo(wanted);
    }
}
