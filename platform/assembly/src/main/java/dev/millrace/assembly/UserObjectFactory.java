package dev.millrace.assembly;

import dev.millrace.api.event.EventType;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.assembly.cartridge.CartridgeContexts;
import dev.millrace.assembly.cartridge.StatementContexts;
import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.TableDeclaration;
import dev.millrace.assembly.epn.UserObjectDeclaration;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.UserObjects;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Creates the functions, windows and tables that rules use: bean definitions first, then the objects. Not thread-safe.
 */
final class UserObjectFactory
{
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*");

    private final GenericApplicationContext context;
    private final PlatformServices services;
    private final EpnModel model;
    private final Problems problems;
    private final CartridgeContexts cartridges;
    /** Classes whose static methods are functions, by the declaration. */
    private final Map<UserObjectDeclaration, Class<?>> staticClasses = new HashMap<>();

    UserObjectFactory(final GenericApplicationContext context, final PlatformServices services, final EpnModel model,
        final ComponentConfiguration configuration, final EventTypesBuilder classes)
    {
        this.context = context;
        this.services = services;
        this.model = model;
        this.problems = model.problems();
        cartridges = new CartridgeContexts(model, services.cartridges(), services::cartridge, new StatementContexts(
            configuration, problems, services::dataSource, services::dataSources, classes::loadClass));
    }

    /** Registers a bean for each declaration that has only a class; checks names. */
    void register(final EventTypesBuilder classes)
    {
        for (final StageDeclaration stage : model.stages().values())
        {
            for (final UserObjectDeclaration function : stage.functions())
            {
                checkName(function, "function");
                final Class<?> type = loaded(function, classes, "function");
                if (type != null && isStatic(type, function.execMethod()))
                {
                    staticClasses.put(function, type);
                }
                else
                {
                    bean(function, type);
                }
            }
            for (final UserObjectDeclaration window : stage.windows())
            {
                checkName(window, "window");
                bean(window, loaded(window, classes, "window"));
            }
        }
    }

    private void checkName(final UserObjectDeclaration declaration, final String what)
    {
        if (!NAME.matcher(declaration.name().value()).matches())
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, declaration.name().position(), "not a name for a " + what +
                ", name=" + declaration.name().value(), "use letters, digits and _, starting with a letter");
        }
    }

    private static Class<?> loaded(
        final UserObjectDeclaration declaration, final EventTypesBuilder classes, final String what)
    {
        return declaration.className() == null ? null :
            classes.loadClass(declaration.className(), what + '=' + declaration.name().value());
    }

    private static boolean isStatic(final Class<?> type, final Located method)
    {
        return method != null && Arrays.stream(type.getMethods()).anyMatch(each ->
            each.getName().equals(method.value()) && Modifier.isStatic(each.getModifiers()));
    }

    private void bean(final UserObjectDeclaration declaration, final Class<?> type)
    {
        if (type != null)
        {
            final RootBeanDefinition definition = new RootBeanDefinition(type);
            definition.setSource(declaration.position());
            context.registerBeanDefinition(declaration.beanName(), definition);
        }
    }

    /** Creates the objects of a processor from the refreshed context; reports objects that do not fit. */
    UserObjects of(
        final StageDeclaration stage, final EventTypes eventTypes, final Function<Located, String> resolver)
    {
        final List<UserObjects.Function> functions = new ArrayList<>();
        stage.functions().forEach(function -> function(function, functions));
        final List<UserObjects.Window> windows = new ArrayList<>();
        for (final UserObjectDeclaration window : stage.windows())
        {
            final Object bean = context.getBean(window.beanName());
            if (bean instanceof TimeWindowFactory factory)
            {
                windows.add(new UserObjects.Window(window.name().value(), factory, window.position()));
            }
            else
            {
                problems.add(AssemblyErrorCode.BAD_WIRING, window.position(), "the object is not a window, window=" +
                    window.name().value() + " class=" + bean.getClass().getName(),
                    "let the class implement dev.millrace.api.window.TimeWindowFactory");
            }
        }
        final List<UserObjects.Table> tables = new ArrayList<>();
        for (final ElementReference link : stage.tableSources())
        {
            table(model.tables().get(link.target()), eventTypes, resolver, tables);
        }
        return new UserObjects(functions, windows, tables, services.javaClasses(), cartridges.links(resolver));
    }

    private void function(final UserObjectDeclaration function, final List<UserObjects.Function> functions)
    {
        final Class<?> type = staticClasses.get(function);
        final Object target = type == null ? context.getBean(function.beanName()) : type;
        if (function.execMethod() == null && !(target instanceof AggregateFunctionFactory))
        {
            problems.add(AssemblyErrorCode.MISSING, function.position(),
                "the function has no method to call, function=" +
                function.name().value() + " class=" + target.getClass().getName(),
                "add exec-method=\"...\" for a function of single rows, or let the class implement " +
                    "dev.millrace.api.function.AggregateFunctionFactory for an aggregate");
            return;
        }
        functions.add(new UserObjects.Function(function.name().value(), target,
            function.execMethod() == null ? null : function.execMethod().value(),
            function.returnType() == null ? null : function.returnType().value(), function.position()));
    }

    private void table(final TableDeclaration table, final EventTypes eventTypes,
        final Function<Located, String> resolver, final List<UserObjects.Table> tables)
    {
        final String typeName = resolver.apply(table.eventType());
        final EventType type = typeName == null ? null : eventTypes.eventType(typeName);
        if (type == null)
        {
            problems.add(AssemblyErrorCode.UNKNOWN_EVENT_TYPE, table.eventType().position(),
                "unknown event type, name=" + typeName, Suggestions.hint(String.valueOf(typeName), "event types",
                    eventTypes.eventTypes().stream().map(EventType::name).toList()));
        }
        final String name = resolver.apply(table.dataSource());
        final DataSource source = name == null ? null : services.dataSource(name);
        if (source == null)
        {
            problems.add(AssemblyErrorCode.DANGLING_REFERENCE, table.dataSource().position(),
                "the server has no such data source, table=" + table.id() + " data-source=" + name,
                services.dataSources().isEmpty() ? "add a data-source element of this name to the server's config.xml" :
                    Suggestions.hint(String.valueOf(name), "data sources", services.dataSources()));
        }
        final String tableName = table.tableName() == null ? table.id() : resolver.apply(table.tableName());
        if (type != null && source != null && tableName != null &&
            tables.stream().noneMatch(other -> other.name().equals(table.id())))
        {
            tables.add(new UserObjects.Table(table.id(), type, source, tableName, table.position()));
        }
    }
}
