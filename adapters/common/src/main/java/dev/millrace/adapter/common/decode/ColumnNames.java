package dev.millrace.adapter.common.decode;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.List;

/** Finds the columns of a batch by the names of fields. */
public final class ColumnNames
{
    /** No column: the field is skipped. */
    public static final int SKIPPED = -1;

    /** The name of a field that is skipped. */
    private static final String SKIP = "-";

    private ColumnNames()
    {
    }

    /**
     * The columns that an adapter reads.
     *
     * @param names of properties, {@code -} for fields that are skipped; {@code null} for all properties
     * @return index of each, {@link #SKIPPED} for none
     * @throws IllegalArgumentException if a name is unknown or occurs twice, or its type cannot be read
     */
    public static int[] of(final EventType type, final List<String> names)
    {
        final List<Integer> columns = new ArrayList<>();
        for (final String name : names == null ? type.properties().stream().map(EventProperty::name).toList() : names)
        {
            final int column = name.equals(SKIP) ? SKIPPED : type.indexOf(name);
            if (column == SKIPPED && !name.equals(SKIP))
            {
                throw new IllegalArgumentException(name + " is not a property of " + type.name());
            }
            if (column != SKIPPED && columns.contains(column))
            {
                throw new IllegalArgumentException(name + " occurs twice");
            }
            final CqlType of = column == SKIPPED ? null : type.properties().get(column).type();
            if (of == CqlType.OBJECT || of == CqlType.XMLTYPE)
            {
                throw new IllegalArgumentException(name + " has the type " + of.cqlName() +
                    ", which adapters cannot read");
            }
            columns.add(column);
        }
        return columns.stream().mapToInt(Integer::intValue).toArray();
    }
}
