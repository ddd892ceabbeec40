package dev.millrace.adapter.common.encode;

import dev.millrace.adapter.common.property.ErrorCode;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import java.util.List;

/**
 * Formats the rows of a sink as lines with the same columns. Not thread-safe. Failure: batches without these columns
 * are rejected with code and next step.
 */
public final class EventFormatter
{
    private final RowFormat format;
    private final FormatSettings settings;
    private final PropertyCheck check;
    private final ErrorCode mismatch;
    private List<String> columns;
    private BatchSchema schema;
    private int[] indexes;

    /**
     * Creates a formatter.
     *
     * @param check    for messages about properties
     * @param mismatch code for batches without the columns
     */
    public EventFormatter(final RowFormat format, final FormatSettings settings, final PropertyCheck check,
        final ErrorCode mismatch)
    {
        this.format = format;
        this.settings = settings;
        this.check = check;
        this.mismatch = mismatch;
    }

    /**
     * Compares the columns with an event type before the first batch.
     *
     * @param eventTypeName {@code null} if it is not known yet
     * @throws IllegalArgumentException if the type does not exist or lacks a column
     */
    public void check(final StageContext context, final String eventTypeName)
    {
        if (eventTypeName == null || context == null)
        {
            return;
        }
        final EventType type = context.eventTypes().eventType(eventTypeName);
        if (type == null)
        {
            throw check.wrong("eventTypeName", eventTypeName, "name an event type of " +
                "the application: " + context.eventTypes().eventTypes().stream().map(EventType::name).toList());
        }
        final List<String> names = columns(type);
        names.stream().filter(name -> type.indexOf(name) < 0).findFirst().ifPresent(name ->
        {
            throw check.wrong("columns", name, "properties of " + eventTypeName + ": " +
                type.properties().stream().map(EventProperty::name).toList());
        });
        columns = names;
    }

    private List<String> columns(final EventType type)
    {
        return settings.columns() != null ? settings.columns() :
            type.properties().stream().map(EventProperty::name).toList();
    }

    /** Finds the columns in a batch, whose rows may then be appended. */
    public void map(final EventBatch batch) throws EventRejectedException
    {
        if (batch.hasKinds() && settings.kindColumn() == null)
        {
            throw new EventRejectedException(mismatch.message(
                "rows of a relation would look like inserted rows, stage=" + check.stageName(),
                "set kindColumn to the name of a column for INSERT, DELETE and UPDATE"));
        }
        if (schema != null && schema.equals(batch.schema()))
        {
            return;
        }
        final EventType type = batch.schema().type();
        if (columns == null)
        {
            columns = columns(type);
        }
        final int[] found = columns.stream().mapToInt(type::indexOf).toArray();
        for (int i = 0; i < found.length; i++)
        {
            if (found[i] < 0)
            {
                throw new EventRejectedException(mismatch.message("events lack a property that the lines " +
                    "contain, stage=" + check.stageName() + " type=" + type.name() + " property=" + columns.get(i),
                    "use a sink for each event type, or select common properties with columns"));
            }
        }
        indexes = found;
        schema = batch.schema();
    }

    /** The indexes of the columns in the batch that was mapped last; the same array until another schema is mapped. */
    public int[] indexes()
    {
        return indexes;
    }

    /** The first line, without its end; {@code null} for none. */
    public String header()
    {
        return format.header(settings, columns);
    }

    /** Appends a row of the batch that was mapped last, and the end of its line. */
    public void append(final EventBatch batch, final int row, final StringBuilder to)
    {
        format.append(settings, columns, indexes, batch, row, to);
    }
}
