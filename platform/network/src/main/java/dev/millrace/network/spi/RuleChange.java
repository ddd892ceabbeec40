package dev.millrace.network.spi;

import java.util.List;

/**
 * The effect of a change of rules on the queries of a running processor. Immutable.
 *
 * @param queries  every query before or after the change, in order of the rules
 * @param notes    further facts for the user
 * @param pausedNs how long events waited for the change
 */
public record RuleChange(List<QueryChange> queries, List<String> notes, long pausedNs)
{
    /** Copies the lists. */
    public RuleChange
    {
        queries = List.copyOf(queries);
        notes = List.copyOf(notes);
    }

    /** The outcome for a query. */
    public enum Action
    {
        /** It continues with all its state. */
        KEPT,
        /** It is new. */
        STARTED,
        /** It has a different plan and restarted without state. */
        RESTARTED,
        /** It was stopped. */
        STOPPED
    }

    /**
     * The outcome for one query.
     *
     * @param id        id of the query
     * @param action    what happened
     * @param lostState description of the discarded state; empty when nothing was lost
     */
    public record QueryChange(String id, Action action, String lostState)
    {
    }
}
