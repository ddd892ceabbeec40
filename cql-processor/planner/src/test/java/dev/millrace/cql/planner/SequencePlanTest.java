package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Patterns of a first and a last row whose open matches are ordered by the value that the last row must reach, and
 * patterns whose open matches are all tested.
 */
@Timeout(60)
class SequencePlanTest
{
    private static ProcessorPlan plan(final String clauses)
    {
        return PlanFixture.query("select * from A match_recognize (" + clauses + ") as T").plan();
    }

    private static Operator.SequencePattern sequence(final String clauses)
    {
        final ProcessorPlan plan = plan(clauses);
        assertThat(plan.flows()).as(clauses).isEmpty();
        return (Operator.SequencePattern)plan.pipelines().get(0).roots().get(0);
    }

    @Test
    void shouldOrderStartsByWhatTheEndMustReach()
    {
        final Operator.SequencePattern rise = sequence("partition by c measures A.i as a, B.i as b all matches " +
            "pattern (A X* B) within inclusive 3 define B as B.d > A.d * 1.02, X as X.d <= A.d * 1.02");
        assertThat(rise.comparison()).isEqualTo(Operation.GREATER);
        assertThat(rise.between()).isEqualTo(Operator.Between.NOT_LAST_NOR_NAN);
        assertThat(rise.within()).isEqualTo(new Operator.Within(3_000_000_000L, true));
        final Operator.SequencePattern turned = sequence("measures A.i as a, B.i as b all matches " +
            "pattern (A X*? B) define A as A.i > 3, B as A.i - 2 >= B.i, X as not (X.i <= A.i - 2)");
        assertThat(turned.comparison()).isEqualTo(Operation.LESS_OR_EQUAL);
        assertThat(turned.between()).isEqualTo(Operator.Between.NOT_LAST);
        assertThat(turned.start()).isNotNull();
        assertThat(sequence("measures A.i as a, last(i) as b all matches pattern (A X* B) define B as B.i < A.i")
            .between()).isEqualTo(Operator.Between.ANY);
    }

    @Test
    void shouldShowWhatAnEndMustReach()
    {
        final ProcessorPlan plan = PlanFixture.query("select T.b - T.a as gap from A match_recognize (partition by c " +
            "measures A.i as a, B.i as b all matches pattern (A X* B) within 1 define B as B.d > A.d * 1.5, " +
            "X as not (X.d > A.d * 1.5)) as T where T.b > 2").plan();
        assertThat(new RulePlanner().explain(plan)).contains("sequence partition by [", "within 1000000000 ns",
            "start: any", "> start's ", ", the first");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "measures A.i as a pattern (A X* B) define B as B.d > A.d * 1.02, X as X.d <= A.d * 1.02",
        "measures A.i as a all matches pattern (A X+ B) define B as B.d > A.d, X as X.d <= A.d",
        "measures A.i as a all matches pattern (A X* B) define B as B.d > A.d, X as X.d < A.d",
        "measures A.i as a all matches pattern (A X* B) define B as B.d > A.d, X as X.d <= A.d + 1",
        "measures A.i as a all matches pattern (A X* B) define B as B.d > A.d and B.i > 2, X as X.d <= A.d",
        "measures A.i as a all matches pattern (A X* B) define B as B.d - A.d > 2, X as X.d - A.d <= 2",
        "measures A.i as a all matches pattern (A X* B) define B as B.d > prev(B.d), X as X.d <= A.d",
        "measures A.i as a all matches pattern (A X* B) define B as B.d = A.d, X as X.d <> A.d",
        "measures A.i as a all matches pattern (A X* B) define B as B.i > 10 / A.i",
        "measures A.i as a, count(X.*) as n all matches pattern (A X* B) define B as B.d > A.d, X as X.d <= A.d",
        "measures A.i as a, X.i as n all matches pattern (A X* B) define B as B.d > A.d, X as X.d <= A.d",
        "measures A.i as a all matches pattern (A X* A) define A as A.i > 1",
        "measures A.i as a all matches include timer events pattern (A X* B) duration 5 define B as B.d > A.d"})
    void shouldSearchWhenItCannot(final String clauses)
    {
        assertThat(plan(clauses).flows()).as(clauses).hasSize(1);
    }

    @Test
    void shouldRunOnTheRowsOfAView()
    {
        assertThat(PlanFixture.rules(RuleText.view("v", "select i + 1 as j, c from A where i > 0"),
            RuleText.query("q", "select * from v match_recognize (measures A.c as a, B.j as b all matches " +
            "pattern (A X* B) define B as B.j > A.j) as T")).plan().pipelines()).hasSize(1);
    }
}
