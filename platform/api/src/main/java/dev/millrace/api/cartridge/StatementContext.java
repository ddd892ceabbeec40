package dev.millrace.api.cartridge;

import dev.millrace.api.event.CqlType;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A context of a {@link StatementCartridge}. Immutable.
 *
 * @param name       of the link
 * @param dataSource provides connections
 * @param functions  definitions
 */
public record StatementContext(String name, DataSource dataSource, List<Definition> functions)
{
    /** Copies the list. */
    public StatementContext
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(dataSource, "dataSource");
        functions = List.copyOf(functions);
    }

    /**
     * A function.
     *
     * @param name          in rules
     * @param parameters    in order of the call
     * @param component     class of a row of the result: of the only column, or a bean with a property per column
     * @param statement     text with {@code :name} for the value of a parameter
     * @param maxCached     results that are remembered; 0 for none
     * @param cacheTimeMs   how long a result is remembered
     */
    public record Definition(String name, List<Parameter> parameters, Class<?> component, String statement,
        int maxCached, long cacheTimeMs)
    {
        /** Copies the list. */
        public Definition
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(component, "component");
            Objects.requireNonNull(statement, "statement");
            parameters = List.copyOf(parameters);
        }
    }

    /**
     * A parameter.
     *
     * @param name in the statement
     * @param type in rules
     */
    public record Parameter(String name, CqlType type)
    {
        /** Checks the arguments. */
        public Parameter
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
        }
    }
}
