package dev.millrace.command.journal;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.RowSequence;
import dev.millrace.network.durable.GroupDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/** Formats rows of records and of rules; each value has one form, in text, in CSV and in JSON. */
public final class JournalRow
{
    private static final long SECOND_NS = 1_000_000_000;

    private JournalRow()
    {
    }

    /** A time in UTC; null for the beginning of time. */
    public static JsonElement time(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? JsonNull.INSTANCE : new JsonPrimitive(
            Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS)).toString());
    }

    /** {@code +}, {@code -} or {@code U}, for a row that is inserted, deleted or updated. */
    public static String kind(final EventBatch rows, final int row)
    {
        return switch (rows.kind(row))
        {
            case EventBatch.DELETE -> "-";
            case EventBatch.UPDATE -> "U";
            default -> "+";
        };
    }

    /** A value of a row, null for null. */
    public static JsonElement value(final EventBatch rows, final int column, final int row)
    {
        final Object value = rows.value(column, row);
        if (value == null)
        {
            return JsonNull.INSTANCE;
        }
        return switch (rows.schema().type().properties().get(column).type())
        {
            case TIMESTAMP -> time((Long)value);
            case INTERVAL -> new JsonPrimitive(Duration.ofNanos((Long)value).toString());
            case BYTE -> new JsonPrimitive(HexFormat.of().formatHex((byte[])value));
            case FLOAT, DOUBLE -> Double.isFinite(((Number)value).doubleValue()) ? new JsonPrimitive((Number)value) :
                new JsonPrimitive(value.toString());
            case INT, BIGINT, BIGDECIMAL -> new JsonPrimitive((Number)value);
            case BOOLEAN -> new JsonPrimitive((Boolean)value);
            default -> new JsonPrimitive(value.toString());
        };
    }

    /** A value as text; empty for null. */
    public static String text(final JsonElement value)
    {
        return value.isJsonNull() ? "" : value.getAsString();
    }

    /** A field of CSV. */
    public static String quoted(final String text)
    {
        return text.matches("(?s).*[,\"\\r\\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    /** A row with its time, its kind, and the number that its producer gave it. */
    static JsonObject json(final GroupDescription group, final EventBatch rows, final int row)
    {
        final JsonObject json = new JsonObject();
        json.add("time", time(rows.timestampNs(row)));
        json.addProperty("kind", kind(rows, row));
        if (rows.hasSequences() && rows.sequences()[row] != RowSequence.NONE)
        {
            json.addProperty("number", RowSequence.number(rows.sequences()[row]));
        }
        final JsonObject values = new JsonObject();
        final List<EventProperty> columns = group.columns();
        for (int column = 0; column < columns.size(); column++)
        {
            values.add(columns.get(column).name(), value(rows, column, row));
        }
        json.add("row", values);
        return json;
    }
}
