package dev.millrace.adapter.kafka.property;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses lists of headers and properties of events. */
public final class HeaderColumns
{
    private static final String NAME = "headerColumns";
    private static final String NEXT = "list each header once, as header=property or property";

    private HeaderColumns()
    {
    }

    /**
     * The properties by the names of their headers, in the order of the list.
     *
     * @param text such as {@code source=origin, trace}; {@code null} for none
     * @throws IllegalArgumentException if a name is missing or a header occurs twice, with code and next step
     */
    public static Map<String, String> of(final PropertyCheck check, final String text)
    {
        final Map<String, String> columnOf = new LinkedHashMap<>();
        for (final String each : text == null ? List.<String>of() : check.names(NAME, text, NEXT))
        {
            final int equals = each.indexOf('=');
            final String header = equals < 0 ? each : each.substring(0, equals).strip();
            final String column = equals < 0 ? each : each.substring(equals + 1).strip();
            check.require(NAME, each, !header.isEmpty() && !column.isEmpty() && columnOf.put(header, column) == null,
                NEXT);
        }
        return columnOf;
    }
}
