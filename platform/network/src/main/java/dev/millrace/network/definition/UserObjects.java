package dev.millrace.network.definition;

import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.event.EventType;
import dev.millrace.api.window.TimeWindowFactory;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Objects of an application that the rules of a processor use by name.
 *
 * @param functions functions and aggregates
 * @param windows   windows
 * @param tables    tables of databases
 * @param classes   finds the Java classes that rules may call: a class by its name as rules write it, or {@code null}
 * @param links     links of cartridges that rules may use
 */
public record UserObjects(List<Function> functions, List<Window> windows, List<Table> tables,
    java.util.function.Function<String, Class<?>> classes, CartridgeLinks links)
{
    /** No objects. */
    public static final UserObjects NONE = new UserObjects(List.of(), List.of(), List.of());

    /** Copies the lists. */
    public UserObjects
    {
        functions = List.copyOf(functions);
        windows = List.copyOf(windows);
        tables = List.copyOf(tables);
        Objects.requireNonNull(classes, "classes");
        Objects.requireNonNull(links, "links");
    }

    /**
     * Creates the objects of an application whose rules use no cartridges.
     *
     * @param functions functions and aggregates
     * @param windows   windows
     * @param tables    tables of databases
     * @param classes   finds the Java classes that rules may call
     */
    public UserObjects(final List<Function> functions, final List<Window> windows, final List<Table> tables,
        final java.util.function.Function<String, Class<?>> classes)
    {
        this(functions, windows, tables, classes, CartridgeLinks.NONE);
    }

    /**
     * Creates the objects of an application whose rules call no Java classes.
     *
     * @param functions functions and aggregates
     * @param windows   windows
     * @param tables    tables of databases
     */
    public UserObjects(final List<Function> functions, final List<Window> windows, final List<Table> tables)
    {
        this(functions, windows, tables, name -> null);
    }

    /**
     * A function.
     *
     * @param name       name in rules, case ignored
     * @param target     the object; its class when only static methods are meant. An aggregate is a
     *                   {@link dev.millrace.api.function.AggregateFunctionFactory}
     * @param execMethod name of the method that is called; {@code null} for an aggregate
     * @param returnType CQL type of the result of a method that is declared to return an {@code Object}; {@code null}
     *                   when the method declares it
     * @param position   position of its element
     */
    public record Function(
        String name, Object target, String execMethod, String returnType, SourcePosition position)
    {
        /** Checks the arguments. */
        public Function
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(target, "target");
        }
    }

    /**
     * A window.
     *
     * @param name     name in rules, case ignored
     * @param factory  creates one for each query
     * @param position position of its element
     */
    public record Window(String name, TimeWindowFactory factory, SourcePosition position)
    {
        /** Checks the arguments. */
        public Window
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(factory, "factory");
        }
    }

    /**
     * A table of a database.
     *
     * @param name       name in rules, case ignored
     * @param type       row type; its properties are columns of the table
     * @param dataSource provides connections
     * @param tableName  name in the database, with its schema if needed
     * @param position   position of its element
     */
    public record Table(String name, EventType type, DataSource dataSource, String tableName, SourcePosition position)
    {
        /** Checks the arguments. */
        public Table
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(dataSource, "dataSource");
            Objects.requireNonNull(tableName, "tableName");
        }
    }
}
