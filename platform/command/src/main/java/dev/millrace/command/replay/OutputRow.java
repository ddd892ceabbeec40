package dev.millrace.command.replay;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.command.journal.JournalRow;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A row that a query has emitted. Immutable by convention.
 *
 * @param timeNs its time
 * @param kind   {@code +}, {@code -} or {@code U}
 * @param values by column, in order
 */
record OutputRow(long timeNs, String kind, JsonObject values)
{
    static OutputRow of(final EventBatch rows, final int row)
    {
        final JsonObject values = new JsonObject();
        final List<EventProperty> columns = rows.schema().type().properties();
        for (int column = 0; column < columns.size(); column++)
        {
            values.add(columns.get(column).name(), JournalRow.value(rows, column, row));
        }
        return new OutputRow(rows.timestampNs(row), JournalRow.kind(rows, row), values);
    }

    /** The time as text; empty for the beginning of time. */
    String time()
    {
        return JournalRow.text(JournalRow.time(timeNs));
    }

    /** The first value, which often is the key of the row. */
    JsonElement firstValue()
    {
        return values.size() == 0 ? null : values.entrySet().iterator().next().getValue();
    }

    /** The values as {@code name=value}. */
    String text()
    {
        return values.entrySet().stream().map(each -> each.getKey() + '=' +
            (each.getValue().isJsonNull() ? "null" : each.getValue().getAsString())).collect(Collectors.joining(" "));
    }

    JsonObject json()
    {
        final JsonObject json = new JsonObject();
        json.add("time", JournalRow.time(timeNs));
        json.addProperty("kind", kind);
        json.add("row", values);
        return json;
    }
}
