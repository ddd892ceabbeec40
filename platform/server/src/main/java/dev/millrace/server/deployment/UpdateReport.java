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
 * What an update did to the state of an application. Immutable.
 *
 * @param processors what became of the queries of each processor
 * @param notes      what a user should know besides: connections, rules that were changed live
 * @param pausedNs   how long events waited
 */
public record UpdateReport(Map<String, RuleChange> processors, List<String> notes, long pausedNs)
{
    /** Copies both. */
    public UpdateReport
    {
        processors = new LinkedHashMap<>(processors);
        notes = List.copyOf(notes);
    }

    /**
     * An update by which nothing but rules changed.
     *
     * @param changes by processor
     * @param notes   of the update
     * @return report
     */
    static UpdateReport ofRules(final Map<String, RuleChange> changes, final List<String> notes)
    {
        final List<String> all = new ArrayList<>(
            List.of("only rules have changed: adapters, beans and their connections were kept"));
        all.addAll(notes);
        return new UpdateReport(changes, all, changes.values().stream().mapToLong(RuleChange::pausedNs).sum());
    }

    /**
     * An update by which the whole network was made anew.
     *
     * @param held     state of the queries before, in words, by processor
     * @param rules    rules after, bound, by processor
     * @param notes    of the update
     * @param pausedNs how long events waited
     * @return report
     */
    static UpdateReport ofNewNetwork(final Map<String, Map<String, String>> held, final Map<String, List<Rule>> rules,
        final List<String> notes, final long pausedNs)
    {
        final Set<String> processors = new LinkedHashSet<>(rules.keySet());
        processors.addAll(held.keySet());
        final Map<String, RuleChange> changes = new LinkedHashMap<>();
        for (final String processor : processors)
        {
            changes.put(processor, change(held.getOrDefault(processor, Map.of()),
                rules.getOrDefault(processor, List.of())));
        }
        return new UpdateReport(changes, notes, pausedNs);
    }

    /**
     * The report for people who look at several members.
     *
     * @return a line a query, then the notes
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
