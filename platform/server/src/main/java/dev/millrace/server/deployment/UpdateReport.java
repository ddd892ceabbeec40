package dev.millrace.server.deployment;

import dev.millrace.network.definition.ProcessorStage.Rule;
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
 * Effects of an update on the state of an application. Immutable.
 *
 * @param processors effects on the queries of each processor
 * @param notes      further effects: connections, rules that were changed at run time
 * @param pausedNs   how long events waited
 */
public record UpdateReport(Map<String, RuleChange> processors, List<String> notes, long pausedNs)
{
    public UpdateReport
    {
        processors = new LinkedHashMap<>(processors);
        notes = List.copyOf(notes);
    }

    /** Creates the report of an update that changed only rules. */
    static UpdateReport ofRules(final Map<String, RuleChange> changes, final List<String> notes)
    {
        final List<String> all = new ArrayList<>(
            List.of("only rules have changed: adapters, beans and their connections were kept"));
        all.addAll(notes);
        return new UpdateReport(changes, all, changes.values().stream().mapToLong(RuleChange::pausedNs).sum());
    }

    /**
     * Creates the report of an update that created a new network.
     *
     * @param held     description of the state of the previous queries, by processor
     * @param rules    new rules, bound, by processor
     * @param restored what became of the state of durable processors, by processor
     * @param pausedNs how long events waited
     */
    static UpdateReport ofNewNetwork(final Map<String, Map<String, String>> held, final Map<String, List<Rule>> rules,
        final Map<String, RuleChange> restored, final List<String> notes, final long pausedNs)
    {
        final Set<String> processors = new LinkedHashSet<>(rules.keySet());
        processors.addAll(held.keySet());
        final Map<String, RuleChange> changes = new LinkedHashMap<>();
        for (final String processor : processors)
        {
            final RuleChange durable = restored.get(processor);
            changes.put(processor, durable != null ? durable : change(held.getOrDefault(processor, Map.of()),
                rules.getOrDefault(processor, List.of())));
        }
        return new UpdateReport(changes, notes, pausedNs);
    }

    /**
     * Returns the report as lines for users who compare several members.
     *
     * @return one line per query, then the notes
     */
    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        processors.forEach((processor, change) -> change.queries().forEach(query -> lines.add(processor + '/' +
            query.id() + ' ' + query.action() + (query.lostState().isEmpty() ? "" : ", lost: " + query.lostState()))));
        processors.values().forEach(change -> lines.addAll(change.notes()));
        lines.addAll(notes);
        return lines;
    }

    private static RuleChange change(final Map<String, String> held, final List<Rule> rules)
    {
        final List<QueryChange> queries = new ArrayList<>();
        final Map<String, String> left = new LinkedHashMap<>(held);
        for (final Rule rule : rules)
        {
            if (!rule.view() && rule.active())
            {
                final String lost = left.remove(rule.id());
                queries.add(lost == null ? new QueryChange(rule.id(), Action.STARTED, "") :
                    new QueryChange(rule.id(), Action.RESTARTED, lost));
            }
        }
        left.forEach((query, lost) -> queries.add(new QueryChange(query, Action.STOPPED, lost)));
        return new RuleChange(queries, List.of(), 0);
    }
}
