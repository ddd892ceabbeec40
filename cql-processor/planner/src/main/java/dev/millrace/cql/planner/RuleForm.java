package dev.millrace.cql.planner;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.RuleText;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The planned form of one rule, and the views and sources that it was derived from. While these and the rule stay the
 * same, the rule is not planned again: later plans reuse the form, including its nodes. Filled while the rule is
 * planned, then unchanged. Not thread-safe.
 */
final class RuleForm
{
    private final RuleText rule;
    private final boolean asFlow;
    private final Map<String, Referent> referents = new HashMap<>();
    private PlannedRule pipeline;
    private FlowRule flow;
    private FlowOrder order;
    private boolean runsAsFlow;
    private Refusal unreadable;

    /**
     * The view that a name refers to; all members are {@code null} if it refers to a source of the catalog.
     *
     * @param pipeline   view in a pipeline
     * @param flow       view in a flow
     * @param unreadable reason why no flow can read the view
     */
    record Referent(PlannedRule pipeline, FlowRule flow, Refusal unreadable)
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
    RuleForm(final RuleText rule, final boolean asFlow)
    {
        this.rule = rule;
        this.asFlow = asFlow;
    }

    RuleText rule()
    {
        return rule;
    }

    boolean asFlow()
    {
        return asFlow;
    }

    /** Records what a name in the rule refers to. */
    void read(final String name, final Referent referent)
    {
        referents.put(name, referent);
    }

    /**
     * Whether planning the rule again would have the same result.
     *
     * @param current what a name refers to now
     */
    boolean isCurrent(final Function<String, Referent> current)
    {
        // The time limit may have prevented a flow, or the determination of its order.
        final boolean isComplete = unreadable == null ? flow == null || order != null :
            unreadable.message() != Message.TOO_SLOW;
        return isComplete && referents.entrySet().stream()
            .allMatch(entry -> entry.getValue().isSame(current.apply(entry.getKey())));
    }

    /** The rule as part of a pipeline; {@code null} if it is none. */
    PlannedRule pipeline()
    {
        return pipeline;
    }

    void pipeline(final PlannedRule planned)
    {
        pipeline = planned;
    }

    /** The rule as a flow; {@code null} if it is none. */
    FlowRule flow()
    {
        return flow;
    }

    /**
     * Records the rule as a flow.
     *
     * @param runs whether it runs as such; a view and a query that was converted to a pipeline do not
     */
    void flow(final FlowRule planned, final boolean runs)
    {
        flow = planned;
        runsAsFlow = runs;
    }

    boolean runsAsFlow()
    {
        return runsAsFlow;
    }

    /** The order in which it runs as a flow; {@code null} if it cannot. */
    FlowOrder order()
    {
        return order;
    }

    void order(final FlowOrder determined)
    {
        order = determined;
    }

    /** The reason why no flow can read the view; {@code null} if flows can. */
    Refusal unreadable()
    {
        return unreadable;
    }

    void unreadable(final Refusal why)
    {
        unreadable = why;
    }
}
