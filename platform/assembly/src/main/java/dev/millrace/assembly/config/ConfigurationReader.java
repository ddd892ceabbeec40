package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.DeploymentException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Reads component configuration files; problems are collected. Not thread-safe. */
public final class ConfigurationReader
{
    /** The namespace of Oracle Event Processing, so that its files can be read unchanged. */
    public static final String WLEVS = "http://www.bea.com/ns/wlevs/config/application";
    /** Millrace's name of the same namespace. */
    public static final String MILLRACE = "https://millrace.dev/ns/config/application";

    private static final List<String> COMPONENTS =
        List.of("processor", "channel", "stream", "adapter", "jms-adapter", "http-pub-sub-adapter", "event-bean",
            "caching-system", "diagnostic-profiles", "json-mapper", "jaxb-mapper", "csv-mapper");
    /** Components of other products' adapters, which get a specific message. */
    private static final Set<String> NOT_AVAILABLE = Set.of("edn-adapter", "csv-adapter", "rest-adapter",
        "rmi-adapter", "quickfix-adapter", "obr-adapter");
    private static final String COHERENCE = "coherence-caching-system";
    private static final String CAPACITY = "partition-order-capacity";
    private static final List<String> COMMON =
        List.of("name", "record-parameters", "playback-parameters", "trace-parameters");

    private final Problems problems;
    private final ComponentConfiguration configuration = new ComponentConfiguration();

    public ConfigurationReader(final Problems problems)
    {
        this.problems = problems;
    }

    /**
     * Reads a file; does not close the content.
     *
     * @param name name as the user knows it
     */
    public void read(final String name, final InputStream content)
    {
        problems.file(name);
        try
        {
            final Document document = HardenedXml.parse(name, content);
            problems.source(XmlPositions.source(document.getDocumentElement()));
            root(document.getDocumentElement());
        }
        catch (final DeploymentException e)
        {
            problems.addAll(e);
        }
    }

    /** The contents of all files, as far as they could be read. */
    public ComponentConfiguration configuration()
    {
        return configuration;
    }

    private void root(final Element root)
    {
        final String namespace = root.getNamespaceURI();
        if (!WLEVS.equals(namespace) && !MILLRACE.equals(namespace))
        {
            problems.add(AssemblyErrorCode.UNKNOWN_NAMESPACE, XmlPositions.of(root),
                "unknown namespace of a configuration file, element=" + root.getNodeName() + " namespace=" + namespace,
                Suggestions.hint(String.valueOf(namespace), "namespaces", List.of(WLEVS, MILLRACE)));
            return;
        }
        if (!"config".equals(root.getLocalName()))
        {
            problems.add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(root),
                "a configuration file must have the root element config, found=" + root.getNodeName(),
                "start the file with <n1:config xmlns:n1=\"" + WLEVS + "\">");
            return;
        }
        final ElementNameCheck names = new ElementNameCheck(problems);
        names.attributes(root);
        names.noText(root);
        for (final Element component : Elements.children(root))
        {
            if (component.getNamespaceURI() == null && COHERENCE.equals(component.getLocalName()))
            {
                problems.warn(XmlPositions.of(component),
                    "Coherence is not available, its configuration has no effect, element=" + COHERENCE,
                    "write a caching-system element of the same name, with max-size and time-to-live of its caches");
            }
            else if (component.getNamespaceURI() == null && NOT_AVAILABLE.contains(component.getLocalName()))
            {
                problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(component),
                    "such components are not available yet, element=" + component.getNodeName(), "remove the element");
            }
            else if (StatementContextReader.NAMESPACE.equals(component.getNamespaceURI()) &&
                StatementContextReader.ELEMENT.equals(component.getLocalName()))
            {
                statements(new StatementContextReader(problems, names).read(component));
            }
            else if (names.known(root, component, COMPONENTS))
            {
                component(component, names);
            }
        }
    }

    private void statements(final ComponentConfiguration.StatementContext context)
    {
        if (context != null && configuration.statementContexts().putIfAbsent(context.name().value(), context) != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, context.name().position(),
                "the context is configured twice, name=" + context.name().value(),
                "put all functions into one element");
        }
    }

    private void component(final Element element, final ElementNameCheck names)
    {
        if (element.getLocalName().equals("diagnostic-profiles"))
        {
            new UnsupportedConfiguration(problems).diagnosticProfiles(element);
            return;
        }
        names.attributes(element);
        names.noText(element);
        final Located name = name(element);
        if (name == null)
        {
            return;
        }
        if (MapperReader.FORMATS.containsKey(element.getLocalName()))
        {
            mapper(element, name, names);
            return;
        }
        final boolean isProvided = AdapterElementReader.ELEMENTS.containsKey(element.getLocalName());
        final String kind = element.getLocalName().equals("stream") ? "channel" :
            isProvided ? "adapter" : element.getLocalName();
        final ComponentConfiguration.Component before = configuration.components()
            .putIfAbsent(name.value(), new ComponentConfiguration.Component(kind, name));
        if (before != null)
        {
            twice(name, before.name());
            return;
        }
        if (isProvided)
        {
            providedAdapter(element, name.value(), names);
            return;
        }
        switch (kind)
        {
            case "processor" -> configuration.processors().put(
                name.value(), new ProcessorReader(problems, names, COMMON, child -> common(name.value(), child, names))
                    .read(element));
            case "channel" -> channel(element, name.value(), names);
            case "caching-system" -> cachingSystem(element, name.value(), names);
            case "adapter" -> adapter(element, name.value(), names);
            default ->
            {
                for (final Element child : Elements.children(element))
                {
                    if (names.known(element, child, COMMON))
                    {
                        common(name.value(), child, names);
                    }
                }
            }
        }
    }

    private void mapper(final Element element, final Located name, final ElementNameCheck names)
    {
        final Map<String, Located> properties = new MapperReader(problems, names).read(element);
        final ComponentConfiguration.Mapper before = configuration.mappers()
            .putIfAbsent(name.value(), new ComponentConfiguration.Mapper(element.getLocalName(), name, properties));
        if (before != null)
        {
            twice(name, before.name());
        }
    }

    private void twice(final Located name, final Located first)
    {
        problems.add(AssemblyErrorCode.DUPLICATE, name.position(), "the component is configured twice, name=" +
            name.value() + " first=" + first.position(), "put all its settings into one element");
    }

    /** Reads a child that all stages may have. */
    private void common(final String stage, final Element child, final ElementNameCheck names)
    {
        switch (child.getLocalName())
        {
            case "record-parameters" -> once(stage, child, configuration.recordings(),
                new RecordingReader(problems, names).recording(stage, child));
            case "playback-parameters" -> once(stage, child, configuration.playbacks(),
                new RecordingReader(problems, names).playback(stage, child));
            default -> new UnsupportedConfiguration(problems).common(child);
        }
    }

    private <T> void once(final String stage, final Element child, final Map<String, T> all, final T settings)
    {
        if (settings != null && all.putIfAbsent(stage, settings) != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(child), "the element occurs twice, element=" +
                child.getNodeName(), "remove one");
        }
    }

    private Located name(final Element element)
    {
        final List<Element> elements = Elements.children(element, "name");
        if (elements.size() != 1 || Elements.text(elements.get(0)).value().isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "a component needs exactly one name, element=" + element.getNodeName(),
                "add <name> with the id that the component has in the assembly file");
            return null;
        }
        return Elements.text(elements.get(0));
    }

    private void adapter(final Element element, final String name, final ElementNameCheck names)
    {
        component(element, name, names, List.of("bindings", "work-manager-name", "netio", "symbols"), child ->
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child),
                "this setting of adapters is not available yet, element=" + child.getNodeName(),
                "remove it; adapters have dedicated threads and ports, set by wlevs:instance-property"));
    }

    private void providedAdapter(final Element element, final String name, final ElementNameCheck names)
    {
        final AdapterElementReader reader = new AdapterElementReader(names, element.getLocalName());
        component(element, name, names, reader.children(), reader::read);
        configuration.adapterProperties().put(name, reader.properties());
    }

    /** Reads what adapters and channels have in common; passes the other children on. */
    private void component(final Element element, final String name, final ElementNameCheck names,
        final List<String> own, final Consumer<Element> other)
    {
        final List<String> allowed = new ArrayList<>(COMMON);
        allowed.addAll(own);
        final GroupBindingsReader groups = new GroupBindingsReader(problems, names);
        for (final Element child : Elements.children(element))
        {
            if (!names.known(element, child, allowed))
            {
                continue;
            }
            if (COMMON.contains(child.getLocalName()))
            {
                common(name, child, names);
            }
            else if (child.getLocalName().equals("bindings"))
            {
                groups.read(child);
            }
            else
            {
                other.accept(child);
            }
        }
        groupBindings(name, groups);
    }

    private void groupBindings(final String name, final GroupBindingsReader groups)
    {
        final ComponentConfiguration.GroupBindings bindings = groups.bindings();
        if (bindings != null)
        {
            configuration.groupBindings().put(name, bindings);
        }
    }

    private void channel(final Element element, final String name, final ElementNameCheck names)
    {
        final Map<String, Located> values = new HashMap<>();
        component(element, name, names,
            List.of("bindings", "max-size", "max-threads", "heartbeat", "selector", CAPACITY),
            child -> names.value(child, values));
        if (values.containsKey(CAPACITY))
        {
            problems.warn(values.get(CAPACITY).position(), "the queues of PARTITION_ORDERED rules have a fixed " +
                "size, channel=" + name + " element=" + CAPACITY, "remove the element");
        }
        final Located selector = values.get("selector");
        configuration.channels().put(name, new ComponentConfiguration.Channel(
            values.get("max-size"), values.get("max-threads"), values.get("heartbeat"), selected(selector)));
    }

    /** With placeholders, the names are not known yet. */
    private static List<Located> selected(final Located selector)
    {
        if (selector == null)
        {
            return List.of();
        }
        return selector.hasPlaceholder() ? List.of(selector) : Elements.names(selector);
    }

    private void cachingSystem(final Element element, final String name, final ElementNameCheck names)
    {
        final List<String> allowed = new ArrayList<>(COMMON);
        allowed.add("cache");
        final Map<String, Map<String, Located>> caches = new HashMap<>();
        final List<Located> cacheNames = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            if (!names.known(element, child, allowed))
            {
                continue;
            }
            if (COMMON.contains(child.getLocalName()))
            {
                new UnsupportedConfiguration(problems).common(child);
                continue;
            }
            final Located cache = name(child);
            if (cache != null)
            {
                if (caches.containsKey(cache.value()))
                {
                    problems.add(AssemblyErrorCode.DUPLICATE, cache.position(),
                        "the cache is configured twice, name=" + cache.value(),
                        "put all its settings into one element");
                }
                cacheNames.add(cache);
                caches.put(cache.value(), new CacheReader(problems, names).settings(child));
            }
        }
        configuration.cachingSystems().put(name, new ComponentConfiguration.CachingSystem(caches, cacheNames));
    }
}
