package dev.millrace.assembly;

import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.config.ComponentConfiguration.Channel;
import dev.millrace.assembly.config.ComponentConfiguration.GroupBindings;
import dev.millrace.assembly.config.ComponentConfiguration.GroupParam;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.beans.factory.config.BeanDefinitionVisitor;
import org.springframework.beans.factory.config.TypedStringValue;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.StringValueResolver;

/**
 * Sets the properties of adapters and mappers that the configuration specifies, and replaces placeholders in properties
 * of adapters and selectors of channels with the values for this server's groups, before any other placeholders are
 * resolved. Not thread-safe.
 */
final class GroupOverrides
{
    /** Beginning of the names of beans that do not belong to the application. */
    private static final String OWN = "dev.millrace.";

    private final GenericApplicationContext context;
    private final EpnModel model;
    private final ComponentConfiguration configuration;
    private final Set<String> groups;
    private final Problems problems;

    GroupOverrides(final GenericApplicationContext context, final EpnModel model,
        final ComponentConfiguration configuration, final Set<String> groups)
    {
        this.context = context;
        this.model = model;
        this.configuration = configuration;
        this.groups = new TreeSet<>(groups);
        this.problems = model.problems();
    }

    /** Called once, when files are read and before the context is refreshed. */
    void apply()
    {
        configuration.adapterProperties().forEach(this::properties);
        configuration.mappers().values().forEach(this::mapper);
        configuration.groupBindings().forEach((name, bindings) ->
        {
            final StageDeclaration stage = model.stages().get(name);
            if (stage != null && stage.kind() == Kind.ADAPTER && context.containsBeanDefinition(name))
            {
                adapter(name, bindings);
            }
        });
        configuration.channels().replaceAll(this::channel);
    }

    /** Sets the instance properties that the configuration specifies, instead of those of the assembly file. */
    private void properties(final String name, final Map<String, Located> properties)
    {
        final StageDeclaration stage = model.stages().get(name);
        if (stage != null && stage.kind() == Kind.ADAPTER && context.containsBeanDefinition(name))
        {
            set(name, properties);
        }
    }

    private void set(final String bean, final Map<String, Located> properties)
    {
        final MutablePropertyValues values = context.getBeanDefinition(bean).getPropertyValues();
        properties.forEach((property, value) -> values.add(property, new TypedStringValue(value.value())));
    }

    /** Sets the properties of the bean that an adapter uses as its mapper. */
    private void mapper(final ComponentConfiguration.Mapper mapper)
    {
        final String name = mapper.name().value();
        final List<String> beans = Arrays.stream(context.getBeanDefinitionNames())
            .filter(bean -> !model.stages().containsKey(bean) && !bean.startsWith(OWN)).toList();
        if (beans.contains(name))
        {
            set(name, mapper.properties());
        }
        else
        {
            problems.add(AssemblyErrorCode.UNKNOWN_COMPONENT, mapper.name().position(),
                "configuration of a mapper that is not a bean of the assembly files, element=" + mapper.element() +
                " name=" + name, Suggestions.hint(name, "beans", beans));
        }
    }

    private void adapter(final String name, final GroupBindings bindings)
    {
        final Map<String, String> values = values(bindings);
        final Set<String> used = new TreeSet<>();
        new Properties(text -> PlaceholderResolver.replace(text, values, used)).visit(
            context.getBeanDefinition(name).getPropertyValues());
        unused(name, bindings, used);
    }

    private Channel channel(final String name, final Channel channel)
    {
        final GroupBindings bindings = configuration.groupBindings().get(name);
        final Set<String> used = new TreeSet<>();
        Channel bound = channel;
        if (channel.selector().size() == 1 && channel.selector().get(0).hasPlaceholder())
        {
            final Located written = channel.selector().get(0);
            final Map<String, String> values = bindings == null ? Map.of() : values(bindings);
            final String text = resolve(name, written, PlaceholderResolver.replace(written.value(), values, used));
            final List<Located> selector = text == null ? List.of() : Elements.names(
                new Located(text, written.position())).stream()
                .map(query -> new Located(query.value(), written.position())).toList();
            bound = new Channel(channel.maxSize(), channel.maxThreads(), channel.heartbeatNs(), selector);
        }
        if (bindings != null)
        {
            unused(name, bindings, used);
        }
        return bound;
    }

    /** Placeholders without a group value are resolved by system properties or the domain. */
    private String resolve(final String channel, final Located written, final String text)
    {
        try
        {
            return context.getEnvironment().resolveRequiredPlaceholders(text);
        }
        catch (final IllegalArgumentException e)
        {
            final Set<String> names = new TreeSet<>();
            PlaceholderResolver.replace(text, Map.of(), names);
            final String name = names.stream().filter(each -> !context.getEnvironment().containsProperty(each))
                .findFirst().orElse(text);
            problems.add(AssemblyErrorCode.UNRESOLVED_PLACEHOLDER, written.position(),
                "the placeholder has no value, " +
                "name=" + name + where(channel, name), hint(channel, name));
            return null;
        }
    }

    /** The values that apply on this server. */
    private Map<String, String> values(final GroupBindings bindings)
    {
        final Map<String, String> values = new LinkedHashMap<>();
        final Map<String, String> from = new LinkedHashMap<>();
        bindings.groups().forEach((group, params) ->
        {
            for (final GroupParam param : groups.contains(group) ? params : List.<GroupParam>of())
            {
                final String id = param.id().value();
                final String before = values.putIfAbsent(id, param.value().value());
                final String other = from.putIfAbsent(id, group);
                if (before != null && !before.equals(param.value().value()))
                {
                    problems.add(AssemblyErrorCode.CONTRADICTION, param.id().position(),
                        "this server is in two groups " +
                        "with different values, id=" + id + " groups=" + other + ", " + group + " values=" + before +
                        ", " + param.value().value(), "use one value in both groups, or remove the server from one of "
                        + "them (<groups> in config.xml)");
                }
            }
        });
        return values;
    }

    /** A param that no value of the component uses is an error on every server. */
    private void unused(final String component, final GroupBindings bindings, final Set<String> used)
    {
        for (final List<GroupParam> params : bindings.groups().values())
        {
            for (final GroupParam param : params)
            {
                if (!used.contains(param.id().value()))
                {
                    problems.add(AssemblyErrorCode.DANGLING_REFERENCE, param.id().position(),
                        "no value of the component " +
                        "has the placeholder, component=" + component + " id=" + param.id().value(),
                        Suggestions.hint(param.id().value(), "placeholders in properties of the adapter, or in the " +
                            "selector of the channel", used));
                }
            }
        }
    }

    /**
     * Whether a group of this server has a value.
     *
     * @param component   adapter or channel, may be {@code null}
     * @param placeholder name
     * @return true when the value was substituted
     */
    boolean isGiven(final String component, final String placeholder)
    {
        return bound(component, placeholder).stream().anyMatch(groups::contains);
    }

    /**
     * Lists the groups when a placeholder has values for some groups.
     *
     * @param component   adapter or channel, may be {@code null}
     * @param placeholder name
     * @return text that follows the name in a message; empty when no group has a value
     */
    String where(final String component, final String placeholder)
    {
        final List<String> bound = bound(component, placeholder);
        return bound.isEmpty() ? "" : " groups of this server=" + (groups.isEmpty() ? "none" :
            String.join(", ", groups)) + " groups with a value=" + String.join(", ", bound);
    }

    /**
     * Returns what to do about a placeholder without value.
     *
     * @param component   adapter or channel, may be {@code null}
     * @param placeholder name
     * @return hint
     */
    String hint(final String component, final String placeholder)
    {
        final String otherwise = "start the server with -D" + placeholder + "=value, or declare a default: ${" +
            placeholder + ":default}";
        return bound(component, placeholder).isEmpty() ? otherwise : "add a group-binding for a group of this " +
            "server, or put the server into one of those (<groups> in config.xml), or " + otherwise;
    }

    private List<String> bound(final String component, final String placeholder)
    {
        final GroupBindings bindings = component == null ? null : configuration.groupBindings().get(component);
        final List<String> bound = new ArrayList<>();
        if (bindings != null)
        {
            bindings.groups().forEach((group, params) ->
            {
                if (params.stream().anyMatch(param -> param.id().value().equals(placeholder)))
                {
                    bound.add(group);
                }
            });
        }
        return bound;
    }

    /** Visits only properties: classes and methods do not depend on groups. */
    private static final class Properties extends BeanDefinitionVisitor
    {
        Properties(final StringValueResolver resolver)
        {
            super(resolver);
        }

        void visit(final MutablePropertyValues properties)
        {
            visitPropertyValues(properties);
        }
    }
}
