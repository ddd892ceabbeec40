package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns that become pipelines and patterns that become flows, with the plans of the flows. */
@Timeout(60)
class PatternPlanTest
{
    private static ProcessorPlan plan(final String clauses)
    {
        return PlanFixture.query("select * from N match_recognize (" + clauses + ") as T").plan();
    }

    private static PatternSpec spec(final String clauses)
    {
        return spec(plan(clauses));
    }

    private static PatternSpec spec(final ProcessorPlan plan)
    {
        assertThat(plan.pipelines()).isEmpty();
        return ((FlowNode.Match) FlowNode.upstream(plan.flows().get(0).outputs().get(0).input()).stream()
            .filter(FlowNode.Match.class::isInstance).findFirst().orElseThrow()).pattern();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "measures A.c1 as a, B.c1 as b pattern (A B) define B as B.c2 > A.c2",
        "measures A.c1 as a, B.c1 as b all matches pattern (A B) define B as B.c2 > prev(B.c2)",
        "partition by c1 measures prev(A.c1, 2) as a pattern (A B C) define B as B.c2 > 1, C as C.c2 > B.c2",
        "measures first(A.c1) as a, last(c1, 1) as b pattern (A B) define B as first(c2) > 1",
        "measures A.c1 as a pattern ((A) (B)) define B as B.c2 > A.c2"})
    void shouldStayAPipelineWhenEachVariableIsOneRow(final String clauses)
    {
        final ProcessorPlan plan = plan(clauses);
        assertThat(plan.flows()).isEmpty();
        assertThat(plan.pipelines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "measures A.c1 as a pattern (A B+) define B as B.c2 > A.c2",
        "measures A.c1 as a pattern (A | B) define B as B.c2 > A.c2",
        "measures A.c1 as a pattern (A B A) define B as B.c2 > 1",
        "measures A.c1 as a pattern (A B) within 5 define B as B.c2 > 1",
        "measures A.c1 as a pattern (A B) subset U = (A, B) define B as B.c2 > 1",
        "measures count(A.*) as a pattern (A B) define B as B.c2 > 1",
        "measures prev(A.c1 + 1) as a pattern (A B) define B as B.c2 > 1",
        "measures prev(A.c1, 1, 5) as a pattern (A B) define B as B.c2 > 1",
        "measures prev(A.c1, 5000) as a pattern (A B) define B as B.c2 > 1",
        "measures prev(last(A.c1)) as a pattern (A B) define B as B.c2 > 1",
        "measures next(A.c1) as a pattern (A B) define B as B.c2 > 1",
        "measures classifier() as a pattern (A B) define B as B.c2 > 1",
        "measures match_number() as a pattern (A B) define B as B.c2 > 1",
        "measures final last(A.c1) as a pattern (A B) define B as B.c2 > 1",
        "measures A.element_time as a pattern (A B) define B as B.c2 > 1",
        "order by element_time measures A.c1 as a pattern (A B) define B as B.c2 > 1",
        "measures A.c1 as a one row per match pattern (A B) define B as B.c2 > 1",
        "measures A.c1 as a all rows per match pattern (A B) define B as B.c2 > 1",
        "measures A.c1 as a after match skip to next row pattern (A B) define B as B.c2 > 1",
        "measures A.c1 as a include timer events pattern (A B) duration 5 define B as B.c2 > 1"})
    void shouldBecomeAFlowWhenAPipelineCannotRunIt(final String clauses)
    {
        assertThat(spec(clauses).variables()).contains("A");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A B+ ~ Sequence[terms=[Variable[variable=0], Repeat[term=Variable[variable=1], min=1, max=2147483647, " +
            "greedy=true]]]",
        "A | B?? ~ Alternation[terms=[Variable[variable=0], Repeat[term=Variable[variable=1], min=0, max=1, " +
            "greedy=false]]]",
        "permute(B, A) ~ Permute[terms=[Variable[variable=0], Variable[variable=1]]]",
        "A{2,3} () ~ Sequence[terms=[Repeat[term=Variable[variable=0], min=2, max=3, greedy=true], Empty[]]]"})
    void shouldPlanPattern(final String pattern, final String expected)
    {
        assertThat(spec("measures A.c1 as a pattern (" + pattern + ") define A as A.c2 > 1").pattern())
            .hasToString(expected);
    }

    @Test
    void shouldPlanExclusionWithAllRows()
    {
        final PatternSpec spec = spec("partition by c1 measures A.c1 as a all rows per match omit empty matches " +
            "after match skip to first B pattern (A {- B -}) define A as A.c2 > 1");
        assertThat(spec.pattern()).hasToString("Sequence[terms=[Variable[variable=0], " +
            "Exclude[term=Variable[variable=1]]]]");
        assertThat(spec.output()).isEqualTo(PatternSpec.RowsPerMatch.ALL_OMIT_EMPTY);
        assertThat(spec.skip()).isEqualTo(PatternSpec.Skip.TO_FIRST);
        assertThat(spec.skipVariables()).isEqualTo(2);
        assertThat(spec.partitionBy()).containsExactly(0);
        assertThat(spec.measures().stream().map(field -> field.name()).toList()).containsExactly("c1", "a", "c2");
    }

    @Test
    void shouldPlanTimes()
    {
        final PatternSpec within = spec("measures A.c1 as a pattern (A B+) within inclusive 5 define B as B.c2 > 1");
        assertThat(within.withinNs()).isEqualTo(5_000_000_000L);
        assertThat(within.withinInclusive()).isTrue();
        assertThat(within.output()).isEqualTo(PatternSpec.RowsPerMatch.ONE_WITHOUT_EMPTY);
        final PatternSpec duration = spec("measures A.c1 as a all matches include timer events pattern (A B*) " +
            "duration multiples of 10 define B as B.c2 > 1");
        assertThat(duration.durationNs()).isEqualTo(10_000_000_000L);
        assertThat(duration.durationRepeats()).isTrue();
        assertThat(duration.allMatches()).isTrue();
    }

    @Test
    void shouldPlanLeavesOfConditionsAndMeasures()
    {
        final PatternSpec spec = spec("measures sum(U.c2 * 2) as a pattern (A B+) subset U = (A, B) " +
            "define B as B.c2 > prev(B.c2, 2) and count(*) < 5");
        assertThat(spec.conditions().get(0)).isNull();
        final Expression.Call and = (Expression.Call) spec.conditions().get(1);
        assertThat(((Expression.Call) and.arguments().get(0)).arguments().get(1)).isEqualTo(
            new PatternExpression.Navigation(2, PatternExpression.End.LAST, 0, 2, -1, true, 1, CqlType.INT));
        final PatternExpression.Aggregate sum =
            (PatternExpression.Aggregate) spec.measures().get(0).expression();
        assertThat(sum.variables()).isEqualTo(3);
        assertThat(sum.function()).isEqualTo("sum");
        assertThat(sum.arguments().get(0)).isInstanceOf(Expression.Call.class);
    }

    @Test
    void shouldReadTimesOfRowsThroughViews()
    {
        final ProcessorPlan plan = PlanFixture.rules(
            RuleText.view("v", "select c2, c1 from N where c2 > 10"),
            RuleText.query("q", "select T.a from v match_recognize (measures A.element_time as a pattern (A B+) " +
                "define B as B.c2 > 1) as T")).plan();
        final PatternExpression.Navigation time =
            (PatternExpression.Navigation) spec(plan).measures().get(0).expression();
        assertThat(time.column()).isEqualTo(2);
        assertThat(plan.flows().get(0).sources()).hasSize(1);
        assertThat(FlowNode.upstream(plan.flows().get(0).outputs().get(0).input()))
            .hasAtLeastOneElementOfType(FlowNode.Timed.class);
    }

    @Test
    void shouldKnowTheTimesOfRowsOfEveryStream()
    {
        assertThat(PlanFixture.rules(
            RuleText.view("v", "IStream(select c1, c2 from N [range 5])"),
            RuleText.query("q", "select T.a from v match_recognize (measures A.element_time as a pattern (A B+) " +
                "define B as B.c2 > 1) as T")).plan().flows().get(0).sources()).hasSize(1);
    }

    @Test
    void shouldWarnOfLoopsThatNeverEnd()
    {
        final String endless = "select T.a from N match_recognize (measures A.c1 as a pattern (A B* C) " +
            "define A as A.c2 = 1) as T";
        assertThat(RuleWarnings.of(List.of(RuleText.query("q", endless),
            RuleText.query("bad", "select"), RuleText.query("fine", endless.replace("B*", "B*?"))))).hasSize(1)
            .allSatisfy(warning ->
            {
                assertThat(warning.ruleId()).isEqualTo("q");
                assertThat(warning.code()).isEqualTo(Message.ENDLESS_LOOP.code());
                assertThat(warning.column()).isEqualTo(endless.indexOf('*') + 1);
            });
    }

    @Test
    void shouldOfferOnlyMeasures()
    {
        PlanFixture.fails(Message.NOT_A_MEASURE, "select T.^c2^ from N match_recognize (measures A.c1 as x " +
            "pattern (A B+) define A as A.c2 = 1) as T", "only measures can be selected: x");
    }

    @Test
    void shouldPlanTheSelectAroundThePattern()
    {
        final ProcessorPlan plan = PlanFixture.query("select T.a * 2 as twice from N match_recognize " +
            "(measures A.c1 as a pattern (A B+) define B as B.c2 > A.c2) as T where T.a > 25").plan();
        assertThat(plan.flows().get(0).outputs().get(0).stream()).isTrue();
        assertThat(plan.flows().get(0).outputs().get(0).input()).isInstanceOf(FlowNode.Calc.class);
        assertThat(List.of(plan.flows().get(0).outputs().get(0).type().properties().get(0).name()))
            .containsExactly("twice");
    }
}
