package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which column of each source contains the time of a row. Without any, each line advances time by a millisecond. When
 * only some sources have one, the rows of the others have time 0.
 */
final class RowTimes
{
    private static final Set<CqlType> TYPES =
        Set.of(CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE, CqlType.TIMESTAMP);

    private final Map<String, Integer> columns = new HashMap<>();
    private final boolean isGiven;

    /**
     * Parses the options.
     *
     * @param options {@code COLUMN}, for all sources that have it, or {@code SOURCE.COLUMN}
     * @param specs   sources
     */
    RowTimes(final List<String> options, final List<StreamSpec> specs)
    {
        isGiven = !options.isEmpty();
        for (final String option : options)
        {
            final int dot = option.indexOf('.');
            final String source = dot < 0 ? null : option.substring(0, dot);
            final String column = option.substring(dot + 1);
            final Set<String> found = new HashSet<>();
            for (final StreamSpec spec : specs)
            {
                if ((source == null || spec.name().equalsIgnoreCase(source)) && spec.indexOf(column) >= 0)
                {
                    found.add(spec.name());
                    columns.put(key(spec), checked(spec, spec.indexOf(column)));
                }
            }
            if (found.isEmpty())
            {
                throw ToolException.usage("CMD-0309", "no source has the column of --time, column=" + option,
                    "write --time COLUMN or --time SOURCE.COLUMN with a column given in --stream or --relation");
            }
        }
    }

    private static String key(final StreamSpec spec)
    {
        return spec.name().toLowerCase(Locale.ROOT);
    }

    private static int checked(final StreamSpec spec, final int column)
    {
        final CqlType type = spec.type().properties().get(column).type();
        if (!TYPES.contains(type))
        {
            throw ToolException.usage("CMD-0309", "the column of --time is not a time, source=" + spec.name() +
                " type=" + type.cqlName(), "a time is a number of milliseconds or a timestamp");
        }
        return column;
    }

    /** Column of a source with the time, or -1. */
    int column(final StreamSpec spec)
    {
        return columns.getOrDefault(key(spec), -1);
    }

    /**
     * Whether each line of a source without a time column advances time by a millisecond; otherwise all its rows have
     * time 0.
     */
    boolean isMillisecondALine()
    {
        return !isGiven;
    }
}
