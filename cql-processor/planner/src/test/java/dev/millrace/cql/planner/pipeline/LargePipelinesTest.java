package dev.millrace.cql.planner.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements of one channel that are too many for one class. */
@Timeout(60)
class LargePipelinesTest
{
    private static final Catalog CATALOG = Catalog.builder().stream("S", PlanFixture.ALL).build();

    /** Two kinds in turn; no index finds their rows. */
    private static List<PipelinePlan> plan(final int statements) throws CqlException
    {
        final List<RuleText> rules = new ArrayList<>();
        for (int i = 0; i < statements; i++)
        {
            rules.add(RuleText.query("q" + i, i % 2 == 0 ? "select i from S where i != " + i + " or l > 3" :
                "select c, count(*) as n from S where i != " + i + " or l > 3 group by c"));
        }
        return new RulePlanner().plan("test", rules, CATALOG).pipelines();
    }

    private static List<String> queries(final PipelinePlan plan)
    {
        return plan.outputs().stream().map(Operator.Output::queryId).toList();
    }

    @Test
    void shouldRunAFewStatementsAsOnePipeline() throws CqlException
    {
        assertThat(plan(LargePipelines.MOST_STATEMENTS)).hasSize(1);
    }

    @Test
    void shouldRunEveryStatementOfManyInOnePipeline() throws CqlException
    {
        final List<PipelinePlan> plans = plan(101);
        assertThat(plans.stream().flatMap(plan -> queries(plan).stream()))
            .hasSize(101).doesNotHaveDuplicates().contains("q0", "q50", "q99", "q100");
        assertThat(plans).hasSize(7).allSatisfy(plan ->
        {
            assertThat(plan.roots()).hasSizeLessThanOrEqualTo(16);
            assertThat(plan.name()).isEqualTo(String.join("_", queries(plan)));
        });
    }

    @Test
    void shouldPutStatementsOfTheSameOperatorsTogether() throws CqlException
    {
        final List<PipelinePlan> plans = plan(160);
        assertThat(plans).hasSize(10).allSatisfy(plan -> assertThat(plan.roots())
            .extracting(root -> root.consumers().get(0).getClass().getSimpleName()).containsOnly(
                plan.roots().get(0).consumers().get(0).getClass().getSimpleName()));
    }
}
