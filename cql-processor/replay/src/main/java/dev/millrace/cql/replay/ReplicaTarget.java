package dev.millrace.cql.replay;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.network.definition.ProcessorStage.CacheSource;
import dev.millrace.network.durable.GroupDescription;
import java.util.List;

/**
 * Applies the recorded changes of a cache. Records of a flow begin with the key, which may be no property of the value;
 * those of a pipeline contain the properties only.
 */
final class ReplicaTarget
{
    private final RecordedCache cache;
    private final EventType type;
    private final int keyColumn;
    private final int firstColumn;

    ReplicaTarget(final CacheSource source, final GroupDescription group)
    {
        cache = (RecordedCache)source.cache();
        final List<EventProperty> columns = group.columns();
        final boolean hasKey = columns.size() > source.settings().valueType().properties().size();
        firstColumn = hasKey ? 1 : 0;
        type = new EventType(group.name(), EventType.Kind.TUPLE, columns.subList(firstColumn, columns.size()), null);
        keyColumn = hasKey ? 0 : type.indexOf(source.settings().keyProperties().get(0));
    }

    void rows(final EventBatch rows)
    {
        for (int row = 0; row < rows.size(); row++)
        {
            final Object key = rows.value(keyColumn, row);
            if (key != null && rows.kind(row) == EventBatch.DELETE)
            {
                cache.remove(key);
            }
            else if (key != null)
            {
                final Object[] values = new Object[type.properties().size()];
                for (int column = 0; column < values.length; column++)
                {
                    values[column] = rows.value(column + firstColumn, row);
                }
                cache.put(key, new TupleEvent(type, values));
            }
        }
    }

    void clear()
    {
        cache.clear();
    }
}
