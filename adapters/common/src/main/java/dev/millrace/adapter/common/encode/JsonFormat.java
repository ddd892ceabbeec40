package dev.millrace.adapter.common.encode;

import com.google.gson.JsonPrimitive;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.util.List;

/** A JSON object on each line. */
public final class JsonFormat implements RowFormat
{
    @Override
    public String header(final FormatSettings settings, final List<String> columns)
    {
        return null;
    }

    @Override
    public void append(final FormatSettings settings, final List<String> names, final int[] columns,
        final EventBatch rows, final int row, final StringBuilder to)
    {
        final int start = to.length();
        if (settings.timeColumn() != null)
        {
            member(settings.timeColumn(), string(RowFormat.time(rows.timestampNs(row))), to);
        }
        if (settings.kindColumn() != null)
        {
            member(settings.kindColumn(), string(KINDS.get(rows.kind(row))), to);
        }
        for (int i = 0; i < columns.length; i++)
        {
            member(names.get(i), rows.isNull(columns[i], row) ? "null" : value(rows, columns[i], row), to);
        }
        to.setCharAt(start, '{');
        to.append("}\n");
    }

    private static void member(final String name, final String value, final StringBuilder to)
    {
        to.append(',').append(string(name)).append(':').append(value);
    }

    private static String value(final EventBatch rows, final int column, final int row)
    {
        final String text = RowFormat.text(rows, column, row);
        final CqlType type = rows.schema().type().properties().get(column).type();
        return switch (type)
        {
            case INT, BIGINT, INTERVAL, BOOLEAN, BIGDECIMAL -> text;
            // JSON has no numbers for these.
            case FLOAT, DOUBLE -> text.equals("NaN") || text.endsWith("Infinity") ? string(text) : text;
            default -> string(text);
        };
    }

    private static String string(final String text)
    {
        return new JsonPrimitive(text).toString();
    }
}
