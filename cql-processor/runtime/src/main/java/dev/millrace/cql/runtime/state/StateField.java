package dev.millrace.cql.runtime.state;

import java.util.List;
import java.util.Set;

/** A field of a generated class that is state. Immutable. */
public sealed interface StateField
{
    /**
     * A field that is written completely: a primitive, an array of primitives, or a {@link StateHolder}.
     *
     * @param name of the field
     */
    record Plain(String name) implements StateField
    {
    }

    /**
     * The columns of a ring, of which only the entries with rows are written.
     *
     * @param head    field with the position of the oldest row, or {@link #ZERO}
     * @param tail    field with the position of the next row
     * @param columns fields with arrays of the same length, a power of two
     * @param strings those columns that contain strings
     * @param parts   fields with {@link RingState}s that follow the ring
     */
    record Ring(String head, String tail, List<String> columns, Set<String> strings, List<String> parts)
        implements StateField
    {
        /** A head that is always 0. */
        public static final String ZERO = "0";

        public Ring
        {
            columns = List.copyOf(columns);
            strings = Set.copyOf(strings);
            parts = List.copyOf(parts);
        }
    }
}
