package dev.millrace.cql.planner;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.print.PlanPrinter;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Plans the rules of a processor. Stateless, thread-safe. */
public final class RulePlanner
{
    /** Time after which the planning of one rule is aborted. */
    public static final long DEFAULT_DEADLINE_MS = 5_000;

    private final long deadlineMs;
    private final Predicate<RuleText> flowsOnly;

    /** Uses the default deadline. */
    public RulePlanner()
    {
        this(DEFAULT_DEADLINE_MS);
    }

    /**
     * @param deadlineMs time after which the planning of one rule is aborted
     */
    public RulePlanner(final long deadlineMs)
    {
        this(deadlineMs, rule -> false);
    }

    private RulePlanner(final long deadlineMs, final Predicate<RuleText> flowsOnly)
    {
        this.deadlineMs = deadlineMs;
        this.flowsOnly = flowsOnly;
    }

    /**
     * A planner that creates flows for all statements, including those that pipelines could run: for comparison.
     *
     * @return planner with the same deadline
     */
    public RulePlanner flowsOnly()
    {
        return new RulePlanner(deadlineMs, rule -> true);
    }

    /**
     * A planner that creates flows for some queries even if pipelines could run them: flows can discard the state of
     * single partitions, pipelines keep the state of all partitions together.
     *
     * @param queries ids of the queries
     * @return planner with the same deadline
     */
    public RulePlanner withFlows(final Set<String> queries)
    {
        final Set<String> ids = Set.copyOf(queries);
        return new RulePlanner(deadlineMs, rule -> ids.contains(rule.id()));
    }

    /**
     * Plans views and queries together: each view runs fused with the queries that read it; a view that no query reads
     * is checked and omitted.
     *
     * @param processorId id of the processor; first part of the names of output event types
     * @param rules       views and queries in order of declaration
     * @param catalog     channels and caches that the rules may read
     * @return the plan of all queries
     * @throws CqlException with every problem of every rule
     */
    public ProcessorPlan plan(final String processorId, final List<RuleText> rules, final Catalog catalog)
        throws CqlException
    {
        return plan(processorId, rules, catalog, null).plan();
    }

    /**
     * Plans changed rules: only those that are new, that are different, or that read other views than before. The plan
     * equals the one that {@link #plan(String, List, Catalog)} creates.
     *
     * @param before earlier plan of the same processor, whose forms are reused if the catalog is the same object;
     *               {@code null} to plan all rules
     * @return the plan of all queries, for the next change
     * @throws CqlException with every problem of every rule; the earlier plan remains usable
     */
    public RuleSetPlan plan(final String processorId, final List<RuleText> rules, final Catalog catalog,
        final RuleSetPlan before) throws CqlException
    {
        return new RuleSetPlanner(rules, catalog, deadlineMs, flowsOnly,
            before != null && before.isOf(processorId, catalog) ? before : null).plan(processorId);
    }

    /**
     * Formats a plan for display.
     *
     * @return one line per operator, consumers indented below
     */
    public String explain(final ProcessorPlan plan)
    {
        return PlanPrinter.print(plan);
    }

    /**
     * Formats the logical plans of rules for display: the meaning of the rules, before the planner decides how they
     * run.
     *
     * @param rules   views and queries in order of declaration
     * @param catalog channels and caches that the rules may read
     * @return one line per operator, inputs indented below, by rule
     * @throws CqlException with every problem of every rule
     */
    public String logicalPlans(final List<RuleText> rules, final Catalog catalog) throws CqlException
    {
        final RuleSetPlanner all = new RuleSetPlanner(rules, catalog, deadlineMs, rule -> true, null);
        all.plan("explain");
        return all.logical();
    }
}
