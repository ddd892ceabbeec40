package dev.millrace.network.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Describes the rows of a group in the journal of a unit: a line with the name of the group, and a line with name and
 * type of each column in its records. Rows are replayed only into a group with the same description. Immutable.
 *
 * @param name    name of the group of pipelines, or of the replica of a cache
 * @param columns the columns in the records, in order; may be empty
 */
public record GroupDescription(String name, List<EventProperty> columns)
{
    private static final Pattern CACHE = Pattern.compile("(?:pipeline|flow) .* \\d+ cache (.+)");

    /**
     * Describes a group.
     *
     * @param schema  of its batches
     * @param columns which columns its records contain, by index
     */
    public static GroupDescription of(final String name, final BatchSchema schema, final IntPredicate columns)
    {
        final List<EventProperty> properties = schema.type().properties();
        return new GroupDescription(name,
            IntStream.range(0, properties.size()).filter(columns).mapToObj(properties::get).toList());
    }

    /**
     * Reads the text of a record.
     *
     * @throws IllegalArgumentException if it is not the text of a description
     */
    public static GroupDescription parse(final String text)
    {
        final String[] lines = text.split("\n");
        return new GroupDescription(lines[0], Arrays.stream(lines).skip(1).map(GroupDescription::column).toList());
    }

    private static EventProperty column(final String line)
    {
        final int space = line.lastIndexOf(' ');
        if (space < 0)
        {
            throw new IllegalArgumentException("not a column, text=" + line);
        }
        return new EventProperty(line.substring(0, space), CqlType.valueOf(line.substring(space + 1)));
    }

    /** The id of the cache whose changes its records contain; {@code null} for rows of a channel. */
    public String cache()
    {
        final Matcher matcher = CACHE.matcher(name);
        return matcher.matches() ? matcher.group(1) : null;
    }

    /** The text in records. */
    public String text()
    {
        return columns.stream().map(column -> '\n' + column.name() + ' ' + column.type())
            .collect(Collectors.joining("", name, ""));
    }
}
