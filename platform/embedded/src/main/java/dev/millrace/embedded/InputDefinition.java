package dev.millrace.embedded;

import dev.millrace.api.event.EventType;
import java.util.List;

/**
 * An input channel of an embedded network. Immutable.
 *
 * @param id                name of the source in rules
 * @param type              of its rows
 * @param isRelation        whether rows are inserted, deleted and updated
 * @param key               properties that identify a row of a relation
 * @param timestampProperty property with the time of each row in nanoseconds; {@code null} for the time of arrival
 * @param stage             object above the channel
 */
record InputDefinition(String id, EventType type, boolean isRelation, List<String> key, String timestampProperty,
    Object stage)
{
}
