package dev.millrace.cql.planner.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.IndexPredicate;
import dev.millrace.cql.plan.IndexPredicate.Bound;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements that an index selects, and the conditions that it tests. */
@Timeout(60)
class StatementIndexPlannerTest
{
    private static final Catalog CATALOG = Catalog.builder().stream("S", PlanFixture.ALL).build();
    private static final int MANY = 40;

    private static List<PipelinePlan> plan(final List<RuleText> rules) throws CqlException
    {
        return new RulePlanner().plan("test", rules, CATALOG).pipelines();
    }

    /** Many statements that differ in more than one value. */
    private static List<RuleText> many(final String text)
    {
        final List<RuleText> rules = new ArrayList<>();
        IntStream.range(0, MANY).forEach(i -> rules.add(RuleText.query("q" + i, text.replace("#", "" + i))));
        return rules;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "i = 7 and l > #                    | 0 | 7 | true | 7 | true",
        "l > # and 7 = i                    | 0 | 7 | true | 7 | true",
        "i > 7 and i <= 9 and i + l = #     | 0 | 7 | false | 9 | true",
        "i between 7 and 9 and i + l = #    | 0 | 7 | true | 9 | true",
        "7 >= i and i + l = #               | 0 |   |      | 7 | true",
        "i > 3 and i >= 7 and i > 5 and i + l = # | 0 | 7 | true | | "})
    void shouldAskForAsLittleAsTheConditionLets(final String where, final int column, final Integer low,
        final Boolean isLowIn, final Integer high, final Boolean isHighIn) throws CqlException
    {
        final List<PipelinePlan> pipelines = plan(many("select i from S where " + where));
        assertThat(pipelines).hasSize(MANY).extracting(PipelinePlan::indexPredicate).containsOnly(
            new IndexPredicate(column, CqlType.INT,
            low == null ? null : new Bound(low, isLowIn), high == null ? null : new Bound(high, isHighIn)));
    }

    @Test
    void shouldPreferTheTextThatAColumnMustHave() throws CqlException
    {
        final Bound text = new Bound("x", true);
        assertThat(plan(many("select i from S where i > # and d between 1.0 and 2.0 and c = 'x'")))
            .hasSize(MANY).extracting(PipelinePlan::indexPredicate)
            .containsOnly(new IndexPredicate(4, CqlType.CHAR, text, text));
    }

    @Test
    void shouldFollowAColumnThroughViews() throws CqlException
    {
        final List<RuleText> rules = many("select k from V where k = 7 and n > #");
        rules.add(0, RuleText.view("V", "select l as n, i as k from S where d > 1.0"));
        final Bound seven = new Bound(7, true);
        assertThat(plan(rules)).hasSize(MANY).extracting(PipelinePlan::indexPredicate)
            .containsOnly(new IndexPredicate(0, CqlType.INT, seven, seven));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "c = 'x' and l > #               | 1",
        "i = 7 and i + l = #             | 1",
        "i between 7 and 9 and i < #     | 0",
        "d between 0.5 and 1.5 and l > # and l < 1000 | 2",
        "d > 0.5 and c2 > 'x#'           | 2",
        "c = 'x' and c = 'y' and l > #   | 2"})
    void shouldCompileOnlyConditionsThatTheIndexHasNotTested(final String where, final int conditions)
        throws CqlException
    {
        assertThat(plan(many("select i from S where " + where))).hasSize(MANY).allSatisfy(pipeline ->
        {
            assertThat(pipeline.indexed()).isTrue();
            assertThat(pipeline.compiledRoots()).singleElement().isInstanceOfSatisfying(Operator.Calc.class, calc ->
                assertThat(Conditions.conjuncts(calc.condition())).hasSize(conditions));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select i from S where i = 7 or l = #",
        "select i from S where i = 7 and l / i > #",
        "select i from S where i != # or l > 3",
        "select i from S where c > 'x#'",
        "select sum(l) as s from S where i = 7 and l > #",
        "IStream(select sum(l) as s from S[range # seconds] where i = 7)"})
    void shouldLeaveStatementsTogetherThatMustSeeEveryRow(final String text) throws CqlException
    {
        final List<PipelinePlan> pipelines = plan(many(text.replace("range #", "range 1#")));
        assertThat(pipelines).hasSize(1).extracting(PipelinePlan::indexPredicate).containsOnlyNulls();
        assertThat(pipelines.get(0).outputs()).hasSize(MANY);
    }

    @Test
    void shouldLeaveAFewStatementsTogether() throws CqlException
    {
        final List<RuleText> rules = many("select i from S where i = 7 and l > #");
        assertThat(plan(rules.subList(0, 5))).hasSize(1);
    }

    @Test
    void shouldTakeSmallFamiliesApartAndKeepLargeOnes() throws CqlException
    {
        final List<RuleText> rules = many("select i from S where i = 7 and l > #");
        rules.add(RuleText.query("small1", "select l from S where i = 1"));
        rules.add(RuleText.query("small2", "select l from S where i = 2"));
        IntStream.range(0, MANY).forEach(i ->
            rules.add(RuleText.query("large" + i, "select d from S where i = " + i)));
        final List<PipelinePlan> pipelines = plan(rules);
        assertThat(pipelines).hasSize(MANY + 2 + 1);
        assertThat(pipelines.get(0).roots()).hasSize(1).first().isInstanceOf(Operator.Family.class);
        assertThat(pipelines).filteredOn(pipeline -> pipeline.name().startsWith("small"))
            .extracting(pipeline -> pipeline.indexPredicate().low().value()).isEqualTo(List.of(1, 2));
    }
}
