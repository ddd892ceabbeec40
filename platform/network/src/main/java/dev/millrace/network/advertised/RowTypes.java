package dev.millrace.network.advertised;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.List;

/** Compares the rows that an application sends with those that a channel of another application expects. */
public final class RowTypes
{
    private RowTypes()
    {
    }

    /**
     * Compares two types.
     *
     * @param from type of the rows
     * @param to   type of the channel
     * @return properties of the channel that the rows do not have with the same type; empty if the rows fit
     */
    public static List<String> missing(final EventType from, final EventType to)
    {
        final List<String> missing = new ArrayList<>();
        for (final EventProperty property : to.properties())
        {
            final int column = from.indexOf(property.name());
            if (column < 0 || from.properties().get(column).type() != property.type())
            {
                missing.add(property.name());
            }
        }
        return missing;
    }

    /** Describes a type by its name and its properties with their types. */
    public static String describe(final EventType type)
    {
        return type.name() + type.properties().stream().map(each -> each.name() + ' ' + each.type().cqlName()).toList();
    }

    /** Describes rows that do not fit. */
    static String mismatch(final String stage, final EventType from, final EventType to)
    {
        return "the rows of the other application do not fit, stage=" + stage + " properties=" + missing(from, to) +
            " type=" + describe(from) + " expected=" + describe(to);
    }
}
