package dev.millrace.cql.planner;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
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
     * A planner that makes flows of some queries, also when pipelines could run them. Flows know texts, not ids of
     * dictionaries, so that they can be added when dictionaries are fixed.
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

    /**
     * Loads the classes that planning needs by planning built-in statements: the first plan of a process costs a second
     * otherwise.
     */
    public static void warmUp()
    {
        final EventType tick = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("price", CqlType.DOUBLE));
        final Catalog catalog = Catalog.builder().stream("ticks", tick).cache("symbols", tick, List.of("symbol"))
            .build();
        try
        {
            new RulePlanner(Long.MAX_VALUE / 1_000_000L).plan("warmUp", List.of(
                RuleText.view("joined", "RStream(select t.symbol as symbol, t.price as price from ticks[now] as t, " +
                    "symbols as s where t.symbol = s.symbol and t.price > 0.5)"),
                RuleText.query("changes", "select symbol, change from joined match_recognize (partition by symbol " +
                    "measures B.symbol as symbol, 100 * (B.price - A.price) / A.price as change all matches " +
                    "pattern (A B) define B as B.price > A.price) as m"),
                RuleText.query("sums", "select symbol, sum(price) as total from ticks group by symbol " +
                    "having sum(price) > 1")), catalog);
        }
        catch (final CqlException e)
        {
            throw new IllegalStateException("the built-in statement cannot be planned: please report this bug", e);
        }
    }
}
