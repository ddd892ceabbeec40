package dev.millrace.embedded;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads event types such as {@code symbol char(8), price double}. */
final class RowTypeText
{
    private static final Pattern PROPERTY = Pattern.compile("(\\w+)\\s+(\\w+)(?:\\s*\\(\\s*(\\d{1,9})\\s*\\))?");

    private RowTypeText()
    {
    }

    /**
     * Reads an event type.
     *
     * @throws IllegalArgumentException if the text is wrong
     */
    static EventType parse(final String name, final String text)
    {
        final List<EventProperty> properties = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final Matcher property = PROPERTY.matcher(part.strip());
            if (!property.matches())
            {
                throw wrong(name, part.strip(), "a property is a name and a type, for example: symbol char(8)");
            }
            properties.add(property(name, property));
        }
        return EventType.tuple(name, properties.toArray(EventProperty[]::new));
    }

    private static EventProperty property(final String name, final Matcher property)
    {
        final CqlType type = CqlType.byName(property.group(2));
        if (type == null)
        {
            throw wrong(name, property.group(), "the types are " +
                String.join(", ", Arrays.stream(CqlType.values()).map(CqlType::cqlName).toList()));
        }
        if (property.group(3) == null)
        {
            return new EventProperty(property.group(1), type);
        }
        if (type != CqlType.CHAR && type != CqlType.BYTE)
        {
            throw wrong(name, property.group(), "only char and byte have a length");
        }
        return new EventProperty(property.group(1), type, Integer.parseInt(property.group(3)));
    }

    private static IllegalArgumentException wrong(final String name, final String part, final String next)
    {
        return new IllegalArgumentException("the event type cannot be read, type=" + name + " property=\"" + part +
            "\"; " + next);
    }
}
