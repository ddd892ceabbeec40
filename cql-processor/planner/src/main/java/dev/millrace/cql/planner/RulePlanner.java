package dev.millrace.cql.planner;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.CqlException;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Plans the rules of a processor. Keeps no state; safe for all threads. */
public final class RulePlanner
{
    /** Time after which the planning of one rule is stopped. */
    public static final long DEFAULT_DEADLINE_MS = 5_000;

    private final long deadlineMs;
    private final Predicate<RuleText> flowsOnly;

    /** Makes a planner with the default deadline. */
    public RulePlanner()
    {
        this(DEFAULT_DEADLINE_MS);
    }

    /**
     * Makes a planner.
     *
     * @param deadlineMs time after which the planning of one rule is stopped
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
     * A planner that makes flows of all statements, also of those that pipelines could run: a second opinion.
     *
     * @return planner with the same deadline
     */
    public RulePlanner flowsOnly()
    {
        return new RulePlanner(deadlineMs, rule -> true);
    }

    /**
     * A planner that makes flows of some queries, also when pipelines could run them: flows can forget partitions where
     * pipelines keep them together.
     *
     * @param queries ids
     * @return planner with the same deadline
     */
    public RulePlanner withFlows(final Set<String> queries)
    {
        final Set<String> ids = Set.copyOf(queries);
        return new RulePlanner(deadlineMs, rule -> ids.contains(rule.id()));
    }

    /**
     * Plans views and queries together: each view runs fused with the queries that read it; a view that nobody reads is
     * checked and left out.
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
        return new RuleSetPlanner(rules, catalog, deadlineMs, flowsOnly).plan(processorId);
    }

    /**
     * The plan as text, for people.
     *
     * @param plan a plan
     * @return one line an operator, consumers indented below
     */
    public String explain(final ProcessorPlan plan)
    {
        return PlanPrinter.print(plan);
    }

    /**
     * The logical plans of rules as text, for people: what they mean, before it is decided how they run.
     *
     * @param rules   views and queries in order of declaration
     * @param catalog what they may read
     * @return a line an operator, inputs indented below, by rule
     * @throws CqlException with every problem of every rule
     */
    public String logicalPlans(final List<RuleText> rules, final Catalog catalog) throws CqlException
    {
        final RuleSetPlanner all = new RuleSetPlanner(rules, catalog, deadlineMs, rule -> true);
        all.plan("explain");
        return all.logical();
    }
}
