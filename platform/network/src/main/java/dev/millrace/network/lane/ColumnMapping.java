package dev.millrace.network.lane;

import dev.millrace.api.event.EventType;

/** Maps columns of one type to columns of another by name, case ignored. */
public final class ColumnMapping
{
    private ColumnMapping()
    {
    }

    /**
     * Maps columns by name.
     *
     * @param from type of the incoming rows
     * @param to   type of the outgoing rows
     * @return for each column of {@code to} the index of the column of {@code from}, -1 when no column has that name
     */
    public static int[] between(final EventType from, final EventType to)
    {
        return to.properties().stream().mapToInt(property -> from.indexOf(property.name())).toArray();
    }
}
