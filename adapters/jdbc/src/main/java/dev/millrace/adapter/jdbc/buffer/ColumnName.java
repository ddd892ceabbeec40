package dev.millrace.adapter.jdbc.buffer;

import java.util.ArrayList;
import java.util.List;

/**
 * A property of events and the table column it is written to.
 *
 * @param property of the event type
 * @param column   of the table
 */
public record ColumnName(String property, String column)
{
    /**
     * Parses a list.
     *
     * @param text {@code property} or {@code property=column}, separated by commas; {@code null} for none
     * @return pairs in order
     */
    public static List<ColumnName> parse(final String text)
    {
        final List<ColumnName> columns = new ArrayList<>();
        for (final String part : text == null ? new String[0] : text.split(","))
        {
            final int equals = part.indexOf('=');
            if (!part.isBlank())
            {
                columns.add(equals < 0 ? new ColumnName(part.strip(), part.strip()) :
                    new ColumnName(part.substring(0, equals).strip(), part.substring(equals + 1).strip()));
            }
        }
        return columns;
    }
}
