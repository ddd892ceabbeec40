package dev.millrace.cql.replay;

import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.processor.ReplayInput;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.CacheSource;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.durable.GroupDescription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Decides which recorded group feeds which rules. A journal contains the rows of a channel once for each group of
 * pipelines, with the columns that this group read. Rules are fed from the group of the same name; if it does not
 * exist or lacks a column, then from another group of the channel, provided that the same rows were processed by the
 * same thread.
 */
final class RecordedChannels
{
    private final ProcessorStage definition;
    private final Collection<String> channels;
    private final Map<String, List<GroupDescription>> recorded;
    private final boolean isDistributedAlike;

    /**
     * @param definition    with the rules to replay
     * @param recordedRules rules that have recorded
     * @param channels      channels that feed the processor
     * @param recorded      recorded groups, by unit
     */
    RecordedChannels(final ProcessorStage definition, final List<Rule> recordedRules, final Collection<String> channels,
        final Map<String, List<GroupDescription>> recorded)
    {
        this.definition = definition;
        this.channels = channels;
        this.recorded = recorded;
        final Set<List<String>> distributions = new HashSet<>();
        recordedRules.forEach(rule -> distributions.add(distribution(rule)));
        definition.rules().forEach(rule -> distributions.add(distribution(rule)));
        isDistributedAlike = distributions.size() == 1;
    }

    private static List<String> distribution(final Rule rule)
    {
        return List.of(String.valueOf(rule.orderingConstraint()), String.valueOf(rule.partitionExpression()));
    }

    /**
     * The inputs of a unit that each of its recorded groups feeds.
     *
     * @param unit   name of the unit
     * @param inputs the inputs of the rules
     * @return inputs by name of the recorded group
     * @throws DeploymentException if rules read what no group contains
     */
    Map<String, List<ReplayInput>> of(final String unit, final List<ReplayInput> inputs) throws DeploymentException
    {
        final Map<String, List<ReplayInput>> fed = new HashMap<>();
        final Set<DeploymentException.Problem> problems = new LinkedHashSet<>();
        for (final ReplayInput input : inputs)
        {
            try
            {
                final String group = group(unit, input);
                if (group != null)
                {
                    checkTables(input);
                    checkCaches(unit, input);
                    fed.computeIfAbsent(group, name -> new ArrayList<>()).add(input);
                }
            }
            catch (final DeploymentException e)
            {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(List.copyOf(problems));
        }
        return fed;
    }

    /** The journal contains what the tables answered, for the rows of the rules that asked. */
    private void checkTables(final ReplayInput input) throws DeploymentException
    {
        if (!input.tables().isEmpty())
        {
            throw new DeploymentException(ReplayErrorCode.NOT_RECORDED, position(input), "the rules join tables, " +
                "which a replay does not ask, tables=" + input.tables() + " channel=" + input.channel() +
                " queries=" + input.queries(), "replay the rules without these queries");
        }
    }

    private void checkCaches(final String unit, final ReplayInput input) throws DeploymentException
    {
        for (final String cache : input.caches())
        {
            if (recorded.get(unit).stream().noneMatch(group -> cache.equalsIgnoreCase(group.cache())))
            {
                throw refused(input, "the rules join a cache whose content is not recorded, or that they " +
                    "ask for each row, cache=" + cache + " channel=" + input.channel() + " thread=" + unit);
            }
        }
    }

    /** Name of the group that feeds an input of a unit; {@code null} if another unit receives its rows. */
    private String group(final String unit, final ReplayInput input) throws DeploymentException
    {
        final Map<String, GroupDescription> groups = groups(input.channel());
        if (groups.isEmpty())
        {
            throw refused(input, "the rules read a channel whose rows are not recorded, channel=" +
                input.channel() + " recorded=" + recordedChannels());
        }
        final GroupDescription same = groups.get(input.group());
        if (same != null && missing(input, same).isEmpty())
        {
            return isIn(unit, same.name()) ? same.name() : null;
        }
        final List<GroupDescription> complete =
            groups.values().stream().filter(each -> missing(input, each).isEmpty()).toList();
        if (complete.isEmpty())
        {
            final GroupDescription closest = same == null ? groups.values().iterator().next() : same;
            throw refused(input, "the rules read columns that are not recorded, channel=" + input.channel() +
                " columns=" + missing(input, closest) + " recorded=" +
                closest.columns().stream().map(EventProperty::name).toList());
        }
        for (final GroupDescription each : complete)
        {
            if (isDistributedAlike || units(each.name()) == 1)
            {
                return isIn(unit, each.name()) ? each.name() : null;
            }
        }
        throw new DeploymentException(ReplayErrorCode.OTHER_THREADS, position(input), "the rows of the channel " +
            "were recorded by several threads, and the rules need other rows in each of them, channel=" +
            input.channel() + " threads=" + units(complete.get(0).name()) + " queries=" + input.queries(),
            "give all rules the ordering constraint " +
            "and the partition expression of the rules that have recorded");
    }

    private DeploymentException refused(final ReplayInput input, final String text)
    {
        return new DeploymentException(ReplayErrorCode.NOT_RECORDED, position(input), text + " queries=" +
            input.queries(), "a journal contains" +
            " what the rules read when it was recorded: deploy rules that also read this, and replay what is recorded" +
            " from then on");
    }

    /** Position of the first query of an input. */
    private SourcePosition position(final ReplayInput input)
    {
        return definition.rules().stream().filter(rule -> input.queries().contains(rule.id())).map(Rule::position)
            .findFirst().orElse(definition.position());
    }

    /** The groups of a channel in all units, by name. */
    private Map<String, GroupDescription> groups(final String channel)
    {
        final Map<String, GroupDescription> found = new LinkedHashMap<>();
        recorded.values().forEach(groups -> groups.stream()
            .filter(group -> group.cache() == null && channel.equals(channel(group.name())))
            .forEach(group -> found.put(group.name(), group)));
        return found;
    }

    /** The channel of a group of pipelines or of a flow; {@code null} for one that no longer feeds the processor. */
    private String channel(final String group)
    {
        return channels.stream().filter(channel ->
                group.endsWith(' ' + channel) || group.matches(Pattern.quote(channel) + " [A-Z_]+ -?\\d+"))
            .findFirst().orElse(null);
    }

    private List<String> recordedChannels()
    {
        return channels.stream().filter(channel -> !groups(channel).isEmpty()).toList();
    }

    private static List<String> missing(final ReplayInput input, final GroupDescription group)
    {
        final List<EventProperty> properties = input.schema().type().properties();
        return IntStream.range(0, properties.size()).filter(input.reads()).mapToObj(properties::get)
            .filter(property -> group.columns().stream().noneMatch(column ->
                column.name().equalsIgnoreCase(property.name()) && column.type() == property.type()))
            .map(EventProperty::name).toList();
    }

    private boolean isIn(final String unit, final String group)
    {
        return recorded.get(unit).stream().anyMatch(each -> each.name().equals(group));
    }

    private long units(final String group)
    {
        return recorded.keySet().stream().filter(unit -> isIn(unit, group)).count();
    }

    /**
     * The caches that the recorded replicas of a unit fill.
     *
     * @param caches caches that the rules may join, by name
     * @return caches by name of the recorded group; only one group for each cache
     */
    Map<String, ReplicaTarget> caches(final String unit, final Map<String, CacheSource> caches)
    {
        final Map<String, ReplicaTarget> found = new HashMap<>();
        final Set<String> filled = new HashSet<>();
        for (final GroupDescription group : recorded.get(unit))
        {
            caches.forEach((name, source) ->
            {
                if (name.equalsIgnoreCase(group.cache()) && filled.add(name))
                {
                    found.put(group.name(), new ReplicaTarget(source, group));
                }
            });
        }
        return found;
    }
}
