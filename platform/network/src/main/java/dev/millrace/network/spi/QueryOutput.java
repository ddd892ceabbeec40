package dev.millrace.network.spi;

import dev.millrace.api.event.EventType;
import java.util.Set;

/**
 * The rows that a query emits.
 *
 * @param queryId  id
 * @param type     row type; its name is unique in the application
 * @param relation whether rows have kinds
 * @param unique   of a relation, columns in which no two of its rows are equal at any time; its deletions are of
 *                 existing rows and precede the insertions of their instant; {@code null} when not known
 */
public record QueryOutput(String queryId, EventType type, boolean relation, Set<String> unique)
{
    /** Copies the set. */
    public QueryOutput
    {
        unique = unique == null ? null : Set.copyOf(unique);
    }

    /**
     * Creates an output whose rows may be equal.
     *
     * @param queryId  id
     * @param type     row type; its name is unique in the application
     * @param relation whether rows have kinds
     */
    public QueryOutput(final String queryId, final EventType type, final boolean relation)
    {
        this(queryId, type, relation, null);
    }
}
