package dev.millrace.network.spi;

import java.util.List;

/**
 * What a change of the rules did to the queries of a running processor. Immutable.
 *
 * @param queries  every query before or after the change, in order of the rules
 * @param notes    what a user should know besides
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

    /** What became of a query. */
    public enum Action
    {
        /** It runs on with all its state. */
        KEPT,
        /** It is new. */
        STARTED,
        /** It runs by another plan, from the beginning. */
        RESTARTED,
        /** It does not run any more. */
        STOPPED
    }

    /**
     * What became of one query.
     *
     * @param id        id of the query
     * @param action    what happened
     * @param lostState the state that is gone, in words; empty when nothing was lost
     */
    public record QueryChange(String id, Action action, String lostState)
    {
    }
}
