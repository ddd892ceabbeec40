package dev.millrace.cql.runtime.state;

import java.util.List;
import java.util.Set;

/** What of the fields of a generated class is state. Immutable. */
public sealed interface StateField
{
    /**
     * A field that is written as it is: a primitive, an array of such, or a {@link StatePart}.
     *
     * @param name of the field
     */
    record Plain(String name) implements StateField
    {
    }

    /**
     * The columns of a ring, of which those places are written that have rows.
     *
     * @param head    name of the position of the oldest row; 0 where it has no name
     * @param tail    name of the position of the next row
     * @param columns names of arrays of the same length, a power of two
     * @param strings those of them that keep strings
     * @param parts   names of {@link RingPart}s that follow the ring
     */
    record Ring(String head, String tail, List<String> columns, Set<String> strings, List<String> parts)
        implements StateField
    {
        /** Name of a head that is 0. */
        public static final String ZERO = "0";

        /** Copies the lists. */
        public Ring
        {
            columns = List.copyOf(columns);
            strings = Set.copyOf(strings);
            parts = List.copyOf(parts);
        }
    }
}
