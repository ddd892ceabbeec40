package dev.millrace.assembly.cartridge;

import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.api.cartridge.StatementCartridge;
import dev.millrace.api.cartridge.StatementContext;
import dev.millrace.api.event.CqlType;
import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.config.ComponentConfiguration.StatementFunction;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Creates the links of contexts whose functions are statements of a database. Not thread-safe; used by the deploying
 * thread.
 */
public final class StatementContexts
{
    private static final int MAX_CACHED = 1_000_000;

    private final ComponentConfiguration configuration;
    private final Problems problems;
    private final Function<String, DataSource> dataSources;
    private final Supplier<Collection<String>> dataSourceNames;
    private final BiFunction<Located, String, Class<?>> classes;

    /**
     * @param dataSources     finds a data source of the server; {@code null} for an unknown name
     * @param dataSourceNames names of all, for messages
     * @param classes         loads a class of the application; {@code null} after reporting a problem
     */
    public StatementContexts(final ComponentConfiguration configuration, final Problems problems,
        final Function<String, DataSource> dataSources, final Supplier<Collection<String>> dataSourceNames,
        final BiFunction<Located, String, Class<?>> classes)
    {
        this.configuration = configuration;
        this.problems = problems;
        this.dataSources = dataSources;
        this.dataSourceNames = dataSourceNames;
        this.classes = classes;
    }

    /** The link of a context; {@code null} after reporting problems. */
    CartridgeLink link(
        final Located id, final StatementCartridge cartridge, final Function<Located, String> resolver)
    {
        final ComponentConfiguration.StatementContext written = configuration.statementContexts().get(id.value());
        if (written == null)
        {
            problems.add(AssemblyErrorCode.MISSING, id.position(),
                "no configuration file defines functions of the context, context=" + id.value(),
                "add <jc:jdbc-ctx> with this name");
            return null;
        }
        final String source = resolver.apply(written.dataSource());
        final DataSource found = source == null ? null : dataSources.apply(source);
        if (found == null)
        {
            problems.add(AssemblyErrorCode.DANGLING_REFERENCE, written.dataSource().position(),
                "the server has no such data source, context=" + id.value() + " data-source=" + source,
                Suggestions.hint(String.valueOf(source), "data sources", dataSourceNames.get()));
        }
        final List<StatementContext.Definition> definitions = new ArrayList<>();
        written.functions().forEach(function -> definition(function, definitions));
        if (found == null || definitions.size() < written.functions().size())
        {
            return null;
        }
        try
        {
            final StatementContext context = new StatementContext(id.value(), found, definitions);
            return new CartridgeLink(id.value(), cartridge, context, cartridge.functions(context));
        }
        catch (final IllegalArgumentException refused)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, written.position(), "a function of the context cannot be used, " +
                "context=" + id.value() + ' ' + refused.getMessage(), "correct its definition");
            return null;
        }
    }

    private void definition(final StatementFunction function, final List<StatementContext.Definition> definitions)
    {
        final List<StatementContext.Parameter> parameters = new ArrayList<>();
        function.parameters().forEach(parameter ->
        {
            final CqlType type = CqlType.byName(parameter.type().value());
            if (type == null || type == CqlType.OBJECT)
            {
                problems.add(AssemblyErrorCode.BAD_VALUE, parameter.type().position(),
                    "not a type of a parameter, function=" + function.name().value() + " type=" +
                    parameter.type().value(), Suggestions.hint(parameter.type().value(), "types",
                        Arrays.stream(CqlType.values()).map(CqlType::cqlName).toList()));
            }
            else
            {
                parameters.add(new StatementContext.Parameter(parameter.name().value(), type));
            }
        });
        final CqlType simple = CqlType.byName(function.component().value());
        final Class<?> component = simple != null ? simple.javaClass() :
            classes.apply(function.component(), "function=" + function.name().value());
        final long maxCached = number(function.maxSize(), MAX_CACHED);
        final long cacheTimeMs = number(function.timeToLive(), Long.MAX_VALUE / MAX_CACHED);
        final boolean isComplete = component != null && parameters.size() == function.parameters().size();
        if (isComplete && maxCached >= 0 && cacheTimeMs >= 0)
        {
            definitions.add(new StatementContext.Definition(function.name().value(), parameters, component,
                function.sql().value(), cacheTimeMs == 0 ? 0 : (int)maxCached, cacheTimeMs));
        }
    }

    /** A number from 0; 0 if it is not written, -1 after reporting a problem. */
    private long number(final Located written, final long most)
    {
        final String value = written == null ? "0" : written.value();
        if (!value.matches("[0-9]{1,12}") || Long.parseLong(value) > most)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, written.position(), "not a whole number from 0 to " + most +
                ", value=" + value, "write a number in that range");
            return -1;
        }
        return Long.parseLong(value);
    }
}
