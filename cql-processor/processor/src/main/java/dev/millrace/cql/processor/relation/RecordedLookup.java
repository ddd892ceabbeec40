package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.function.LookupFeed;
import dev.millrace.cql.runtime.function.LookupSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A source that is asked for each row and whose answers are stored, so that a replay finds again what was found.
 * Confined to the thread of its flow.
 */
public final class RecordedLookup implements LookupSource
{
    private final String name;
    private final BatchSchema schema;
    private final LookupSource source;
    private Log log;

    /** Stores answers, and returns them again in a replay. Called by the thread of the flow. */
    public interface Log
    {
        /** Finds rows as {@link LookupSource#find} does, by {@link RecordedLookup#ask} unless the answer is stored. */
        void find(RecordedLookup asked, Object[] keys, Rows rows);
    }

    /**
     * @param name   of the source, the same after a restart
     * @param rows   that it returns, without objects of any class
     * @param source to ask
     */
    public RecordedLookup(final String name, final RowType rows, final LookupSource source)
    {
        this.name = name;
        this.source = source;
        final List<EventProperty> columns = new ArrayList<>();
        for (int column = 0; column < rows.size(); column++)
        {
            columns.add(new EventProperty(rows.names().get(column), rows.types().get(column)));
        }
        schema = new BatchSchema(new EventType(name, EventType.Kind.TUPLE, columns, null));
    }

    public String name()
    {
        return name;
    }

    /** Schema of the stored rows. */
    public BatchSchema schema()
    {
        return schema;
    }

    /** Stores all answers from now on; before the first row. */
    public void recordTo(final Log to)
    {
        log = to;
    }

    /** Asks the source itself. */
    public void ask(final Object[] keys, final Rows rows)
    {
        source.find(keys, rows);
    }

    @Override
    public void find(final Object[] keys, final Rows rows)
    {
        log.find(this, keys, rows);
    }

    @Override
    public LookupFeed feed(final CqlType keyType)
    {
        return source.feed(keyType);
    }
}
