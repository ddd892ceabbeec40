package dev.millrace.cql.planner;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.RuleForm;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plan of a processor, with the planned form of each of its rules: the next plan of the processor reuses the forms
 * of all rules that a change does not affect. Not thread-safe.
 *
 * <p>Memory: at most two forms per rule, as a pipeline and as a flow; they are released with the plan.
 */
public final class RuleSetPlan
{
    private final String processorId;
    private final Catalog catalog;
    private final ProcessorPlan plan;
    /** By id of the rule. */
    private final Map<String, Forms> forms = new HashMap<>();
    private final Map<String, FlowNode.Source> channels;
    private final Map<FlowNode, FlowNode.Timed> timed;
    /** The flows by the forms of their queries. */
    private final Map<List<RuleForm>, FlowPlan> flows;
    /** Other flows of the plan before: a rule may be planned as a pipeline first, and then as a flow. */
    private final Map<List<RuleForm>, FlowPlan> older = new HashMap<>();

    /**
     * The forms of one rule.
     *
     * @param used  form in this plan
     * @param other form in which it was planned before, as a flow instead of a pipeline or the reverse; may be
     *              {@code null}
     */
    private record Forms(RuleForm used, RuleForm other)
    {
    }

    /**
     * @param used     forms of the rules
     * @param channels by name
     * @param timed    nodes that add the time to the rows of their inputs, by these inputs
     * @param flows    by the forms of their queries
     * @param before   earlier plan whose other forms of the same rules are kept; {@code null} for none
     */
    RuleSetPlan(final String processorId, final Catalog catalog, final ProcessorPlan plan, final List<RuleForm> used,
        final Map<String, FlowNode.Source> channels, final Map<FlowNode, FlowNode.Timed> timed,
        final Map<List<RuleForm>, FlowPlan> flows, final RuleSetPlan before)
    {
        this.processorId = processorId;
        this.catalog = catalog;
        this.plan = plan;
        this.channels = channels;
        this.timed = new IdentityHashMap<>(timed);
        this.flows = flows;
        for (final RuleForm form : used)
        {
            forms.put(form.rule().id(),
                new Forms(form, before == null ? null : before.form(form.rule(), !form.asFlow())));
        }
        if (!this.timed.isEmpty())
        {
            final Set<FlowNode> known = Collections.newSetFromMap(new IdentityHashMap<>());
            known.addAll(channels.values());
            forms.values().stream().flatMap(each -> Stream.of(each.used(), each.other())).filter(Objects::nonNull)
                .map(RuleForm::flow).filter(Objects::nonNull).map(FlowRule::result).forEach(known::add);
            this.timed.keySet().retainAll(known);
        }
        if (before != null)
        {
            before.flows.forEach((group, flow) ->
            {
                if (!flows.containsKey(group) && group.stream().allMatch(this::isKept))
                {
                    older.put(group, flow);
                }
            });
        }
    }

    private boolean isKept(final RuleForm form)
    {
        final Forms kept = forms.get(form.rule().id());
        return kept != null && (kept.used() == form || kept.other() == form);
    }

    /** Whether it is the plan of a processor over a catalog. */
    boolean isOf(final String processor, final Catalog sources)
    {
        return processorId.equals(processor) && catalog == sources;
    }

    /** The flow of some queries; {@code null} if these queries were not one flow. */
    FlowPlan flow(final List<RuleForm> group)
    {
        return flows.getOrDefault(group, older.get(group));
    }

    /** The form in which a rule was planned; {@code null} if it was not. */
    RuleForm form(final RuleText rule, final boolean asFlow)
    {
        final Forms known = forms.get(rule.id());
        if (known == null)
        {
            return null;
        }
        final RuleForm form = known.used().asFlow() == asFlow ? known.used() : known.other();
        return form != null && form.rule().equals(rule) ? form : null;
    }

    Map<String, FlowNode.Source> channels()
    {
        return channels;
    }

    Map<FlowNode, FlowNode.Timed> timed()
    {
        return timed;
    }

    /** The plan of all queries. */
    public ProcessorPlan plan()
    {
        return plan;
    }

    /** The channels, caches and others that the rules may read. */
    public Catalog catalog()
    {
        return catalog;
    }

    /**
     * Whether a query has the same form in this plan and in an earlier one, so that both compute the same.
     *
     * @param before plan from which this one was created; {@code null} for none
     */
    public boolean isSame(final String query, final RuleSetPlan before)
    {
        return before != null && forms.containsKey(query) && before.forms.containsKey(query) &&
            forms.get(query).used() == before.forms.get(query).used();
    }
}
