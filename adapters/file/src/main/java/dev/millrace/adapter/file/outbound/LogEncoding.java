package dev.millrace.adapter.file.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.parquet.write.ParquetColumn;
import dev.millrace.adapter.file.parquet.write.RowLog;
import dev.millrace.adapter.file.parquet.write.RowLogEncoder;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** Rows as the log of a Parquet file, whose columns are those of an event type. */
final class LogEncoding implements RowEncoding
{
    private final FormatSettings settings;
    private final int decimalScale;
    private final PropertyCheck check;
    private final EventFormatter mapping;
    private final RowLogEncoder encoder;
    private final List<EventProperty> columns = new ArrayList<>();
    private String header;
    private int[] indexes;

    /** @param decimalScale digits after the point of decimals */
    LogEncoding(final FormatSettings settings, final int decimalScale, final PropertyCheck check)
    {
        this.settings = settings;
        this.decimalScale = decimalScale;
        this.check = check;
        mapping = new EventFormatter(new JsonFormat(), settings, check, FileErrorCode.EVENTS);
        encoder = new RowLogEncoder(settings.timeColumn() != null, settings.kindColumn() != null, decimalScale);
    }

    @Override
    public void check(final StageContext context, final String eventTypeName)
    {
        check.require("eventTypeName", eventTypeName, eventTypeName != null,
            "name the event type of the channel: it determines the columns of the files");
        mapping.check(context, eventTypeName);
        final EventType type = context.eventTypes().eventType(eventTypeName);
        final List<ParquetColumn> types = new ArrayList<>();
        if (settings.timeColumn() != null)
        {
            types.add(new ParquetColumn(settings.timeColumn(), ParquetColumn.Form.ROW_TIME, 0));
        }
        if (settings.kindColumn() != null)
        {
            types.add(new ParquetColumn(settings.kindColumn(), ParquetColumn.Form.ROW_KIND, 0));
        }
        final List<String> names = settings.columns() != null ? settings.columns() :
            type.properties().stream().map(EventProperty::name).toList();
        for (final String name : names)
        {
            final EventProperty property = type.properties().get(type.indexOf(name));
            final ParquetColumn column = ParquetColumn.of(name, property.type(), decimalScale);
            check.require("columns", name, column != null, "a property of type " + property.type().cqlName() +
                " cannot be a column of Parquet: list the other properties of " + eventTypeName);
            types.add(column);
            columns.add(property);
        }
        try
        {
            header = ParquetColumn.text(types);
        }
        catch (final IllegalArgumentException e)
        {
            throw check.wrong("columns", types.stream().map(ParquetColumn::name).toList().toString(), e.getMessage());
        }
    }

    @Override
    public void map(final EventBatch batch) throws EventRejectedException
    {
        mapping.map(batch);
        if (indexes == mapping.indexes())
        {
            return;
        }
        final int[] found = mapping.indexes();
        for (int i = 0; i < found.length; i++)
        {
            final CqlType type = batch.schema().type().properties().get(found[i]).type();
            if (type != columns.get(i).type())
            {
                throw new EventRejectedException(FileErrorCode.EVENTS.message("a property of events has another type " +
                    "than the column, stage=" + check.stageName() + " type=" + batch.schema().type().name() +
                    " property=" + columns.get(i).name() + " is=" + type.cqlName() + " column=" +
                    columns.get(i).type().cqlName(), "set eventTypeName to the event type of the channel"));
            }
        }
        indexes = found;
    }

    @Override
    public String header()
    {
        return header;
    }

    @Override
    public int select(final EventBatch batch, final int[] rows, final int count, final List<Object> refused)
    {
        int selected = count;
        for (int i = 0; i < columns.size(); i++)
        {
            if (columns.get(i).type() == CqlType.BIGDECIMAL)
            {
                selected = select(batch, i, rows, selected, refused);
            }
        }
        return selected;
    }

    private int select(final EventBatch batch, final int column, final int[] rows, final int count,
        final List<Object> refused)
    {
        final Object[] values = batch.references(indexes[column]);
        int selected = 0;
        for (int i = 0; i < count; i++)
        {
            final BigDecimal value = (BigDecimal)values[rows[i]];
            if (value == null || RowLogEncoder.fits(value, decimalScale))
            {
                rows[selected++] = rows[i];
            }
            else
            {
                refused.add("property=" + columns.get(column).name() + " digits=" + value.precision() +
                    " digitsAfterPoint=" + value.scale() + " decimalScale=" + decimalScale);
            }
        }
        return selected;
    }

    @Override
    public ByteBuffer encode(final EventBatch batch, final int[] rows, final int count) throws EventRejectedException
    {
        try
        {
            return encoder.encode(batch, indexes, rows, count);
        }
        catch (final IllegalArgumentException e)
        {
            throw new EventRejectedException(FileErrorCode.VALUE.message("the rows of a batch are too large, stage=" +
                check.stageName() + " rows=" + count + " " + e.getMessage(), "shorten the values in a rule, or list " +
                "the columns without them"), e);
        }
    }

    @Override
    public long end(final FileChannel file) throws IOException
    {
        return RowLog.end(file);
    }
}
