package dev.millrace.cql.processor.binding;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.RuleSetPlan;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Creates the catalog of a processor's rules: its channels and the objects that its declaration makes available.
 * Stateless.
 */
public final class RuleCatalog
{
    private RuleCatalog()
    {
    }

    /**
     * Creates the catalog of a processor.
     *
     * @param channels channels that feed it, by id
     * @throws DeploymentException with all objects that rules cannot use
     */
    public static Catalog of(final ProcessorStage definition, final Map<String, InputChannel> channels)
        throws DeploymentException
    {
        final Catalog.Builder catalog = Catalog.builder().classes(definition.objects().classes()::apply)
            .cartridges(definition.objects().links());
        final List<Problem> problems = new ArrayList<>();
        channels.values().forEach(channel -> catalog.add(new Catalog.ChannelSource(channel.id(), channel.eventType(),
            channel.relation(), time(channel), channel.silent(), channel.primaryKey(), channel.timeProperty())));
        definition.cacheSources().forEach((name, source) -> cache(definition, catalog, name, source, problems));
        definition.objects().tables().forEach(table -> table(catalog, table, problems));
        catalog.functions(new UserFunctions(problems).catalog(definition.objects().functions()));
        final Set<String> windows = new HashSet<>();
        for (final UserObjects.Window window : definition.objects().windows())
        {
            if (windows.add(window.name().toLowerCase(Locale.ROOT)))
            {
                catalog.window(window.name());
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
        return catalog.build();
    }

    private static FlowNode.TimeKind time(final InputChannel channel)
    {
        return switch (channel.time())
        {
            case SYSTEM -> FlowNode.TimeKind.SYSTEM;
            case APPLICATION -> FlowNode.TimeKind.APPLICATION;
            case APPLICATION_TOTAL_ORDER -> FlowNode.TimeKind.APPLICATION_TOTAL_ORDER;
        };
    }

    private static void cache(final ProcessorStage definition, final Catalog.Builder catalog, final String name,
        final ProcessorStage.CacheSource source, final List<Problem> problems)
    {
        try
        {
            catalog.cache(name, source.settings().valueType(), source.settings().keyProperties(),
                source.cache().findsElsewhere());
        }
        catch (final IllegalArgumentException | NullPointerException unusable)
        {
            problems.add(new Problem(ProcessorErrorCode.CACHE_NOT_USABLE, definition.position(),
                "rules cannot read a cache, cache=" + name + " reason=" + unusable.getMessage(),
                "give the cache a value-type with its key-properties, and a name that no channel has", ""));
        }
    }

    private static void table(
        final Catalog.Builder catalog, final UserObjects.Table table, final List<Problem> problems)
    {
        if (!TableLookup.isName(table.tableName()))
        {
            problems.add(new Problem(ProcessorErrorCode.TABLE_NOT_USABLE, table.position(),
                "this is not the name of a table, table=" + table.name() + " table-name=" + table.tableName(),
                "write NAME or SCHEMA.NAME; put a name of other characters in double quotes", ""));
        }
        try
        {
            catalog.table(table.name(), table.type());
        }
        catch (final IllegalArgumentException taken)
        {
            problems.add(new Problem(ProcessorErrorCode.TABLE_NOT_USABLE, table.position(),
                "a channel or cache of this processor has the name of the table, table=" + table.name(),
                "give the table another id, and its name in the database by table-name", ""));
        }
    }

    /** The active rules in the form of the language module, in order. */
    public static List<RuleText> texts(final ProcessorStage definition)
    {
        return definition.rules().stream()
            .filter(ProcessorStage.Rule::active)
            .map(rule -> new RuleText(rule.id(), rule.view(), rule.text(), rule.schema(), rule.orderingConstraint(),
                rule.partitionExpression(), rule.params() == null ? null : rule.params().values()))
            .toList();
    }

    /**
     * Passes the arguments of rules to the windows of user classes for validation.
     *
     * @param plan   plan of its rules
     * @param before earlier plan over the same catalog, whose queries were checked; {@code null} for none
     * @throws DeploymentException if a class rejects them
     */
    public static void checkWindows(final ProcessorStage definition, final RuleSetPlan plan, final RuleSetPlan before)
        throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        for (final FlowPlan flow : plan.plan().flows())
        {
            flow.outputs().stream().filter(output -> !plan.isSame(output.queryId(), before))
                .forEach(output -> check(definition, output, problems));
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private static void check(
        final ProcessorStage definition, final FlowPlan.Output output, final List<Problem> problems)
    {
        for (final FlowNode node : FlowNode.upstream(output.input()))
        {
            if (node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.User user)
            {
                check(definition, output.queryId(), user, problems);
            }
        }
    }

    private static void check(final ProcessorStage definition, final String queryId, final WindowSpec.User user,
        final List<Problem> problems)
    {
        String reason = null;
        try
        {
            reason = window(definition, user.name()).factory().newWindow(user.arguments()) == null ?
                "the factory returned null" : null;
        }
        // The factory is an application class: it may throw anything.
        catch (final RuntimeException | LinkageError failure)
        {
            reason = failure instanceof IllegalArgumentException && failure.getMessage() != null ?
                failure.getMessage() : failure.toString();
        }
        if (reason != null)
        {
            final SourcePosition position = definition.rules().stream().filter(rule -> rule.id().equals(queryId))
                .map(ProcessorStage.Rule::position).findFirst().orElse(definition.position());
            problems.add(new Problem(ProcessorErrorCode.WINDOW_NOT_USABLE, position,
                "a window cannot be created with these arguments, query=" + queryId + " window=" + user.name() +
                " arguments=" + user.arguments() + " reason=" + reason,
                "pass the arguments that the class of the window expects", ""));
        }
    }

    /**
     * Finds the declaration of a window.
     *
     * @param name case-insensitive name
     */
    public static UserObjects.Window window(final ProcessorStage definition, final String name)
    {
        return definition.objects().windows().stream().filter(window -> window.name().equalsIgnoreCase(name))
            .findFirst().orElseThrow(() -> new IllegalStateException("internal error, please report it with the " +
                "rules: the plan uses a window that the processor does not have, processor=" + definition.id() +
                " window=" + name));
    }
}
