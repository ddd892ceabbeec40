package dev.millrace.cql.planner.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where conditions of flows are tested, and which conditions stay in their position. A plan is written as its nodes,
 * the last one first; {@code V} is a view of the statement before the semicolon.
 */
@Timeout(60)
class FilterPushDownTest
{
    private static String plan(final RuleText... rules)
    {
        return new RulePlanner().flowsOnly().explain(PlanFixture.rules(rules).planWith(new RulePlanner().flowsOnly()))
            .lines().skip(1).map(line -> line.strip().replaceFirst("^[0-9]+ ", "")).collect(Collectors.joining(" / "));
    }

    private static String plan(final String text)
    {
        final List<String> statements = List.of(text.split(";"));
        return statements.size() == 1 ? plan(RuleText.query("q", text)) :
            plan(RuleText.view("V", statements.get(0)), RuleText.query("q", statements.get(1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select k from S2[now] where c1 > 1 | calc [k=$1] / window now / calc where ($0 > 1) / stream S2 " +
            "[c1, k]",
        "select k from S2[range 5] where c1 > 1 | calc [k=$1] / window range 5 seconds / calc where ($0 > 1) " +
            "/ stream S2 [c1, k]",
        "select k from S2[range 5 slide 2] where c1 > 1 | calc [k=$1] / window range 5 seconds slide 2 " +
            "seconds / calc where ($0 > 1) / stream S2 [c1, k]",
        "select k from S2[rows 2] where c1 > 1 | calc [k=$1] where ($0 > 1) / window rows 2 / stream S2 [c1, " +
            "k]",
        "select k from S2[partition by k rows 2] where c1 > 1 | calc [k=$1] where ($0 > 1) / window " +
            "partition by k rows 2 / stream S2 [c1, k]",
        "select k from S2[range 5 on c1] where c1 > 1 | calc [k=$1] where ($0 > 1) / window range 5.0 on c1 " +
            "/ stream S2 [c1, k]",
        "select k from S2[session gap 5] where c1 > 1 | calc [k=$1] where ($0 > 1) / window session gap 5 " +
            "seconds / stream S2 [c1, k]",
        "select k from S2[range 5] where length(k) > 1 and c1 > 1 | calc [k=$1] where ((length($1) > 1) and " +
            "($0 > 1)) / window range 5 seconds / stream S2 [c1, k]",
        "select k from S2[range 5] where c1 > 1 and length(k) > 1 | calc [k=$1] where (length($1) > 1) / " +
            "window range 5 seconds / calc where ($0 > 1) / stream S2 [c1, k]",
        "select N.c1 from N[range 5], S2[range 5] where N.c1 = S2.c1 and N.c2 > 1 and S2.c1 < 9 | calc " +
            "[c1=$0] / inner join on c1 = c1 [c1] / window range 5 seconds / calc where ($1 > 1) / stream N [c1, " +
            "c2] / window range 5 seconds / calc where ($0 < 9) / stream S2 [c1] of 2 columns",
        "select N.c1 from N[range 5], S2[range 5] where N.c1 < S2.c1 and N.c2 > 1 | calc [c1=$0] / inner " +
            "join on ($0 < $2) [c1, c1] / window range 5 seconds / calc where ($1 > 1) / stream N [c1, c2] / " +
            "window range 5 seconds / stream S2 [c1] of 2 columns",
        "select N.c1, N.c2, S2.c1 as other from N[range 5], S2[range 5]; select c2 from V where c1 = other | " +
            "calc [c2=$1] / calc [c2=$1] / inner join on c1 = c1 [c2] / window range 5 seconds / stream N [c1, " +
            "c2] / window range 5 seconds / stream S2 [c1] of 2 columns",
        "select N.c2, S2.c1 from N[range 5], S2[range 5] where N.c1 / S2.c1 > 1; select c1 from V where c2 > " +
            "1 | calc [c1=$1] / calc [c1=$2] where ($1 > 1) / inner join on (($0 / $2) > 1) [c1, c2, c1] / " +
            "window range 5 seconds / stream N [c1, c2] / window range 5 seconds / stream S2 [c1] of 2 columns",
        "select N.c1 from N[range 5] left outer join S2[range 5] on N.c1 = S2.c1 and S2.c1 > 1 and N.c2 > 1 " +
            "where N.c2 < 5 and S2.k = 'a' | calc [c1=$0] where ($3 = 'a') / left join on c1 = c1 and ($1 > 1) " +
            "[c1, c2, k] / window range 5 seconds / calc where ($1 < 5) / stream N [c1, c2] / window range 5 " +
            "seconds / calc where ($0 > 1) / stream S2 [c1, k]",
        "select c1 + 1 as a, k from S2; select k from V[range 5] where a > 1 | calc [k=$1] / window range 5 " +
            "seconds / calc [k=$1] where (($0 + 1) > 1) / stream S2 [c1, k]",
        "select c1 / c1 as a, k from S2; select k from V[range 5] where k = 'a' | calc [k=$1] / window range " +
            "5 seconds / calc where ($1 = 'a') / calc [a=($0 / $0), k=$1] / stream S2 [c1, k]",
        "select * from N union all select c1, c1 from S2; select c2 from V where c1 > 1 | calc [c2=$1] / " +
            "union all / calc [c2=$1] where ($0 > 1) / stream N [c1, c2] / calc [c1_2=$0] where ($0 > 1) / " +
            "stream S2 [c1] of 2 columns",
        "(select c1 from N[range 5]) except (select c1 from S2[range 5]); select c1 from V where c1 > 1 | " +
            "calc [c1=$0] / except / calc [c1=$0] / window range 5 seconds / calc where ($0 > 1) / stream N [c1] " +
            "of 2 columns / calc [c1=$0] / window range 5 seconds / calc where ($0 > 1) / stream S2 [c1] of 2 " +
            "columns",
        "(select c1 from N[range 5]) in (select c1 from S2[range 5]); select c1 from V where c1 > 1 | calc " +
            "[c1=$0] / in / calc [c1=$0] / window range 5 seconds / calc where ($0 > 1) / stream N [c1] of 2 " +
            "columns / calc [c1=$0] / window range 5 seconds / stream S2 [c1] of 2 columns",
        "select c1, sum(c2) as s, count(*) as n from N[range 5] group by c1; select s from V where c1 > 1 " +
            "and n > 2 | calc [s=$1] / calc [s=$1] where ($2 > 2L) / group by c1 [sum(c2), count(*)] / window " +
            "range 5 seconds / calc where ($0 > 1) / stream N [c1, c2]",
        "select c1, first(c2) as s from N[range 5] group by c1; select s from V where c1 > 1 | calc [s=$1] / " +
            "calc [s=$1] where ($0 > 1) / group by c1 [first(c2)] / window range 5 seconds / stream N [c1, c2]",
        "select sum(c2) as s from N[range 5]; select s from V where s > 1 | calc [s=$0] / calc [s=$0] where " +
            "($0 > 1) / group of all [sum(c0)] / calc [c0=$1] / window range 5 seconds / stream N [c2] of 2 " +
            "columns",
        "IStream(select c1, c2 from N[range 5]); select c2 from V[range 5] where c1 > 1 | calc [c2=$1] / " +
            "window range 5 seconds / istream / calc [c1=$0, c2=$1] / window range 5 seconds / calc where ($0 > " +
            "1) / stream N [c1, c2]",
        "RStream(select c1, c2 from N[range 5]); select c2 from V[range 5] where c1 > 1 | calc [c2=$1] / " +
            "window range 5 seconds / calc where ($0 > 1) / rstream / calc [c1=$0, c2=$1] / window range 5 " +
            "seconds / stream N [c1, c2]",
        "select c1, c2 from N[range 5] order by c2 rows 2; select c2 from V where c1 > 1 | calc [c2=$1] / " +
            "sort by c2 / calc where ($0 > 1) / top 2 by c2 / calc [c1=$0, c2=$1] / window range 5 seconds / " +
            "stream N [c1, c2]",
        "select distinct c1, c2 from N[range 5]; select c2 from V where c1 > 1 | calc [c2=$1] / distinct / " +
            "calc [c1=$0, c2=$1] / window range 5 seconds / calc where ($0 > 1) / stream N [c1, c2]"})
    void shouldTestConditionsWhereTheySeeRowsFirst(final String statements, final String expected)
    {
        assertThat(plan(statements)).isEqualTo(expected);
    }

    @Test
    void shouldLeaveAViewThatSeveralReadAsItIs()
    {
        assertThat(plan(RuleText.view("V", "select c1, c2 from N[range 5]"),
            RuleText.query("p", "select c2 from V where c1 > 1"), RuleText.query("q", "select c1 from V")))
            .isEqualTo("calc [c2=$1] where ($0 > 1) / calc [c1=$0, c2=$1] / window range 5 seconds / " +
                "stream N [c1, c2] / query q relation [c1] / calc [c1=$0] / as 2");
    }
}
