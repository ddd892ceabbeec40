package dev.millrace.network.lane;

import dev.millrace.api.event.EventType;

/** Which column of one type feeds which of another: those of the same name, case ignored. */
public final class ColumnMapping
{
    private ColumnMapping()
    {
    }

    /**
     * Maps columns by name.
     *
     * @param from type of the rows that come
     * @param to   type of the rows that go on
     * @return for each column of {@code to} the column of {@code from}, -1 when there is none of that name
     */
    public static int[] between(final EventType from, final EventType to)
    {
        return to.properties().stream().mapToInt(property -> from.indexOf(property.name())).toArray();
    }
}
