package dev.millrace.cql.language.types;

import dev.millrace.api.event.CqlType;
import java.util.Collection;
import java.util.List;

/** Where calls find the functions that they name: those of the language and those of the application. */
public interface FunctionLookup
{
    /**
     * One way to call a function.
     *
     * @param arguments types of its arguments; the last repeats when it is variadic
     * @param variadic  whether the last argument may occur any number of times, also never
     * @param result    type of its result
     * @param target    what is called, for the planner
     */
    record Signature(List<CqlType> arguments, boolean variadic, CqlType result, Object target)
    {
        /** Copies the list. */
        public Signature
        {
            arguments = List.copyOf(arguments);
        }

        /**
         * The type of an argument.
         *
         * @param index from 0
         * @return its type
         */
        public CqlType argument(final int index)
        {
            return arguments.get(Math.min(index, arguments.size() - 1));
        }
    }

    /**
     * The signatures of a scalar function.
     *
     * @param name name, case ignored
     * @return all of them, empty when there is no such function
     */
    List<Signature> scalars(String name);

    /**
     * The signatures of an aggregate.
     *
     * @param name name, case ignored
     * @return all of them, empty when there is no such aggregate
     */
    List<Signature> aggregates(String name);

    /**
     * All names, for hints.
     *
     * @return names of functions and aggregates
     */
    Collection<String> names();
}
