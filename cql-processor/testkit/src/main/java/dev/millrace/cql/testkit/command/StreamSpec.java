package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source as it is given on the command line: {@code NAME=FILE:column type,column type}, without file for explaining.
 *
 * @param name     in statements
 * @param file     CSV file, {@code null} without
 * @param type     row type
 * @param relation whether rows begin with their kind: {@code +}, {@code -} or {@code U}
 */
record StreamSpec(String name, Path file, EventType type, boolean relation)
{
    private static final Pattern FORM =
        Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_$#]*)(?:=(.+?))?:([^:]*)", Pattern.DOTALL);

    static StreamSpec parse(final String text, final boolean relation)
    {
        final Matcher parts = FORM.matcher(text);
        if (!parts.matches())
        {
            throw new ToolException("CMD-0303", "source is not of the form NAME=FILE:COLUMNS, source=" + text,
                "for example 'S=ticks.csv:symbol char,price double'");
        }
        final List<EventProperty> columns = new ArrayList<>();
        for (final String column : parts.group(3).split(","))
        {
            columns.add(column(column.strip(), text));
        }
        return new StreamSpec(parts.group(1), parts.group(2) == null ? null : Path.of(parts.group(2)),
            EventType.tuple(parts.group(1), columns.toArray(new EventProperty[0])), relation);
    }

    private static EventProperty column(final String text, final String source)
    {
        final String[] words = text.split("\\s+");
        final CqlType type = words.length == 2 ? CqlType.byName(words[1].replaceFirst("\\(.*", "")) : null;
        if (type == null)
        {
            throw new ToolException("CMD-0304", "column is not of the form NAME TYPE, column=" + text + " source=" +
                source, "types are int, bigint, float, double, bigdecimal, char, byte, boolean, timestamp, interval");
        }
        return new EventProperty(words[0], type);
    }
}
