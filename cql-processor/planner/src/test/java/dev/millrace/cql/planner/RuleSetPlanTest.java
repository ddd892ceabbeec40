package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plan reuses the forms of an earlier plan of the same processor where they are still the same, and no others. */
@Timeout(60)
class RuleSetPlanTest
{
    private static final Catalog CATALOG = PlanFixture.CATALOG;
    private static final RuleText JOIN = RuleText.query("join",
        "istream(select a.c1 as c1 from N [range 5 seconds] as a, S2 [rows 3] as b where a.c1 = b.c1)");
    private static final RuleText FILTER = RuleText.query("filter", "select c1 from N where c2 > 1");
    private static final RuleText VIEW =
        RuleText.view("v", "istream(select distinct c1, c2 from N [range 5 seconds])");
    private static final RuleText READER = RuleText.query("reader", "select c1 from v where c2 > 1");

    private static RuleSetPlan plan(final RuleSetPlan before, final RuleText... rules) throws CqlException
    {
        return new RulePlanner().plan("proc", List.of(rules), CATALOG, before);
    }

    private static FlowPlan flowOf(final RuleSetPlan plan, final String query)
    {
        return plan.plan().flows().stream().filter(flow -> flow.outputs().stream()
            .anyMatch(output -> output.queryId().equals(query))).findFirst().orElseThrow();
    }

    @Test
    void shouldReuseWhatAChangeDoesNotTouch() throws CqlException
    {
        final RuleSetPlan before = plan(null, VIEW, JOIN, FILTER, READER);
        final RuleSetPlan after =
            plan(before, VIEW, JOIN, FILTER, READER, RuleText.query("more", "select c1 from N where c2 > 2"));
        for (final String query : List.of("join", "filter", "reader"))
        {
            assertThat(after.isSame(query, before)).as(query).isTrue();
        }
        assertThat(after.isSame("more", before)).isFalse();
        assertThat(flowOf(after, "join")).isSameAs(flowOf(before, "join"));
        assertThat(flowOf(after, "reader")).isSameAs(flowOf(before, "reader"));
    }

    @Test
    void shouldPlanTheReadersOfAChangedViewAgain() throws CqlException
    {
        final RuleSetPlan before = plan(null, VIEW, JOIN, READER);
        final RuleSetPlan after =
            plan(before, RuleText.view("v", "istream(select distinct c1, c2 from N [range 6 seconds])"), JOIN, READER);
        assertThat(after.isSame("reader", before)).isFalse();
        assertThat(after.isSame("join", before)).isTrue();
    }

    @Test
    void shouldNotReuseFormsOfAnotherCatalogOrProcessor() throws CqlException
    {
        final RuleSetPlan before = plan(null, JOIN);
        final Catalog other = Catalog.builder().stream("N", PlanFixture.TICK).build();
        final RuleText query = RuleText.query("q", "select symbol from N");
        assertThat(new RulePlanner().plan("proc", List.of(query), other, before).isSame("q", before)).isFalse();
        assertThat(new RulePlanner().plan("other", List.of(JOIN), CATALOG, before).plan().flows().get(0).outputs()
            .get(0).type().name()).isEqualTo("other.join");
    }

    @Test
    void shouldReleaseTheFormsOfRemovedRules() throws CqlException
    {
        final RuleSetPlan before = plan(null, VIEW, JOIN, FILTER, READER);
        final RuleSetPlan after = plan(before, FILTER);
        assertThat(before.form(JOIN, false)).isNotNull();
        assertThat(List.of(VIEW, JOIN, READER)).allMatch(rule -> after.form(rule, false) == null);
        assertThat(after.flow(List.of(before.form(JOIN, false)))).isNull();
    }

    @Test
    void shouldKeepBothFormsOfARuleThatRunsAsAFlowInsteadOfAPipeline() throws CqlException
    {
        final RulePlanner flows = new RulePlanner().withFlows(Set.of("filter"));
        final RuleSetPlan pipeline = plan(null, FILTER);
        final RuleSetPlan flow = flows.plan("proc", List.of(FILTER), CATALOG, pipeline);
        assertThat(flow.isSame("filter", pipeline)).isFalse();
        final RuleSetPlan again = plan(flow, FILTER, JOIN);
        assertThat(again.plan().pipelines().get(0).outputs()).extracting(Operator.Output::queryId)
            .containsExactly("filter");
        assertThat(flows.plan("proc", List.of(FILTER, JOIN), CATALOG, again).isSame("filter", flow)).isTrue();
        assertThat(Objects.requireNonNull(again.form(FILTER, false))).isSameAs(pipeline.form(FILTER, false));
    }

    @Test
    void shouldAddTheTimeToTheRowsOfAViewOnceForOldAndNewReaders() throws CqlException
    {
        final RuleText first = RuleText.query("first", "select c1 from v where element_time > 1L");
        final RuleText second = RuleText.query("second", "select c2 from v where element_time > 2L");
        final RuleSetPlan after = plan(plan(null, VIEW, first), VIEW, first, second);
        assertThat(flowOf(after, "first").outputs()).hasSize(2);
        assertThat(timed(flowOf(after, "first"))).hasSize(1).isEqualTo(
            timed(flowOf(plan(null, VIEW, first, second), "first")));
    }

    private static List<String> timed(final FlowPlan flow)
    {
        final Set<FlowNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        flow.outputs().forEach(output -> FlowNode.upstream(output.logical()).stream()
            .filter(FlowNode.Timed.class::isInstance).forEach(found::add));
        return found.stream().map(FlowNode::toString).toList();
    }
}
