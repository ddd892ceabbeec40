package dev.millrace.cql.testkit.command;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.runtime.function.Values;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Writes a row of output as a line. */
enum RowPrinter
{
    /** {@code query milliseconds + value,value}. */
    TEXT
    {
        @Override
        String line(final String query, final EventBatch rows, final int row)
        {
            final StringBuilder line = new StringBuilder(query).append(' ')
                .append(milliseconds(rows.timestampNs(row))).append(' ').append(sign(rows, row)).append(' ');
            for (int column = 0; column < rows.schema().columnCount(); column++)
            {
                line.append(column == 0 ? "" : ",").append(text(rows, column, row, "null"));
            }
            return line.toString();
        }
    },

    /** {@code query,milliseconds,+,value,value}; null is an empty field. */
    CSV
    {
        @Override
        String line(final String query, final EventBatch rows, final int row)
        {
            final StringBuilder line = new StringBuilder(query).append(',')
                .append(milliseconds(rows.timestampNs(row))).append(',').append(sign(rows, row));
            for (int column = 0; column < rows.schema().columnCount(); column++)
            {
                line.append(',').append(quotedWhenNeeded(text(rows, column, row, "")));
            }
            return line.toString();
        }
    },

    /** An object per line. */
    JSON
    {
        @Override
        String line(final String query, final EventBatch rows, final int row)
        {
            final StringBuilder line = new StringBuilder("{\"query\":").append(GSON.toJson(query))
                .append(",\"time\":")
                .append(milliseconds(rows.timestampNs(row))).append(",\"kind\":\"").append(sign(rows, row))
                .append("\",\"row\":{");
            final List<EventProperty> columns = rows.schema().type().properties();
            for (int column = 0; column < columns.size(); column++)
            {
                line.append(column == 0 ? "" : ",").append(GSON.toJson(columns.get(column).name())).append(':')
                    .append(jsonValue(rows, column, row));
            }
            return line.append("}}").toString();
        }
    };

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    private static final int NANO_DIGITS = 6;

    /** A row of a batch as a line. */
    abstract String line(String query, EventBatch rows, int row);

    /** The format of a name. */
    static RowPrinter of(final String name)
    {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static char sign(final EventBatch rows, final int row)
    {
        return switch (rows.kind(row))
        {
            case EventBatch.DELETE -> '-';
            case EventBatch.UPDATE -> 'U';
            default -> '+';
        };
    }

    private static String text(final EventBatch rows, final int column, final int row, final String ofNull)
    {
        final Object value = rows.value(column, row);
        if (value == null)
        {
            return ofNull;
        }
        return switch (rows.schema().type().properties().get(column).type())
        {
            case TIMESTAMP -> Values.timestampText((Long)value);
            case INTERVAL -> Values.intervalText((Long)value);
            case BYTE -> Values.text((byte[])value);
            default -> value.toString();
        };
    }

    private static String quotedWhenNeeded(final String text)
    {
        return text.matches("(?s).*[,\"\\r\\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String jsonValue(final EventBatch rows, final int column, final int row)
    {
        final Object value = rows.value(column, row);
        if (value == null || value instanceof Double number && !Double.isFinite(number) ||
            value instanceof Float small && !Float.isFinite(small))
        {
            return "null";
        }
        final CqlType type = rows.schema().type().properties().get(column).type();
        return switch (type)
        {
            case INT, BIGINT, FLOAT, DOUBLE, BIGDECIMAL, BOOLEAN -> value.toString();
            default -> GSON.toJson(text(rows, column, row, ""));
        };
    }

    /** Formats a time: milliseconds with decimals, the beginning of time as its number. */
    static String milliseconds(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? Long.toString(timeNs) :
            BigDecimal.valueOf(timeNs, NANO_DIGITS).stripTrailingZeros().toPlainString();
    }
}
