package dev.millrace.cql.planner;

import dev.millrace.api.event.EventType;

/**
 * Where a column comes from unchanged.
 *
 * @param type          event type of the channel or cache; {@code null} when the column is computed
 * @param property      its property
 * @param channelColumn column of the pipeline's channel whose value decides this one's, or -1
 */
record Lineage(EventType type, String property, int channelColumn)
{
    /** A computed column. */
    static final Lineage COMPUTED = new Lineage(null, null, -1);
}
