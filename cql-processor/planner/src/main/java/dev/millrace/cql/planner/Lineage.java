package dev.millrace.cql.planner;

import dev.millrace.api.event.EventType;

/**
 * The origin of a column that is copied unchanged.
 *
 * @param type          event type of the channel or cache; {@code null} when the column is computed
 * @param channelColumn column of the pipeline's channel that determines the value of this column, or -1
 */
record Lineage(EventType type, String property, int channelColumn)
{
    /** A computed column. */
    static final Lineage COMPUTED = new Lineage(null, null, -1);
}
