package dev.millrace.cql.planner.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.RulePlanner;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class PatternPrinterTest
{
    private static final Catalog CATALOG = Catalog.builder().stream("S", EventType.tuple("ST",
        new EventProperty("k", CqlType.CHAR), new EventProperty("v", CqlType.INT))).build();

    private static String explained(final String clauses) throws CqlException
    {
        final RulePlanner planner = new RulePlanner().flowsOnly();
        return planner.explain(planner.plan("p", List.of(RuleText.query("q",
            "select M.x from S MATCH_RECOGNIZE (partition by k measures " + clauses + ") as M")), CATALOG));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A B+ ~ (A B+)",
        "A (B* | C?)+? D ~ (A (B* | C?)+? D)",
        "A{3} B{2,} C{2,5}? D{,4} ~ (A{3} B{2,} C{2,5}? D{0,4})",
        "permute(A, B) C ~ (permute(A, B) C)",
    })
    void shouldWritePatternsAsTheyAreWritten(final String pattern, final String shown) throws CqlException
    {
        assertThat(explained("A.v as x pattern (" + pattern + ") define A as A.v > 1, B as B.v > 1"))
            .contains("pattern " + shown + " partition by k\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A.v as x all matches pattern (A B) within inclusive 1 second define B as B.v > 1 ~ " +
            "pattern (A B) all matches partition by k within inclusive 1 second",
        "A.v as x include timer events pattern (A) duration multiples of 2 seconds define A as A.v > 1 ~ " +
            "pattern (A) partition by k duration multiples of 2 seconds",
        "A.v as x pattern (A B+) define B as B.v > prev(B.v, 2) ~ B as (B.v > prev(B.v, 2))",
        "A.v as x pattern (A B+) define B as B.v > first(B.v, 1) ~ B as (B.v > first(B.v, 1))",
        "last(B.v, 1) as x pattern (A B+) define B as B.v > A.v ~ measure x = last(B.v, 1)",
        "count(B.*) as x pattern (A B+) define B as B.v > A.v ~ measure x = count(* over B)",
        "count(*) as x pattern (A B+) define B as B.v > A.v ~ measure x = count(* over all)",
        "sum(AB.v) as x pattern (A B C) subset AB = (A, B) define B as B.v > A.v ~ measure x = sum($1 over [A, B])",
        "match_number() as x pattern (A B+) define B as B.v > A.v ~ measure x = match_number()",
    })
    void shouldShowClausesConditionsAndMeasures(final String clauses, final String shown) throws CqlException
    {
        assertThat(explained(clauses)).contains(shown);
    }
}
