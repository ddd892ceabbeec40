package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.util.Collection;
import java.util.List;

/** Finds functions by name: built-in functions and those of the application. */
public interface FunctionLookup
{
    /**
     * A signature of a function.
     *
     * @param arguments types of its arguments; the last repeats when it is variadic
     * @param variadic  whether the last argument may occur any number of times, including zero
     * @param target    implementation, for the planner
     */
    record Signature(List<CqlType> arguments, boolean variadic, CqlType result, Object target)
    {
        /** Copies the list. */
        public Signature
        {
            arguments = List.copyOf(arguments);
        }

        /** The type of an argument. */
        public CqlType argument(final int index)
        {
            return arguments.get(Math.min(index, arguments.size() - 1));
        }
    }

    /**
     * The signatures of a scalar function.
     *
     * @param name case-insensitive name
     * @return all signatures; empty if no function has the name
     */
    List<Signature> scalars(String name);

    /**
     * The signatures of an aggregate.
     *
     * @param name case-insensitive name
     * @return all signatures; empty if no aggregate has the name
     */
    List<Signature> aggregates(String name);

    /** The names of all functions and aggregates, for hints. */
    Collection<String> names();
}
