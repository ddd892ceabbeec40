package dev.millrace.assembly;

import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StreamSource;
import dev.millrace.assembly.epn.AttributeReader;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.network.advertised.AdvertisedSink;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.ForeignSink;
import dev.millrace.network.advertised.ForeignSource;
import dev.millrace.network.advertised.ListenerSource;
import dev.millrace.network.advertised.QualifiedName;
import dev.millrace.network.advertised.RowTypes;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The connections of an application with others: a sink below each stage that it advertises, a source above each
 * advertised channel that has none, and a source or sink for each stage of another application that a channel names.
 * Confined to the deploying thread.
 */
final class ApplicationLinks
{
    private static final String SAME_TYPES = "declare the same properties, with the same types, in both applications";

    private final String application;
    private final EpnModel model;
    private final AttributeReader values;
    private final AdvertisedStages stages;
    private final boolean isRequired;
    private final Object standIn;

    /** Why other applications cannot take rows of a stage, and what to do. */
    private record Obstacle(String why, String hint)
    {
    }

    /**
     * @param application its name
     * @param services    know the stages of other applications
     * @param values      reads attributes
     * @param standIn     replaces the sources; {@code null} if rows are to arrive
     */
    ApplicationLinks(
        final String application, final EpnModel model, final PlatformServices services, final AttributeReader values,
        final Object standIn)
    {
        this.values = values;
        this.application = application;
        this.model = model;
        this.stages = services.advertisedStages();
        this.isRequired = services.requiresAdvertised();
        this.standIn = standIn;
    }

    /**
     * Adds a sink below each advertised stage, and a source above each advertised channel that nothing feeds.
     *
     * @param listeners ids of the stages below each stage; sinks and sources are added
     * @param types     type of the rows of a stage, {@code null} if it is not known
     * @param beans     the object of an adapter or bean
     * @return the sinks and sources, and the channels above the sinks of adapters and beans
     */
    List<StageDefinition> advertised(final Map<String, Map<String, ElementReference>> listeners,
        final Function<StageDeclaration, EventType> types, final Function<String, Object> beans)
    {
        final List<StageDefinition> added = new ArrayList<>();
        final Set<String> fed = new HashSet<>();
        listeners.values().forEach(below -> fed.addAll(below.keySet()));
        for (final StageDeclaration stage : model.stages().values())
        {
            final SourcePosition position = stage.advertised();
            final boolean isBean = stage.kind() != Kind.CHANNEL;
            final Obstacle obstacle = position == null ? null : obstacle(stage, beans);
            final EventType type = position == null || obstacle != null ? null : types.apply(stage);
            if (obstacle != null)
            {
                warn(stage, obstacle);
            }
            else if (position != null && type == null && isBean)
            {
                warn(stage, new Obstacle("the type of its events is not known",
                    "advertise a channel below it, or name its event type with the property eventTypeName"));
            }
            else if (type != null && stages != null && standIn == null)
            {
                add(stage.id(), type, isBean, position, listeners, added);
                if (!isBean && !fed.contains(stage.id()))
                {
                    addListenerSource(stage.id(), type, position, listeners, added);
                }
            }
        }
        return added;
    }

    private void add(final String id, final EventType type, final boolean isBean, final SourcePosition position,
        final Map<String, Map<String, ElementReference>> listeners, final List<StageDefinition> added)
    {
        final String sink = id + "#advertised";
        String from = id;
        if (isBean)
        {
            from = id + "#channel";
            link(listeners, id, from, position);
            added.add(new ChannelStage(from, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
                ChannelStage.Time.SYSTEM, List.of(), List.of(sink), position));
        }
        link(listeners, from, sink, position);
        added.add(new BeanStage(sink, false,
            new AdvertisedSink(stages, QualifiedName.of(application, id), type), List.of(), position));
    }

    private void addListenerSource(final String id, final EventType type, final SourcePosition position,
        final Map<String, Map<String, ElementReference>> listeners, final List<StageDefinition> added)
    {
        final String source = id + "#listeners";
        link(listeners, source, id, position);
        added.add(new BeanStage(source, true,
            new ListenerSource(stages, QualifiedName.of(application, id), type), List.of(id), position));
    }

    private static void link(final Map<String, Map<String, ElementReference>> listeners, final String from,
        final String to, final SourcePosition position)
    {
        listeners.computeIfAbsent(from, each -> new LinkedHashMap<>()).put(
            to, new ElementReference(to, position, false));
    }

    /** Why other applications cannot take rows of a stage; {@code null} when they can. */
    private Obstacle obstacle(final StageDeclaration stage, final Function<String, Object> beans)
    {
        if (stage.parentId() != null)
        {
            return new Obstacle("it is nested in another stage", "move it to the top level of the file");
        }
        if (stage.kind() == Kind.PROCESSOR)
        {
            return new Obstacle("it is a processor", "advertise a channel below it");
        }
        if (stage.kind() != Kind.CHANNEL)
        {
            return isSource(stage, beans) ? null : new Obstacle("it sends no events",
                "remove the attribute; let a channel of this application take the rows of the other one");
        }
        if (values.truth("is-relation", stage.setting("is-relation"), false))
        {
            return new Obstacle("it is a relation, and an application that starts later would miss its rows",
                "advertise a stream of its changes: a channel below a query with IStream");
        }
        return stage.setting(StageDeclaration.PARTITIONER) == null ? null :
            new Obstacle("each of its events goes to one listener only",
                "advertise another channel below the same stage, without " + StageDeclaration.PARTITIONER);
    }

    private boolean isSource(final StageDeclaration stage, final Function<String, Object> beans)
    {
        final Object object = standIn == null ? beans.apply(stage.id()) : standIn;
        return object instanceof EventBatchSource || object instanceof StreamSource ||
            object instanceof RelationSource;
    }

    private void warn(final StageDeclaration stage, final Obstacle obstacle)
    {
        model.problems().warn(stage.advertised(), "other applications cannot take rows of the stage, because " +
            obstacle.why() + ", " + stage.kind().elementName() + "=" + stage.id() + " advertise=true",
            obstacle.hint());
    }

    /**
     * Creates the sources for stages of other applications.
     *
     * @param listeners ids of the stages below each stage
     * @param types     type of a channel, {@code null} if it is not known
     * @return the sources
     */
    List<StageDefinition> foreign(final Map<String, Map<String, ElementReference>> listeners,
        final Function<StageDeclaration, EventType> types)
    {
        final Map<String, StageDefinition> sources = new LinkedHashMap<>();
        final Map<String, EventType> sent = new HashMap<>();
        for (final StageDeclaration channel : model.stages().values())
        {
            for (final ElementReference link : channel.sources())
            {
                final String name = link.target();
                if (name.indexOf(QualifiedName.SEPARATOR) >= 0)
                {
                    final EventType type = types.apply(channel);
                    check(channel, link, type);
                    checkSent(channel, link, sent.computeIfAbsent(name, each -> type), type);
                    sources.computeIfAbsent(name, each -> new BeanStage(name, true, standIn != null ? standIn :
                        new ForeignSource(stages == null ? new AdvertisedStages() : stages, name),
                        List.copyOf(listeners.get(name).keySet()), link.position()));
                }
            }
        }
        return List.copyOf(sources.values());
    }

    /**
     * Creates the sinks for channels of other applications.
     *
     * @param types type of a channel, {@code null} if it is not known
     * @return the sinks
     */
    List<StageDefinition> foreignListeners(final Function<StageDeclaration, EventType> types)
    {
        final Map<String, List<EventType>> sent = new LinkedHashMap<>();
        final Map<String, SourcePosition> positions = new HashMap<>();
        for (final StageDeclaration channel : model.stages().values())
        {
            for (final ElementReference link : channel.listeners())
            {
                final String name = link.target();
                final EventType type = name.indexOf(QualifiedName.SEPARATOR) < 0 ? null : types.apply(channel);
                if (type != null)
                {
                    checkListener(channel, link, type);
                    sent.computeIfAbsent(name, each -> new ArrayList<>()).add(type);
                    positions.putIfAbsent(name, link.position());
                }
            }
        }
        final List<StageDefinition> sinks = new ArrayList<>();
        sent.forEach((name, each) -> sinks.add(new BeanStage(name, false, standIn != null ? standIn :
            new ForeignSink(stages == null ? new AdvertisedStages() : stages, name, each), List.of(),
            positions.get(name))));
        return sinks;
    }

    private void check(final StageDeclaration channel, final ElementReference link, final EventType expected)
    {
        final String producer = QualifiedName.application(link.target());
        if (isOther(channel, link, " source=", application, producer) && isRequired && expected != null)
        {
            check(channel, link, stages.find(link.target()), expected);
        }
    }

    private void checkListener(final StageDeclaration channel, final ElementReference link, final EventType sent)
    {
        final String name = link.target();
        final String consumer = QualifiedName.application(name);
        if (values.truth("is-relation", channel.setting("is-relation"), false))
        {
            refuse(link, "the channel is a relation, and an application that starts later would miss its rows, " +
                "channel=" + channel.id() + " listener=" + name,
                "send a stream of its changes: a channel below a query with IStream");
            return;
        }
        if (!isOther(channel, link, " listener=", consumer, application) || !isRequired)
        {
            return;
        }
        final EventType accepted = stages.findInput(name);
        if (accepted == null)
        {
            final boolean isFed = stages.names().contains(name);
            refuse(link, (isFed ? "the channel does not accept rows of other applications, because stages of its " +
                "application feed it, channel=" : "no running application accepts rows at the channel, channel=") +
                channel.id() + " listener=" + name + " accepting=" + of(consumer, stages.inputs()), isFed ?
                "name another channel that is advertised there, has no source, and has this channel as its listener" :
                "install " + consumer + " first, with a channel without source and with advertise=\"true\"");
        }
        else if (!RowTypes.missing(sent, accepted).isEmpty())
        {
            refuse(link, "the rows of the channel do not fit the other application, channel=" + channel.id() +
                " listener=" + name + " properties=" + RowTypes.missing(sent, accepted) + " type=" +
                RowTypes.describe(sent) + " expected=" + RowTypes.describe(accepted), SAME_TYPES);
        }
    }

    /** Whether a link leads to another application, and may be checked further. */
    private boolean isOther(final StageDeclaration channel, final ElementReference link, final String kind,
        final String consumer, final String producer)
    {
        final String name = link.target();
        final String other = QualifiedName.application(name);
        if (other.equals(application))
        {
            refuse(link, "the stage belongs to this application, channel=" + channel.id() + kind + name,
                "write its id only: " + name.substring(other.length() + 1));
        }
        else if (stages == null)
        {
            model.problems().warn(AssemblyErrorCode.UNCHECKED, link.position(), "the stage of another application is " +
                "checked when the application is deployed, channel=" + channel.id() + kind + name,
                "none, if " + other + " advertises it; the event types must have the same properties");
        }
        else if (!stages.cycle(consumer, producer).isEmpty())
        {
            refuse(link, "applications cannot take rows of each other," + kind + name + " cycle=" +
                String.join(" <- ", stages.cycle(consumer, producer)), "put these stages into one application");
        }
        else
        {
            return true;
        }
        return false;
    }

    private static List<String> of(final String application, final Set<String> names)
    {
        return names.stream().filter(each -> QualifiedName.application(each).equals(application)).toList();
    }

    private void check(final StageDeclaration channel, final ElementReference link, final EventType found,
        final EventType expected)
    {
        final String name = link.target();
        if (found == null)
        {
            final String producer = QualifiedName.application(name);
            final List<String> others = of(producer, stages.names());
            refuse(link, "no running application advertises the stage, channel=" + channel.id() + " source=" + name +
                " advertised=" + others, others.isEmpty() ?
                "install " + producer + " first, with advertise=\"true\" at the stage, and check that it runs" :
                "add advertise=\"true\" to the stage in " + producer + ", or name one of those that it advertises");
        }
        else if (!RowTypes.missing(found, expected).isEmpty())
        {
            refuse(link, "the rows of the stage do not fit the channel, channel=" + channel.id() + " source=" + name +
                " properties=" + RowTypes.missing(found, expected) + " type=" + RowTypes.describe(found) +
                " expected=" + RowTypes.describe(expected), SAME_TYPES);
        }
    }

    /** A source sends rows of the type of its first channel. */
    private void checkSent(final StageDeclaration channel, final ElementReference link, final EventType sent,
        final EventType expected)
    {
        if (sent != null && expected != null && !RowTypes.missing(sent, expected).isEmpty())
        {
            refuse(link, "the first channel with this source does not have all properties of another one, channel=" +
                channel.id() + " source=" + link.target() + " properties=" + RowTypes.missing(sent, expected) +
                " type=" + RowTypes.describe(sent) + " expected=" + RowTypes.describe(expected),
                "declare the channel with all properties first, or the same event type for these channels");
        }
    }

    private void refuse(final ElementReference link, final String text, final String hint)
    {
        model.problems().add(AssemblyErrorCode.FOREIGN_STAGE, link.position(), text, hint);
    }
}
