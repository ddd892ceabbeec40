package dev.millrace.assembly;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.BatchRelationSink;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.epn.AttributeReader;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.context.support.GenericApplicationContext;

/** Creates the definition of a network from declarations, configuration and the objects of a refreshed context. */
final class DefinitionBuilder
{
    private static final Set<CqlType> TIME_TYPES = Set.of(CqlType.INT, CqlType.BIGINT, CqlType.TIMESTAMP);

    private final String applicationName;
    private final GenericApplicationContext context;
    private final EpnModel model;
    private final ComponentConfiguration configuration;
    private final EventTypes eventTypes;
    private final Map<String, CacheSettings> cacheSettings;
    private final UserObjectFactory objects;
    private final Problems problems;
    private final AttributeReader values;
    private final ApplicationLinks applications;
    private final ForeignTypes foreignTypes;
    private final boolean areTypesKnown;
    private final Object standIn;
    /** Ids of the stages below each stage, and the positions of the references. */
    private final Map<String, Map<String, ElementReference>> listeners = new LinkedHashMap<>();

    /**
     * @param services know the stages of other applications
     * @param standIn  replaces all adapters and beans; {@code null} for those of the context
     */
    DefinitionBuilder(final String applicationName, final GenericApplicationContext context, final EpnModel model,
        final ComponentConfiguration configuration, final EventTypes eventTypes,
        final Map<String, CacheSettings> cacheSettings, final UserObjectFactory objects,
        final PlatformServices services, final Object standIn)
    {
        this.standIn = standIn;
        this.applicationName = applicationName;
        this.context = context;
        this.model = model;
        this.configuration = configuration;
        this.eventTypes = eventTypes;
        this.cacheSettings = cacheSettings;
        this.objects = objects;
        this.problems = model.problems();
        this.values = new AttributeReader(problems, this::resolve);
        this.applications = new ApplicationLinks(applicationName, model, services, values, standIn);
        this.foreignTypes = new ForeignTypes(applicationName, model, eventTypes, services);
        this.areTypesKnown = services.declaredTypes() != null || standIn == null;
    }

    NetworkDefinition build(final CacheBeanRegistrar cacheBeans) throws DeploymentException
    {
        links();
        final Set<String> leftOut = areTypesKnown ? Set.of() :
            foreignTypes.leaveOut(listeners, channel -> resolve(channel.setting("event-type")));
        final DirectLinks direct = new DirectLinks(context, model, eventTypes, this::resolve);
        final List<StageDefinition> stages = new ArrayList<>(direct.replace(listeners));
        stages.addAll(applications.foreign(listeners, this::declaredType));
        stages.addAll(applications.foreignListeners(this::declaredType));
        stages.addAll(applications.advertised(listeners, stage -> stage.kind() == Kind.CHANNEL ?
            declaredType(stage) : direct.sentType(stage.id(), listeners), context::getBean));
        for (final StageDeclaration stage : model.stages().values())
        {
            final StageDefinition made = leftOut.contains(stage.id()) ? null : switch (stage.kind())
            {
                case CHANNEL -> channel(stage);
                case PROCESSOR -> processor(stage);
                default -> bean(stage);
            };
            if (made != null)
            {
                stages.add(made);
            }
        }
        for (final String name : model.plainBeans())
        {
            final SourcePosition position = context.containsBeanDefinition(name) &&
                context.getBeanDefinition(name).getSource() instanceof SourcePosition known ? known :
                SourcePosition.NONE;
            final Object instance = standIn == null ? context.getBean(name) : standIn;
            roles(name, instance);
            stages.add(new BeanStage(name, false, instance, below(name), position));
        }
        stages.addAll(new CacheStageFactory(context, model, cacheSettings).make(stages, listeners));
        problems.throwIfAny();
        final List<Cache> caches = new ArrayList<>();
        for (final String cache : model.caches().keySet())
        {
            caches.add(context.getBean(cache, Cache.class));
        }
        return new NetworkDefinition(applicationName, eventTypes, stages, caches, cacheBeans.stores(),
            List.copyOf(configuration.recordings().values()), List.copyOf(configuration.playbacks().values()),
            problems.warnings());
    }

    /** Converts wiring by source to wiring by listener; duplicate links count once. */
    private void links()
    {
        for (final StageDeclaration stage : model.stages().values())
        {
            for (final ElementReference link : stage.listeners())
            {
                listeners.computeIfAbsent(stage.id(), id -> new LinkedHashMap<>()).putIfAbsent(link.target(), link);
            }
            for (final ElementReference link : stage.sources())
            {
                listeners.computeIfAbsent(link.target(), id -> new LinkedHashMap<>()).putIfAbsent(
                    stage.id(), new ElementReference(stage.id(), link.position(), false));
            }
        }
        model.caches().values().forEach(cache -> cache.channels().forEach(link ->
            listeners.computeIfAbsent(cache.id(), id -> new LinkedHashMap<>()).putIfAbsent(link.target(), link)));
    }

    private List<String> below(final String id)
    {
        return List.copyOf(listeners.getOrDefault(id, Map.of()).keySet());
    }

    /** The event type of a channel; {@code null} if it is not declared, which is reported with the channel. */
    private EventType declaredType(final StageDeclaration channel)
    {
        final String name = resolve(channel.setting("event-type"));
        return name == null ? null : eventTypes.eventType(name);
    }

    private String resolve(final Located value)
    {
        if (!value.hasPlaceholder())
        {
            return value.value();
        }
        String resolved = null;
        try
        {
            resolved = context.getBeanFactory().resolveEmbeddedValue(value.value());
        }
        catch (final IllegalArgumentException e)
        {
            // Reported below, like a placeholder without value.
        }
        if (resolved == null || resolved.contains("${"))
        {
            problems.add(AssemblyErrorCode.UNRESOLVED_PLACEHOLDER, value.position(),
                "the placeholder has no value, text=" + value.value(),
                "start the server with -Dname=value, or declare a default: ${name:default}");
            return null;
        }
        return resolved;
    }

    private ChannelStage channel(final StageDeclaration stage)
    {
        final String typeName = resolve(stage.setting("event-type"));
        final EventType type = typeName == null ? null : eventTypes.eventType(typeName);
        if (type == null && typeName != null && foreignTypes.refuse(stage, typeName))
        {
            return null;
        }
        if (type == null)
        {
            problems.add(AssemblyErrorCode.UNKNOWN_EVENT_TYPE, stage.setting("event-type").position(),
                "unknown event type, name=" + typeName, Suggestions.hint(String.valueOf(typeName), "event types",
                    eventTypes.eventTypes().stream().map(EventType::name).toList()));
            return null;
        }
        values.check(stage);
        final Located primaryKey = stage.setting("primary-key");
        final List<Located> keys = primaryKey == null ? List.of() : Elements.names(primaryKey);
        keys.forEach(key -> property(stage, type, key));
        final ComponentConfiguration.Channel configured = configuration.channels().get(stage.id());
        return new ChannelStage(stage.id(), type, values.truth("is-relation", stage.setting("is-relation"), false),
            keys.stream().map(Located::value).toList(), queue(stage, configured),
            values.truth("batching", stage.setting("batching"), false), time(stage, type, configured),
            configured == null ? List.of() : selected(configured.selector()), below(stage.id()), stage.position(),
            new ChannelStage.Changes(values.truth("update-semantics", stage.setting("update-semantics"), false),
                stage.setting("silent") == null ? null : values.truth("silent", stage.setting("silent"), false)),
            sharing(stage, type), partitioner(stage, type));
    }

    private String partitioner(final StageDeclaration stage, final EventType type)
    {
        final Located named = stage.setting(StageDeclaration.PARTITIONER);
        final String property = named == null ? null : resolve(named);
        if (property != null)
        {
            property(stage, type, new Located(property, named.position()));
        }
        return property;
    }

    /** The group and the partition key of a channel that is partitioned across members; {@code null} when it is not. */
    private ChannelStage.Sharing sharing(final StageDeclaration stage, final EventType type)
    {
        final Located by = stage.setting("partition-by");
        final Located group = stage.setting("partition-group");
        if (by == null)
        {
            if (group != null)
            {
                problems.add(AssemblyErrorCode.CONTRADICTION, group.position(),
                    "a group without a property to partition rows by, channel=" + stage.id() + " partition-group=" +
                        group.value(), "add partition-by=\"...\" with a property of the event type");
            }
            return null;
        }
        final String property = resolve(by);
        final String members = group == null ? ChannelStage.Sharing.ALL_MEMBERS : resolve(group);
        if (property == null || members == null)
        {
            return null;
        }
        property(stage, type, new Located(property, by.position()));
        return new ChannelStage.Sharing(property, members);
    }

    /** A query with bindings selects all queries created from it, now and when its bindings change. */
    private List<String> selected(final List<Located> selector)
    {
        final Set<String> queries = new LinkedHashSet<>();
        for (final Located name : selector)
        {
            queries.add(name.value());
            configuration.processors().values().forEach(
                processor -> queries.addAll(processor.bound().getOrDefault(name.value(), List.of())));
        }
        return List.copyOf(queries);
    }

    private int property(final StageDeclaration stage, final EventType type, final Located name)
    {
        final int column = type.indexOf(name.value());
        if (column < 0)
        {
            problems.add(AssemblyErrorCode.DANGLING_REFERENCE, name.position(),
                "the event type has no such property, channel=" + stage.id() + " event-type=" + type.name() +
                    " property=" + name.value(), Suggestions.hint(name.value(), "properties",
                    type.properties().stream().map(property -> property.name()).toList()));
        }
        return column;
    }

    private ChannelStage.Queue queue(final StageDeclaration stage, final ComponentConfiguration.Channel configured)
    {
        final Located threads = configured != null && configured.maxThreads() != null ?
            configured.maxThreads() : stage.setting("max-threads");
        final Located size = configured != null && configured.maxSize() != null ?
            configured.maxSize() : stage.setting("max-size");
        final int maxThreads = (int)values.number("max-threads", threads, 0, 0, AttributeReader.MAX_THREADS);
        final int maxSize = (int)values.number("max-size", size, ChannelStage.Queue.DEFAULT_MAX_SIZE_EVENTS, 0,
            AttributeReader.MAX_SIZE_EVENTS);
        return maxThreads == 0 || maxSize == 0 ?
            ChannelStage.Queue.PASS_THROUGH :
            new ChannelStage.Queue(maxThreads, maxSize, values.rejectsWhenFull(stage.setting("when-full")));
    }

    private ChannelStage.Time time(
        final StageDeclaration stage, final EventType type, final ComponentConfiguration.Channel configured)
    {
        if (stage.applicationTimestamped() == null)
        {
            final Located heartbeat = configured == null ? null : configured.heartbeatNs();
            return heartbeat == null ? ChannelStage.Time.SYSTEM : new ChannelStage.Time(null, true,
                values.number("heartbeat", heartbeat, ChannelStage.Time.SYSTEM.heartbeatNs(), 0, Long.MAX_VALUE));
        }
        final Located expression = stage.setting(StageDeclaration.EXPRESSION);
        final String text = expression.value();
        if (!text.isEmpty() && !text.chars().allMatch(c -> Character.isJavaIdentifierPart(c)))
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, expression.position(),
                "a timestamp expression can only be the name of a property so far, channel=" + stage.id() +
                    " expression=" + text, "send the time as a property of type bigint, in nanoseconds");
            return null;
        }
        final int column = property(stage, type, expression);
        if (column >= 0 && !TIME_TYPES.contains(type.properties().get(column).type()))
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, expression.position(), "the property does not contain a time, "
                + "channel=" +
                stage.id() + " property=" + text + " type=" + type.properties().get(column).type().cqlName(),
                "use a property of type bigint, timestamp or int");
        }
        return new ChannelStage.Time(
            text, values.truth("is-total-order", stage.setting("is-total-order"), false), 0);
    }

    private ProcessorStage processor(final StageDeclaration stage)
    {
        final Located provider = stage.setting("provider");
        final ComponentConfiguration.Processor configured = configuration.processors().get(stage.id());
        final Map<String, ProcessorStage.CacheSource> sources = new LinkedHashMap<>();
        for (final ElementReference link : stage.cacheSources())
        {
            sources.put(link.target(), new ProcessorStage.CacheSource(
                context.getBean(link.target(), Cache.class), cacheSettings.get(link.target())));
        }
        final String providerName = provider == null ? "cql" : resolve(provider);
        return new ProcessorStage(stage.id(), providerName == null ? "cql" : providerName, configured.rules(), sources,
            objects.of(stage, eventTypes, this::resolve),
            (int)values.number("workers", configured.workers(), 0, 1, ConfigurationCheck.MAX_WORKERS),
            configured.idleStateTime(), configured.maxAttempts(), configured.durable(),
            below(stage.id()), stage.position());
    }

    private BeanStage bean(final StageDeclaration stage)
    {
        final Object instance = standIn == null ?
            new MethodStageProxy(problems).apply(stage, context.getBean(stage.id())) : standIn;
        roles(stage.id(), instance);
        return new BeanStage(
            stage.id(), stage.kind() == Kind.ADAPTER, instance, below(stage.id()), stage.position());
    }

    /** Checks that an object has the roles that its wiring requires. */
    private void roles(final String id, final Object instance)
    {
        final Set<ElementReference> above = new LinkedHashSet<>();
        listeners.values().forEach(links -> above.addAll(links.values().stream()
            .filter(link -> link.target().equals(id)).toList()));
        final boolean sink = instance instanceof EventBatchSink || instance instanceof StreamSink ||
            instance instanceof BatchStreamSink || instance instanceof BatchRelationSink;
        if (!sink && !above.isEmpty())
        {
            problems.add(AssemblyErrorCode.BAD_WIRING, above.iterator().next().position(),
                "the listener cannot receive "
                + "events, " +
                "stage=" + id + " class=" + instance.getClass().getName(),
                "let the class implement dev.millrace.api.stage.StreamSink or EventBatchSink, or name a method with " +
                    "onevent-method");
        }
        final boolean source = instance instanceof EventBatchSource || instance instanceof StreamSource ||
            instance instanceof RelationSource;
        if (!source && listeners.containsKey(id))
        {
            problems.add(AssemblyErrorCode.BAD_WIRING, listeners.get(id).values().iterator().next().position(),
                "the stage cannot send events, stage=" + id + " class=" + instance.getClass().getName(),
                "let the class implement dev.millrace.api.stage.StreamSource or EventBatchSource");
        }
    }
}
