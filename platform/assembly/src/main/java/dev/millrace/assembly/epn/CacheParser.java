package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyCode;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPlaces;
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
            model.problems().add(AssemblyCode.MISSING, XmlPlaces.of(element),
                "missing attribute, element=" + element.getNodeName() + " attribute=id", "add id=\"...\"");
            return null;
        }
        return model.claim(id.value(), id.position()) ? id : null;
    }

    void cache(final Element element)
    {
        Refusals.advertised(model, element);
        final Located id = id(element);
        if (id == null)
        {
            return;
        }
        final Map<String, Located> settings = new HashMap<>();
        for (final String name : List.of("name", "value-type", "key-properties", "key-class"))
        {
            final Located value = Elements.attribute(element, name);
            if (value != null)
            {
                settings.put(name, value);
            }
        }
        Link system = null;
        Link loader = null;
        Link store = null;
        final Located systemAttribute = Elements.attribute(element, "caching-system");
        if (systemAttribute != null)
        {
            system = new Link(systemAttribute.value(), systemAttribute.position(), false);
        }
        final List<Link> listeners = new ArrayList<>();
        final List<Link> channels = new ArrayList<>();
        final Located channelNames = Elements.attribute(element, "listeners");
        if (channelNames != null)
        {
            Elements.names(channelNames).forEach(name -> channels.add(new Link(name.value(), name.position(), false)));
        }
        for (final Element child : Elements.children(element))
        {
            switch (child.getLocalName())
            {
                case "caching-system" ->
                {
                    final Located reference = Elements.attribute(child, "ref");
                    once(system, child);
                    system = reference == null ? system : new Link(reference.value(), reference.position(), false);
                }
                case "cache-loader" ->
                {
                    once(loader, child);
                    loader = new BeanElements(model, context).referenceOrBean(child, id.value() + ".loader");
                }
                case "cache-store" ->
                {
                    once(store, child);
                    store = new BeanElements(model, context).referenceOrBean(child, id.value() + ".store");
                }
                case "cache-listener" ->
                {
                    final Link listener = new BeanElements(model, context).referenceOrBean(
                        child, id.value() + ".listener" + (listeners.size() + 1));
                    if (listener != null)
                    {
                        listeners.add(listener);
                    }
                }
                case "listener" -> channel(child, channels);
                default ->
                {
                    // The vocabulary check has refused it.
                }
            }
        }
        model.caches().put(id.value(), new CacheDeclaration(id.value(), XmlPlaces.of(element), settings, system,
            loader, store, List.copyOf(listeners), List.copyOf(channels)));
    }

    /** A missing attribute has been reported by the vocabulary check. */
    private static void channel(final Element listener, final List<Link> channels)
    {
        final Located reference = Elements.attribute(listener, "ref");
        if (reference != null)
        {
            channels.add(new Link(reference.value(), reference.position(), false));
        }
    }

    private void once(final Link before, final Element element)
    {
        if (before != null)
        {
            model.problems().add(AssemblyCode.DUPLICATE, XmlPlaces.of(element),
                "the element is there twice, element=" + element.getNodeName(), "remove one");
        }
    }

    void cachingSystem(final Element element)
    {
        Refusals.advertised(model, element);
        final Located id = id(element);
        if (id == null)
        {
            return;
        }
        final Located provider = Elements.attribute(element, "provider");
        final Located beanClass = Elements.attribute(element, "class");
        if (provider != null && beanClass != null)
        {
            model.problems().add(AssemblyCode.CONTRADICTION, beanClass.position(),
                "a caching system has either a provider or a class, caching-system=" + id.value(),
                "remove one of them");
        }
        final GenericBeanDefinition definition = new GenericBeanDefinition();
        definition.setSource(XmlPlaces.of(element));
        definition.setResource(context.getReaderContext().getResource());
        for (final Element child : Elements.children(element))
        {
            if (beanClass == null)
            {
                model.problems().add(AssemblyCode.UNKNOWN_PROPERTY, XmlPlaces.of(child),
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
            context.getRegistry().registerBeanDefinition(id.value(), definition);
        }
        model.cachingSystems().put(id.value(),
            new CachingSystemDeclaration(id.value(), XmlPlaces.of(element), provider, beanClass));
    }
}
