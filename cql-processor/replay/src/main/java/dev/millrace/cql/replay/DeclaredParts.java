package dev.millrace.cql.replay;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.epn.CacheDeclaration;
import dev.millrace.assembly.epn.CachingSystemDeclaration;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.PropertyValue;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanReference;
import org.springframework.beans.factory.config.TypedStringValue;

/**
 * The parts of an application as its files declare them: each is a list of attributes with their values as strings, so
 * that two versions can be compared. Confined to one thread.
 */
final class DeclaredParts
{
    private static final String LISTENERS = "listeners";
    private static final String CLASS = "class";

    private final Map<Key, Map<String, String>> parts = new LinkedHashMap<>();
    private final OfflineApplication application;
    private final EpnModel model;

    private DeclaredParts(final OfflineApplication application)
    {
        this.application = application;
        model = EpnModel.of(application.context());
    }

    /**
     * Names a part.
     *
     * @param kind event type, adapter, bean, cache, channel, processor, view or query
     * @param id   unique among the parts of this kind
     */
    record Key(String kind, String id)
    {
    }

    /** Returns the attributes of all parts, in the order of the network, then beans and caches. */
    static Map<Key, Map<String, String>> of(final OfflineApplication application)
    {
        final DeclaredParts declared = new DeclaredParts(application);
        application.definition().eventTypes().eventTypes().forEach(declared::addType);
        application.definition().stages().forEach(declared::addStage);
        declared.model.caches().values().forEach(declared::addCache);
        declared.model.cachingSystems().values().forEach(declared::addCachingSystem);
        declared.addBeans();
        return declared.parts;
    }

    private Map<String, String> add(final String kind, final String id)
    {
        return parts.computeIfAbsent(new Key(kind, id), key -> new LinkedHashMap<>());
    }

    private void addType(final EventType type)
    {
        final Map<String, String> attributes = add("event type", type.name());
        if (type.beanClass() != null)
        {
            attributes.put(CLASS, type.beanClass().getName());
        }
        attributes.put("form", type.kind().name());
        for (final EventProperty property : type.properties())
        {
            attributes.put("property " + property.name(), property.type() + "(" + property.lengthChars() + ')');
        }
        attributes.put("order of properties", String.join(", ", type.properties().stream().map(EventProperty::name)
            .toList()));
    }

    private void addStage(final StageDefinition stage)
    {
        if (stage instanceof ChannelStage channel)
        {
            addChannel(channel);
        }
        else if (stage instanceof ProcessorStage processor)
        {
            addProcessor(processor);
            processor.rules().forEach(rule -> addRule(processor.id(), rule));
        }
        else
        {
            final Map<String, String> attributes = add(((BeanStage)stage).adapter() ? "adapter" : "bean", stage.id());
            if (application.context().containsBeanDefinition(stage.id()))
            {
                addBean(attributes, application.context().getBeanDefinition(stage.id()));
            }
            final StageDeclaration declared = model.stages().get(stage.id());
            if (declared != null && declared.setting("provider") != null)
            {
                attributes.put("provider", value(declared.setting("provider")));
            }
            attributes.put(LISTENERS, String.join(", ", stage.listeners()));
        }
    }

    private void addChannel(final ChannelStage channel)
    {
        final Map<String, String> attributes = add("channel", channel.id());
        attributes.put("event-type", channel.eventType().name());
        attributes.put("is-relation", String.valueOf(channel.relation()));
        attributes.put("primary-key", String.join(", ", channel.primaryKey()));
        attributes.put("max-threads", String.valueOf(channel.queue().maxThreads()));
        attributes.put("max-size", String.valueOf(channel.queue().maxSizeEvents()));
        attributes.put("rejects when full", String.valueOf(channel.queue().rejectsWhenFull()));
        attributes.put("batching", String.valueOf(channel.batching()));
        attributes.put("application time", String.valueOf(channel.time().timestampProperty()));
        attributes.put("total order", String.valueOf(channel.time().totalOrder()));
        attributes.put("heartbeat ns", String.valueOf(channel.time().heartbeatNs()));
        attributes.put("selector", String.join(", ", channel.selector().stream().sorted().toList()));
        attributes.put("update semantics", String.valueOf(channel.changes().updateSemantics()));
        attributes.put("silent", String.valueOf(channel.changes().silent()));
        attributes.put("partitioned across members", channel.sharing() == null ? "no" :
            "by " + channel.sharing().property() + " in " + channel.sharing().group());
        attributes.put("event partitioner", String.valueOf(channel.partitioner()));
        attributes.put(LISTENERS, String.join(", ", channel.listeners()));
    }

    private void addProcessor(final ProcessorStage processor)
    {
        final Map<String, String> attributes = add("processor", processor.id());
        attributes.put("provider", processor.provider());
        attributes.put("workers", String.valueOf(processor.workers()));
        attributes.put("idle-state-time", String.valueOf(processor.idleStateTime()));
        attributes.put("max-attempts", String.valueOf(processor.maxAttempts()));
        attributes.put("durable", String.valueOf(processor.durable()));
        attributes.put("caches", String.join(", ", processor.cacheSources().keySet().stream().sorted().toList()));
        attributes.put("tables", String.join(", ", processor.objects().tables().stream().map(table ->
            table.name() + " (" + table.tableName() + ')').sorted().toList()));
        attributes.put("functions", String.join(", ", processor.objects().functions().stream().map(function ->
            function.name()).sorted().toList()));
        attributes.put(LISTENERS, String.join(", ", processor.listeners()));
    }

    private void addRule(final String processor, final ProcessorStage.Rule rule)
    {
        final Map<String, String> attributes = add(rule.view() ? "view" : "query", processor + '/' + rule.id());
        attributes.put("text", rule.text().strip().replaceAll("\\s+", " "));
        attributes.put("schema", String.join(" ", rule.schema()));
        attributes.put("ordering-constraint", String.valueOf(rule.orderingConstraint()));
        attributes.put("partition-expression", String.valueOf(rule.partitionExpression()));
        attributes.put("active", String.valueOf(rule.active()));
        attributes.put("params", rule.params() == null ? "" : String.join(", ", rule.params().values()));
        attributes.put("idle-state-time", String.valueOf(rule.idleStateTime()));
        attributes.put("max-attempts", String.valueOf(rule.maxAttempts()));
    }

    private void addCache(final CacheDeclaration cache)
    {
        final Map<String, String> attributes = add("cache", cache.id());
        new TreeMap<>(cache.settings()).forEach((name, value) -> attributes.put(name, value(value)));
        attributes.put("caching-system", target(cache.system()));
        attributes.put("cache-loader", target(cache.loader()));
        attributes.put("cache-store", target(cache.store()));
        attributes.put("cache-listeners", targets(cache.listeners()));
        attributes.put(LISTENERS, targets(cache.channels()));
    }

    private void addCachingSystem(final CachingSystemDeclaration system)
    {
        final Map<String, String> attributes = add("caching system", system.id());
        attributes.put("provider", value(system.provider()));
        attributes.put(CLASS, value(system.beanClass()));
    }

    private String value(final Located written)
    {
        return written == null ? "none" :
            application.context().getBeanFactory().resolveEmbeddedValue(written.value());
    }

    private static String target(final ElementReference reference)
    {
        return reference == null ? "none" : reference.target();
    }

    private static String targets(final List<ElementReference> references)
    {
        return String.join(", ", references.stream().map(ElementReference::target).toList());
    }

    /** Beans that are no stages, for example loaders and what adapters use. */
    private void addBeans()
    {
        for (final String name : application.context().getBeanDefinitionNames())
        {
            final BeanDefinition definition = application.context().getBeanDefinition(name);
            if (definition.getBeanClassName() != null && definition.getRole() == BeanDefinition.ROLE_APPLICATION &&
                !model.stages().containsKey(name) && !parts.containsKey(new Key("bean", name)) &&
                !model.cachingSystems().containsKey(name) && !model.caches().containsKey(name))
            {
                addBean(add("bean", name), definition);
            }
        }
    }

    private static void addBean(final Map<String, String> attributes, final BeanDefinition definition)
    {
        if (definition.getBeanClassName() != null)
        {
            attributes.put(CLASS, definition.getBeanClassName());
        }
        int argument = 0;
        for (final var value : definition.getConstructorArgumentValues().getGenericArgumentValues())
        {
            attributes.put("argument " + argument++, text(value.getValue()));
        }
        definition.getConstructorArgumentValues().getIndexedArgumentValues()
            .forEach((index, value) -> attributes.put("argument at " + index, text(value.getValue())));
        for (final PropertyValue property : definition.getPropertyValues())
        {
            attributes.put("property " + property.getName(), text(property.getValue()));
        }
    }

    private static String text(final Object value)
    {
        if (value instanceof TypedStringValue text)
        {
            return String.valueOf(text.getValue());
        }
        if (value instanceof BeanReference reference)
        {
            return "bean " + reference.getBeanName();
        }
        if (value instanceof BeanDefinitionHolder inner)
        {
            return text(inner.getBeanDefinition());
        }
        if (value instanceof BeanDefinition inner)
        {
            final Map<String, String> attributes = new LinkedHashMap<>();
            addBean(attributes, inner);
            return attributes.toString();
        }
        if (value instanceof Map<?, ?> map)
        {
            final List<String> entries = new ArrayList<>();
            map.forEach((key, each) -> entries.add(text(key) + '=' + text(each)));
            return entries.toString();
        }
        return value instanceof Collection<?> many ? many.stream().map(DeclaredParts::text).toList().toString() :
            String.valueOf(value);
    }
}
