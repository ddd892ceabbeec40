package dev.millrace.network;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserObjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Compares a running network with its next version and decides whether it can continue with the beans and rules of that
 * version. Channels and processors must be the same, apart from rules and the objects that rules call. Beans may
 * differ, and beans without listeners may be added and removed. Immutable.
 */
public final class NetworkDifference
{
    private final List<String> obstacles = new ArrayList<>();
    private final Map<String, String> exchanged = new LinkedHashMap<>();
    private final Set<String> added = new LinkedHashSet<>();
    private final Set<String> removed = new LinkedHashSet<>();

    /**
     * Compares two versions.
     *
     * @param before the running network
     * @param next   its next version
     * @param change by bean id, why a bean of both versions cannot continue as the same object; {@code null} when it
     *               can
     */
    public NetworkDifference(
        final NetworkDefinition before, final NetworkDefinition next, final UnaryOperator<String> change)
    {
        final Map<String, StageDefinition> old = byId(before);
        final Map<String, StageDefinition> later = byId(next);
        if (!before.caches().isEmpty() || !next.caches().isEmpty())
        {
            obstacles.add("it has caches, and rules read the caches of the version they belong to");
        }
        if (!before.recordings().stream().map(RecordingSettings::unplaced).toList().equals(
            next.recordings().stream().map(RecordingSettings::unplaced).toList()))
        {
            obstacles.add("record-parameters differ");
        }
        if (!before.playbacks().stream().map(PlaybackSettings::unplaced).toList().equals(
            next.playbacks().stream().map(PlaybackSettings::unplaced).toList()))
        {
            obstacles.add("playback-parameters differ");
        }
        old.values().stream().filter(stage -> !later.containsKey(stage.id())).forEach(this::gone);
        for (final StageDefinition stage : next.stages())
        {
            final StageDefinition same = old.get(stage.id());
            if (same == null)
            {
                come(stage);
            }
            else if (stage instanceof BeanStage own && same instanceof BeanStage earlier)
            {
                final String why = earlier.connection() != null ?
                    earlier.connection().continuesAs(own.instance()) ? null : "it connects other stages" :
                    change.apply(stage.id());
                if (why != null)
                {
                    exchanged.put(stage.id(), why);
                }
            }
            else
            {
                compare(same, stage);
            }
        }
        next.stages().forEach(stage -> compareListeners(old.get(stage.id()), stage));
    }

    private static Map<String, StageDefinition> byId(final NetworkDefinition network)
    {
        final Map<String, StageDefinition> stages = new LinkedHashMap<>();
        network.stages().forEach(stage -> stages.put(stage.id(), stage));
        return stages;
    }

    /**
     * Returns the reasons why the network has to be rebuilt.
     *
     * @return facts in words; empty when it can continue
     */
    public List<String> obstacles()
    {
        return obstacles;
    }

    /** Ids of the beans that are replaced by another object, with the reason. */
    Map<String, String> exchanged()
    {
        return exchanged;
    }

    /** Beans that only the next version has. */
    Set<String> added()
    {
        return added;
    }

    /** Beans that only the previous version has. */
    Set<String> removed()
    {
        return removed;
    }

    private void gone(final StageDefinition stage)
    {
        if (isEnd(stage))
        {
            removed.add(stage.id());
        }
        else
        {
            obstacles.add(kind(stage) + ' ' + stage.id() + " was removed");
        }
    }

    private void come(final StageDefinition stage)
    {
        if (isEnd(stage))
        {
            added.add(stage.id());
        }
        else
        {
            obstacles.add(kind(stage) + ' ' + stage.id() + " is new");
        }
    }

    private static boolean isEnd(final StageDefinition stage)
    {
        return stage instanceof BeanStage && stage.listeners().isEmpty();
    }

    private static String kind(final StageDefinition stage)
    {
        return stage instanceof ChannelStage ? "channel" : stage instanceof ProcessorStage ? "processor" :
            ((BeanStage)stage).adapter() ? "adapter" : "bean";
    }

    private void compare(final StageDefinition before, final StageDefinition next)
    {
        if (before instanceof ChannelStage channel && next instanceof ChannelStage later)
        {
            compareTypes(channel, later);
            if (!settings(channel).equals(settings(later)))
            {
                obstacles.add("channel " + next.id() + " has different settings");
            }
        }
        else if (before instanceof ProcessorStage processor && next instanceof ProcessorStage later)
        {
            if (!processor.provider().equals(later.provider()) || processor.workers() != later.workers() ||
                !processor.idleStateTime().equals(later.idleStateTime()) ||
                processor.maxAttempts() != later.maxAttempts() || processor.durable() != later.durable() ||
                !tables(processor).equals(tables(later)))
            {
                obstacles.add("processor " + next.id() + " has different settings");
            }
        }
        else
        {
            obstacles.add(kind(before) + ' ' + next.id() + " is a " + kind(next) + " now");
        }
    }

    /** All settings that determine how rows pass, except the event type and the position in the network. */
    private static List<Object> settings(final ChannelStage channel)
    {
        final List<Object> settings = new ArrayList<>(List.of(channel.relation(), channel.primaryKey(), channel.queue(),
            channel.batching(), channel.time(), new HashSet<>(channel.selector()), channel.changes()));
        settings.add(channel.sharing());
        settings.add(channel.partitioner());
        return settings;
    }

    private void compareTypes(final ChannelStage before, final ChannelStage next)
    {
        final EventType type = before.eventType();
        final EventType later = next.eventType();
        if (!type.name().equals(later.name()) || type.kind() != later.kind() ||
            !type.properties().equals(later.properties()))
        {
            obstacles.add("channel " + next.id() + " has a different event type");
        }
        else if (type.properties().stream().anyMatch(property -> property.type() == CqlType.OBJECT))
        {
            obstacles.add("events of type " + type.name() + " carry Java objects");
        }
    }

    private static Set<Object> tables(final ProcessorStage processor)
    {
        final Set<Object> tables = new HashSet<>();
        for (final UserObjects.Table table : processor.objects().tables())
        {
            tables.add(List.of(table.name(), table.type().name(), table.type().properties(), table.dataSource(),
                table.tableName()));
        }
        return tables;
    }

    /**
     * Connections to beans without listeners are added and removed together with these beans; all others are wired only
     * once.
     */
    private void compareListeners(final StageDefinition before, final StageDefinition next)
    {
        if (before == null)
        {
            return;
        }
        final Set<String> moved = new LinkedHashSet<>(before.listeners());
        moved.removeAll(next.listeners());
        moved.removeAll(removed);
        final Set<String> more = new LinkedHashSet<>(next.listeners());
        more.removeAll(before.listeners());
        if (next instanceof ChannelStage)
        {
            more.removeAll(added);
        }
        moved.addAll(more);
        if (!moved.isEmpty())
        {
            obstacles.add(kind(next) + ' ' + next.id() + " has different listeners");
        }
    }
}
