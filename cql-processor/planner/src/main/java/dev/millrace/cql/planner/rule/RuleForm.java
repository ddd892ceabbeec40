package dev.millrace.cql.planner.rule;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The planned form of one rule, and the views and sources that it was derived from. While these and the rule stay the
 * same, the rule is not planned again: later plans reuse the form, including its nodes. Filled while the rule is
 * planned, then unchanged. Not thread-safe.
 */
public final class RuleForm
{
    private final RuleText rule;
    private final boolean asFlow;
    private final Map<String, Referent> referents = new HashMap<>();
    private PlannedRule pipeline;
    private FlowRule flow;
    private FlowParallelism order;
    private boolean runsAsFlow;
    private CqlRuleException unreadable;

    /**
     * The view that a name refers to; all members are {@code null} if it refers to a source of the catalog.
     *
     * @param pipeline   view in a pipeline
     * @param flow       view in a flow
     * @param unreadable reason why no flow can read the view
     */
    public record Referent(PlannedRule pipeline, FlowRule flow, CqlRuleException unreadable)
    {
        /** Equal views may keep different state: only the same object is the same view. */
        private boolean isSame(final Referent other)
        {
            return pipeline == other.pipeline && flow == other.flow && unreadable == other.unreadable;
        }
    }

    /**
     * @param asFlow whether the rule must be a flow even if a pipeline could run it
     */
    public RuleForm(final RuleText rule, final boolean asFlow)
    {
        this.rule = rule;
        this.asFlow = asFlow;
    }

    public RuleText rule()
    {
        return rule;
    }

    public boolean asFlow()
    {
        return asFlow;
    }

    /** Records what a name in the rule refers to. */
    public void read(final String name, final Referent referent)
    {
        referents.put(name, referent);
    }

    /**
     * Whether planning the rule again would have the same result.
     *
     * @param current what a name refers to now
     */
    public boolean isCurrent(final Function<String, Referent> current)
    {
        // The time limit may have prevented a flow, or the determination of its order.
        final boolean isComplete = unreadable == null ? flow == null || order != null :
            unreadable.message() != Message.TOO_SLOW;
        return isComplete && referents.entrySet().stream()
            .allMatch(entry -> entry.getValue().isSame(current.apply(entry.getKey())));
    }

    /** The rule as part of a pipeline; {@code null} if it is none. */
    public PlannedRule pipeline()
    {
        return pipeline;
    }

    public void pipeline(final PlannedRule planned)
    {
        pipeline = planned;
    }

    /** The rule as a flow; {@code null} if it is none. */
    public FlowRule flow()
    {
        return flow;
    }

    /**
     * Records the rule as a flow.
     *
     * @param runs whether it runs as such; a view and a query that was converted to a pipeline do not
     */
    public void flow(final FlowRule planned, final boolean runs)
    {
        flow = planned;
        runsAsFlow = runs;
    }

    public boolean runsAsFlow()
    {
        return runsAsFlow;
    }

    /** The order in which it runs as a flow; {@code null} if it cannot. */
    public FlowParallelism order()
    {
        return order;
    }

    public void order(final FlowParallelism determined)
    {
        order = determined;
    }

    /** The reason why no flow can read the view; {@code null} if flows can. */
    public CqlRuleException unreadable()
    {
        return unreadable;
    }

    public void unreadable(final CqlRuleException why)
    {
        unreadable = why;
    }
}
