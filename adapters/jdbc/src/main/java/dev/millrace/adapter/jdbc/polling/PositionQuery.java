package dev.millrace.adapter.jdbc.polling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement with named placeholders. Immutable.
 *
 * @param sql        with a {@code ?} for each placeholder
 * @param parameters what each {@code ?} is
 */
public record PositionQuery(String sql, List<Parameter> parameters)
{
    /** A placeholder. */
    public enum Parameter
    {
        /** {@code ?} or {@code :position}: the position of the last row that was read. */
        POSITION,
        /** {@code :tie}: the value of its tie column. */
        TIE,
        /** {@code :horizon}: the greatest position that may be read. */
        HORIZON
    }

    /** Strings, quoted names and comments, casts, and placeholders. */
    private static final Pattern TOKEN = Pattern.compile("'[^']*'|\"[^\"]*\"|`[^`]*`|--[^\\n]*|/\\*(?s:.*?)\\*/|::|" +
        "\\?|:(?i:position|tie|horizon)\\b");

    public PositionQuery
    {
        parameters = List.copyOf(parameters);
    }

    /** Replaces the placeholders of a text. */
    public static PositionQuery parse(final String text)
    {
        final List<Parameter> parameters = new ArrayList<>();
        final StringBuilder sql = new StringBuilder();
        final Matcher token = TOKEN.matcher(text);
        while (token.find())
        {
            final String found = token.group();
            final boolean isPlaceholder = found.equals("?") || found.startsWith(":") && !found.equals("::");
            if (isPlaceholder)
            {
                parameters.add(found.equals("?") ? Parameter.POSITION :
                    Parameter.valueOf(found.substring(1).toUpperCase(Locale.ROOT)));
            }
            token.appendReplacement(sql, Matcher.quoteReplacement(isPlaceholder ? "?" : found));
        }
        token.appendTail(sql);
        return new PositionQuery(sql.toString(), parameters);
    }

    /**
     * Creates the query of a table.
     *
     * @param columns    quoted names, separated by commas
     * @param position   quoted name
     * @param tie        quoted name; {@code null} for none
     * @param hasHorizon whether the greatest position is limited
     */
    static PositionQuery ofTable(final String table, final String columns, final String position, final String tie,
        final boolean hasHorizon)
    {
        // The first condition alone selects the range of an index.
        final String after = tie == null ? position + " > :position" :
            position + " >= :position and (" + position + " > :position or " + tie + " > :tie)";
        return parse("select " + columns + " from " + table + " where " + after +
            (hasHorizon ? " and " + position + " <= :horizon" : "") + " order by " + position +
            (tie == null ? "" : ", " + tie));
    }

    /** Whether a placeholder occurs. */
    public boolean contains(final Parameter parameter)
    {
        return parameters.contains(parameter);
    }
}
