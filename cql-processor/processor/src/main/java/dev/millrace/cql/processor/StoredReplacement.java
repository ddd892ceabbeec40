package dev.millrace.cql.processor;

import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.syntax.RuleDependencies;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.processor.durable.RuleSet;
import dev.millrace.cql.processor.durable.StoredRules;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rules that a durable processor stores when its rules are changed. Queries that start are planned as a part of
 * their own, so that the next start can plan the same pipelines and flows again. Single use, by the thread that changes
 * the rules.
 */
final class StoredReplacement
{
    private final StoredRules before;
    private final ProcessorStage definition;
    private final ProcessorPlanner plans;
    private final List<StoredRules.Part> parts = new ArrayList<>();

    /**
     * @param before     stored rules
     * @param definition the processor after the change
     */
    StoredReplacement(final StoredRules before, final ProcessorStage definition, final ProcessorPlanner plans)
    {
        this.before = before;
        this.definition = definition;
        this.plans = plans;
    }

    /** Number of the change. */
    int version()
    {
        return before.version() + 1;
    }

    /**
     * Plans the queries that start.
     *
     * @param begin   their ids
     * @param kept    ids of queries that are not changed; those of them that begin are moved to other pipelines
     * @param earlier the processor before the change
     * @throws DeploymentException if rules of the parts that stay could not be planned at the next start, because an
     *     object of the application that they use was removed
     */
    ProcessorPlan start(final Set<String> begin, final Set<String> kept, final ProcessorStage earlier)
        throws DeploymentException
    {
        final boolean isOther = earlier.objects() != definition.objects() ||
            !earlier.cacheSources().equals(definition.cacheSources());
        for (final StoredRules.Part part : before.parts())
        {
            final Set<String> live = new HashSet<>(part.live());
            live.retainAll(kept);
            live.removeAll(begin);
            if (!live.isEmpty())
            {
                if (isOther)
                {
                    plans.plan(part.rules().in(definition), null);
                }
                parts.add(new StoredRules.Part(part.version(), part.rules(), live));
            }
        }
        if (begin.isEmpty())
        {
            return new ProcessorPlan(List.of(), List.of());
        }
        final Set<String> needed = withViews(begin);
        final RuleSet all = RuleSet.of(definition);
        final RuleSet started = new RuleSet(all.rules().stream()
            .filter(rule -> rule.active() && needed.contains(rule.id())).toList(), all.idleStateTime(),
            all.maxAttempts());
        parts.add(new StoredRules.Part(version(), started, begin));
        return plans.plan(started.in(definition), null).plan();
    }

    /** Queries and all views that they read, directly or through other views. */
    private Set<String> withViews(final Set<String> queries)
    {
        final List<RuleText> texts = plans.texts(definition);
        final Map<String, List<String>> readers = new HashMap<>();
        texts.stream().filter(RuleText::view)
            .forEach(view -> readers.put(view.id(), RuleDependencies.of(view.id(), texts)));
        final Set<String> needed = new HashSet<>(queries);
        boolean isComplete = false;
        while (!isComplete)
        {
            final Set<String> more = readers.entrySet().stream()
                .filter(view -> view.getValue().stream().anyMatch(needed::contains)).map(Map.Entry::getKey)
                .collect(Collectors.toSet());
            isComplete = !needed.addAll(more);
        }
        return needed;
    }

    /**
     * The rules after the change.
     *
     * @param assigned workers of ordered work
     * @param units    all that run
     */
    StoredRules rules(final Map<String, Integer> assigned, final List<ExecutionUnit> units)
    {
        final Set<String> names = units.stream().map(ExecutionUnit::stateName).collect(Collectors.toSet());
        final Map<String, Integer> left = new HashMap<>(assigned);
        left.keySet().removeIf(name -> name.startsWith("flow ") && !names.contains(name));
        return new StoredRules(version(), RuleSet.of(definition), parts, left);
    }
}
