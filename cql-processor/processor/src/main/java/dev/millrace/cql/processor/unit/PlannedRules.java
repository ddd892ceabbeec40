package dev.millrace.cql.processor.unit;

import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.RuleSetPlan;
import dev.millrace.network.definition.ProcessorStage;

/**
 * The rules of a processor and their plan; the next change of the rules reuses what it does not affect. Thread-safe,
 * except for the forms, which the thread that changes rules uses.
 */
public final class PlannedRules
{
    private final ProcessorStage definition;
    private final ProcessorPlan plan;
    private final RuleSetPlan forms;
    private volatile String text;

    /** Rules whose plan was created by a planner. */
    public PlannedRules(final ProcessorStage definition, final RuleSetPlan forms)
    {
        this(definition, forms.plan(), forms);
    }

    /** Rules whose plan was created in another way: the next change plans all of them. */
    public PlannedRules(final ProcessorStage definition, final ProcessorPlan plan)
    {
        this(definition, plan, null);
    }

    private PlannedRules(final ProcessorStage definition, final ProcessorPlan plan, final RuleSetPlan forms)
    {
        this.definition = definition;
        this.plan = plan;
        this.forms = forms;
    }

    public ProcessorStage definition()
    {
        return definition;
    }

    public ProcessorPlan plan()
    {
        return plan;
    }

    /** The planned forms; {@code null} if no planner created the plan. */
    public RuleSetPlan forms()
    {
        return forms;
    }

    /** Whether a query has the same form as in the rules before a change, so that both compute the same. */
    public boolean isSame(final String query, final PlannedRules before)
    {
        return forms != null && before != null && forms.isSame(query, before.forms);
    }

    /** Whether the rules can use the same sources, functions and classes as those of another definition. */
    public boolean hasObjectsOf(final ProcessorStage other)
    {
        return forms != null && definition.objects() == other.objects() &&
            definition.cacheSources().equals(other.cacheSources());
    }

    /** The plan for display; formatted when it is first read, since it is long if there are many rules. */
    public String text()
    {
        if (text == null)
        {
            text = new RulePlanner().explain(plan);
        }
        return text;
    }
}
