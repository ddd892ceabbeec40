package dev.millrace.cql.processor;

import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.processor.unit.PlanFingerprint;
import dev.millrace.cql.processor.unit.PlanSplitter;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RuleChange.Action;
import dev.millrace.network.spi.RuleChange.QueryChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Predicts, from the plans of two versions of a processor, the effect that {@link RuleReplacement} would have on each
 * query. Neither processor runs. Immutable; confined to one thread.
 */
public final class QueryComparison
{
    private final PlannedRules before;
    private final PlannedRules after;
    private final Map<String, Record> earlier;
    private final Map<String, Record> later;

    /**
     * @param before planned by {@link CqlProcessorProvider}, not started; {@code null} if the processor is new
     * @param after  its next version, too; {@code null} if it has none
     */
    public QueryComparison(final PlannedProcessor before, final PlannedProcessor after)
    {
        this.before = before == null ? null : ((PlannedCqlProcessor)before).rules();
        this.after = after == null ? null : ((PlannedCqlProcessor)after).rules();
        earlier = byQuery(this.before);
        later = byQuery(this.after);
    }

    private static Map<String, Record> byQuery(final PlannedRules rules)
    {
        final Map<String, Record> queries = new LinkedHashMap<>();
        if (rules == null)
        {
            return queries;
        }
        final ProcessorPlan plan = rules.plan();
        plan.pipelines().forEach(pipeline -> pipeline.outputs().forEach(output ->
            queries.put(output.queryId(), PlanSplitter.of(pipeline, Set.of(output.queryId())))));
        plan.flows().forEach(flow -> flow.outputs().forEach(output ->
            queries.put(output.queryId(), PlanSplitter.of(flow, Set.of(output.queryId())))));
        return queries;
    }

    /**
     * Returns the effect of a change of the rules while events flow.
     *
     * @param keepsObjects whether functions and windows of the application remain the same objects
     * @return every query that runs before or after the change, and why queries with an equal plan restart
     */
    public RuleChange change(final boolean keepsObjects)
    {
        if (before == null || after == null)
        {
            return restart();
        }
        final ProcessorStage old = before.definition();
        final ProcessorStage next = after.definition();
        final ChangedUserObjects objects =
            new ChangedUserObjects(old.objects(), keepsObjects ? old.objects() : next.objects());
        final Map<String, ProcessorStage.Rule> oldRules = RuleReplacement.byId(old);
        final Map<String, ProcessorStage.Rule> nextRules = RuleReplacement.byId(next);
        final Set<String> reasons = new LinkedHashSet<>();
        final Set<String> kept = new LinkedHashSet<>();
        later.forEach((query, plan) ->
        {
            if (earlier.containsKey(query) && PlanFingerprint.of(earlier.get(query)).equals(PlanFingerprint.of(plan)) &&
                RuleReplacement.limits(old, oldRules.get(query))
                    .equals(RuleReplacement.limits(next, nextRules.get(query))))
            {
                final Set<String> others = objects.usedBy(plan);
                others.forEach(name -> reasons.add(query + " uses " + name + ", which is another object then"));
                if (others.isEmpty())
                {
                    kept.add(query);
                }
            }
        });
        return report(kept, reasons);
    }

    /**
     * Returns the effect of a new processor that replaces the previous one.
     *
     * @return every query that runs before or after; none keeps its state
     */
    public RuleChange restart()
    {
        return report(Set.of(), Set.of());
    }

    private RuleChange report(final Set<String> kept, final Set<String> reasons)
    {
        final List<QueryChange> queries = new ArrayList<>();
        later.keySet().forEach(query ->
        {
            final boolean runs = earlier.containsKey(query);
            final Action action = kept.contains(query) ? Action.KEPT : runs ? Action.RESTARTED : Action.STARTED;
            queries.add(new QueryChange(query, action,
                action == Action.RESTARTED ? StateDescription.of(earlier.get(query)) : ""));
        });
        earlier.forEach((query, plan) ->
        {
            if (!later.containsKey(query))
            {
                queries.add(new QueryChange(query, Action.STOPPED, StateDescription.of(plan)));
            }
        });
        return new RuleChange(queries, List.copyOf(reasons), 0);
    }
}
