package dev.millrace.cql.planner.rule;

import dev.millrace.api.event.EventType;

/**
 * The origin of a column that is copied unchanged.
 *
 * @param type          event type of the channel or cache; {@code null} when the column is computed
 * @param channelColumn column of the pipeline's channel that determines the value of this column, or -1
 */
public record ColumnOrigin(EventType type, String property, int channelColumn)
{
    /** A computed column. */
    public static final ColumnOrigin COMPUTED = new ColumnOrigin(null, null, -1);
}
