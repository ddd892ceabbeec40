package dev.millrace.network.difference;

import dev.millrace.network.spi.RuleChange.QueryChange;
import java.util.List;

/**
 * How two versions of an application differ, and what an update from one to the other keeps and loses. Immutable.
 *
 * @param application symbolic name of the next version
 * @param effect      of an update
 * @param reasons     why a new network is created, or why queries with the same plan restart
 * @param parts       parts that differ, and all queries
 */
public record ApplicationDifference(String application, Effect effect, List<String> reasons, List<Part> parts)
{
    /** Copies the lists. */
    public ApplicationDifference
    {
        reasons = List.copyOf(reasons);
        parts = List.copyOf(parts);
    }

    /**
     * Whether any part differs.
     *
     * @return false when both versions are the same
     */
    public boolean isDifferent()
    {
        return parts.stream().anyMatch(part -> part.change() != Change.SAME);
    }

    /** The effects of an update on the running network. */
    public enum Effect
    {
        /** Only rules change: adapters, beans, caches and connections are kept. */
        RULES,
        /** Channels and processors continue; adapters and beans that cannot are created again. */
        NETWORK_KEPT,
        /** All stages are created again. Only durable processors keep state. */
        NETWORK_CREATED
    }

    /** How a part differs. */
    public enum Change
    {
        /** Only the next version has it. */
        ADDED,
        /** Only the previous version has it. */
        REMOVED,
        /** Both have it, and it differs. */
        CHANGED,
        /** Both have it, and it is the same. */
        SAME
    }

    /**
     * A part of the application.
     *
     * @param kind    {@code event type}, {@code adapter}, {@code channel}, {@code query}, ...
     * @param id      its id; that of a rule begins with its processor and a slash
     * @param change  how it differs
     * @param details what differs, a line each
     * @param outcome what an update does with the state of a query; {@code null} for other parts and for queries that
     *                run in neither version
     */
    public record Part(String kind, String id, Change change, List<String> details, QueryChange outcome)
    {
        /** Copies the list. */
        public Part
        {
            details = List.copyOf(details);
        }
    }
}
