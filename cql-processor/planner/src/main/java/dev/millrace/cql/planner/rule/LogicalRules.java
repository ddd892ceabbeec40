package dev.millrace.cql.planner.rule;

import java.util.List;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rel.rules.FilterMergeRule;
import org.apache.calcite.rel.rules.ProjectRemoveRule;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * The fixed list of rewrites of logical plans. None of them changes an expression: the expressions of filters and
 * projections are evaluated as written.
 */
public final class LogicalRules
{
    private static final RelBuilderFactory BUILDER = RelBuilder.proto(
        Contexts.of(RelBuilder.Config.DEFAULT.withSimplify(false).withSimplifyLimit(false).withSimplifyValues(false)
            .withPruneInputOfAggregate(false).withBloat(-1)));
    private static final HepProgram PROGRAM = program();

    private LogicalRules()
    {
    }

    private static HepProgram program()
    {
        return new HepProgramBuilder()
            .addRuleCollection(List.of(
                // HAVING conditions on keys only prevent groups from being created.
                FilterAggregateTransposeRule.Config.DEFAULT.withRelBuilderFactory(BUILDER).toRule(),
                FilterMergeRule.Config.DEFAULT.withRelBuilderFactory(BUILDER).toRule(),
                ProjectRemoveRule.Config.DEFAULT.withRelBuilderFactory(BUILDER).toRule()))
            .build();
    }

    public static RelNode apply(final RelNode plan)
    {
        final HepPlanner planner = new HepPlanner(PROGRAM);
        planner.setRoot(plan);
        return planner.findBestExp();
    }
}
