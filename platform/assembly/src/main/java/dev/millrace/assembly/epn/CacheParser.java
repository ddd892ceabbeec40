package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;

/** Reads {@code cache} and {@code caching-system}. */
final class CacheParser
{
    private final EpnModel model;
    private final ParserContext context;

    CacheParser(final EpnModel model, final ParserContext context)
    {
        this.model = model;
        this.context = context;
    }

    private Located id(final Element element)
    {
        final Located id = Elements.attribute(element, "id");
        if (id == null || id.value().isEmpty())
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "missing attribute, element=" + element.getNodeName() + " attribute=id", "add id=\"...\"");
            return null;
        }
        return model.claim(id.value(), id.position()) ? id : null;
    }

    void cache(final Element element)
    {
        UnsupportedSettings.cache(model, element);
        final Located id = id(element);
        if (id == null)
        {
            return;
        }
        final Parts parts = new Parts(element);
        for (final Element child : Elements.children(element))
        {
            add(parts, id.value(), child);
        }
        model.caches().put(id.value(), new CacheDeclaration(id.value(), XmlPositions.of(element), settings(element),
            parts.system, parts.loader, parts.store, List.copyOf(parts.listeners), List.copyOf(parts.channels)));
    }

    private static Map<String, Located> settings(final Element element)
    {
        final Map<String, Located> settings = new HashMap<>();
        for (final String name : List.of("name", "value-type", "key-properties", "key-class"))
        {
            final Located value = Elements.attribute(element, name);
            if (value != null)
            {
                settings.put(name, value);
            }
        }
        return settings;
    }

    /** The beans and stages connected to a cache: first from its attributes, then also from its children. */
    private static final class Parts
    {
        private final List<ElementReference> listeners = new ArrayList<>();
        private final List<ElementReference> channels = new ArrayList<>();
        private ElementReference system;
        private ElementReference loader;
        private ElementReference store;

        private Parts(final Element cache)
        {
            final Located name = Elements.attribute(cache, "caching-system");
            system = name == null ? null : new ElementReference(name.value(), name.position(), false);
            final Located names = Elements.attribute(cache, "listeners");
            if (names != null)
            {
                Elements.names(names).forEach(each ->
                    channels.add(new ElementReference(each.value(), each.position(), false)));
            }
        }
    }

    private void add(final Parts parts, final String id, final Element child)
    {
        switch (child.getLocalName())
        {
            case "caching-system" ->
            {
                final Located reference = Elements.attribute(child, "ref");
                once(parts.system, child);
                parts.system = reference == null ? parts.system :
                    new ElementReference(reference.value(), reference.position(), false);
            }
            case "cache-loader" ->
            {
                once(parts.loader, child);
                parts.loader = new BeanElements(model, context).referenceOrBean(child, id + ".loader");
            }
            case "cache-store" ->
            {
                once(parts.store, child);
                parts.store = new BeanElements(model, context).referenceOrBean(child, id + ".store");
            }
            case "cache-listener" ->
            {
                final ElementReference listener = new BeanElements(model, context).referenceOrBean(
                    child, id + ".listener" + (parts.listeners.size() + 1));
                if (listener != null)
                {
                    parts.listeners.add(listener);
                }
            }
            case "listener" -> channel(child, parts.channels);
            default ->
            {
                // The vocabulary check has refused it.
            }
        }
    }

    /** A missing attribute has been reported by the vocabulary check. */
    private static void channel(final Element listener, final List<ElementReference> channels)
    {
        final Located reference = Elements.attribute(listener, "ref");
        if (reference != null)
        {
            channels.add(new ElementReference(reference.value(), reference.position(), false));
        }
    }

    private void once(final ElementReference before, final Element element)
    {
        if (before != null)
        {
            model.problems().add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(element),
                "the element occurs twice, element=" + element.getNodeName(), "remove one");
        }
    }

    void cachingSystem(final Element element)
    {
        UnsupportedSettings.cache(model, element);
        final Located id = id(element);
        if (id == null)
        {
            return;
        }
        final Located provider = Elements.attribute(element, "provider");
        final Located beanClass = Elements.attribute(element, "class");
        if (provider != null && beanClass != null)
        {
            model.problems().add(AssemblyErrorCode.CONTRADICTION, beanClass.position(),
                "a caching system has either a provider or a class, caching-system=" + id.value(),
                "remove one of them");
        }
        final GenericBeanDefinition definition = new GenericBeanDefinition();
        definition.setSource(XmlPositions.of(element));
        definition.setResource(context.getReaderContext().getResource());
        for (final Element child : Elements.children(element))
        {
            if (beanClass == null)
            {
                model.problems().add(AssemblyErrorCode.UNKNOWN_PROPERTY, XmlPositions.of(child),
                    "only a caching system by class has properties, caching-system=" + id.value(),
                    "remove the property, or name the class");
            }
            else
            {
                context.getDelegate().parsePropertyElement(child, definition);
            }
        }
        if (beanClass != null)
        {
            definition.setBeanClassName(beanClass.value());
            BeanElements.dependsOn(element, definition);
            context.getRegistry().registerBeanDefinition(id.value(), definition);
        }
        model.cachingSystems().put(id.value(),
            new CachingSystemDeclaration(id.value(), XmlPositions.of(element), provider, beanClass));
    }
}
