package dev.millrace.network.recording;

import java.util.Arrays;
import java.util.List;

/**
 * Name of a group of rows in a dataset. Immutable.
 *
 * @param types event types of the rows: those of the channels that received them, or the type of the stage
 * @param query the query that emitted them; {@code null} if the stage was no processor
 */
public record GroupName(List<String> types, String query)
{
    private static final String QUERY = " query=";

    /** Copies the list. */
    public GroupName
    {
        types = List.copyOf(types);
    }

    /** Reads the name of the description of a group. */
    public static GroupName parse(final String text)
    {
        final int at = text.indexOf(QUERY);
        return new GroupName(Arrays.asList((at < 0 ? text : text.substring(0, at)).split(",")),
            at < 0 ? null : text.substring(at + QUERY.length()));
    }

    /** The text in records. */
    public String text()
    {
        return String.join(",", types) + (query == null ? "" : QUERY + query);
    }
}
