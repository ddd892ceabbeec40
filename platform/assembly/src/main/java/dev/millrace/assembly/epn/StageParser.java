package dev.millrace.assembly.epn;

import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.beans.factory.xml.BeanDefinitionParserDelegate;
import org.springframework.beans.factory.xml.ParserContext;
import org.w3c.dom.Element;

/** Reads one element that declares a stage, with the stages nested in it. */
final class StageParser
{
    private static final List<String> SETTINGS = List.of("class", "provider", "init-method", "activate-method",
        "suspend-method", "destroy-method", "onevent-method", "event-type", "is-relation", "primary-key",
        "update-semantics", "silent", "batching", "max-size", "max-threads", "when-full", "partition-by",
        "partition-group", StageDeclaration.ADVERTISE);

    private final EpnModel model;
    private final ParserContext context;

    StageParser(final EpnModel model, final ParserContext context)
    {
        this.model = model;
        this.context = context;
    }

    /** Kind of stage that an element declares, {@code null} when it declares none. */
    static Kind kind(final Element element)
    {
        return switch (element.getLocalName())
        {
            case "adapter" -> Kind.ADAPTER;
            case "event-bean" -> Kind.EVENT_BEAN;
            // stream is the name of channels before 11.1.1.
            case "channel", "stream" -> Kind.CHANNEL;
            case "processor" -> Kind.PROCESSOR;
            default -> null;
        };
    }

    /**
     * Reads a top-level stage.
     *
     * @param element adapter, event-bean, channel, stream or processor
     */
    void parse(final Element element)
    {
        final Located id = Elements.attribute(element, "id");
        if (id == null || id.value().isEmpty())
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "a stage needs an id, element=" + element.getNodeName(), "add id=\"...\"");
        }
        else
        {
            parse(element, id.value(), id.position(), null);
        }
    }

    private void parse(
        final Element element, final String id, final SourcePosition idPosition, final String parentId)
    {
        final StageDeclaration stage = new StageDeclaration(kind(element), id, XmlPositions.of(element), parentId);
        if (!claim(id, idPosition))
        {
            return;
        }
        for (final String name : SETTINGS)
        {
            final Located value = Elements.attribute(element, name);
            if (value != null)
            {
                stage.setting(name, value);
            }
        }
        model.stages().put(id, stage);
        links(element, stage);
        UnsupportedSettings.stage(model, element);
        switch (stage.kind())
        {
            case CHANNEL -> channel(element, stage);
            case PROCESSOR ->
            {
                Elements.children(element, "cache-source").forEach(source ->
                    add(stage.cacheSources(), Elements.attribute(source, "ref")));
                Elements.children(element, "table-source").forEach(source ->
                    add(stage.tableSources(), Elements.attribute(source, "ref")));
                new UserObjectParser(model, context).objects(element, stage);
            }
            default -> bean(element, stage);
        }
    }

    private boolean claim(final String id, final SourcePosition position)
    {
        if (!model.claim(id, position))
        {
            return false;
        }
        if (context.getRegistry().containsBeanDefinition(id))
        {
            model.problems().add(AssemblyErrorCode.DUPLICATE, position, "the id is used twice, id=" + id +
                " first=" + context.getRegistry().getBeanDefinition(id).getSource(), "give one of them another id");
            return false;
        }
        return true;
    }

    /** A missing attribute has been reported by the vocabulary check. */
    private static void add(final List<ElementReference> links, final Located reference)
    {
        if (reference != null)
        {
            links.add(link(reference));
        }
    }

    private static ElementReference link(final Located reference)
    {
        return new ElementReference(reference.value(), reference.position(), false);
    }

    private void links(final Element element, final StageDeclaration stage)
    {
        final Located listeners = Elements.attribute(element, "listeners");
        if (listeners != null)
        {
            Elements.names(listeners).forEach(name -> stage.listeners().add(link(name)));
        }
        final Located sources = Elements.attribute(element, "source");
        if (sources != null)
        {
            Elements.names(sources).forEach(name -> stage.sources().add(link(name)));
        }
        for (final Element source : Elements.children(element, "source"))
        {
            add(stage.sources(), Elements.attribute(source, "ref"));
        }
        for (final Element listener : Elements.children(element, "listener"))
        {
            listener(listener, stage);
        }
    }

    private void listener(final Element listener, final StageDeclaration stage)
    {
        final Located reference = Elements.attribute(listener, "ref");
        final List<Element> nested = Elements.children(listener);
        if ((reference == null ? 0 : 1) + nested.size() != 1)
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(listener),
                "a listener has either the attribute ref or one nested stage, stage=" + stage.id(),
                "write one listener element for each listener");
            return;
        }
        if (reference != null)
        {
            stage.listeners().add(link(reference));
            return;
        }
        final Element child = nested.get(0);
        final String id = nestedId(child, stage);
        if (Namespaces.BEANS.equals(child.getNamespaceURI()))
        {
            final ElementReference link = new BeanElements(model, context).parse(child, id);
            if (link != null)
            {
                if (link.nested())
                {
                    model.stages().put(link.target(),
                        new StageDeclaration(Kind.BEAN, link.target(), XmlPositions.of(child), stage.id()));
                }
                stage.listeners().add(link);
            }
        }
        else if (kind(child) != null)
        {
            parse(child, id, XmlPositions.of(child), stage.id());
            stage.listeners().add(new ElementReference(id, XmlPositions.of(child), true));
        }
    }

    private String nestedId(final Element child, final StageDeclaration stage)
    {
        final Located id = Elements.attribute(child, "id");
        return id != null && !id.value().isEmpty() ? id.value() :
            stage.id() + ".listener" + (stage.listeners().size() + 1);
    }

    private void channel(final Element element, final StageDeclaration stage)
    {
        UnsupportedSettings.channelProperties(model, element, stage);
        final Located provider = stage.setting("provider");
        if (provider != null && !provider.value().equals("oracle.channel"))
        {
            model.problems().add(AssemblyErrorCode.UNKNOWN_PROVIDER, provider.position(),
                "no such channel provider, provider=" + provider.value(), "remove the attribute");
        }
        for (final Element timestamped : Elements.children(element, "application-timestamped"))
        {
            if (stage.applicationTimestamped() != null)
            {
                model.problems().add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(timestamped),
                    "application-timestamped occurs twice, channel=" + stage.id(), "remove one");
            }
            stage.applicationTimestamped(XmlPositions.of(timestamped));
            final Located total = Elements.attribute(timestamped, "is-total-order");
            if (total != null)
            {
                stage.setting("is-total-order", total);
            }
            for (final Element expression : Elements.children(timestamped, "expression"))
            {
                stage.setting(StageDeclaration.EXPRESSION, Elements.text(expression));
            }
        }
    }

    /** An adapter or event bean is an ordinary Spring bean of the same name. */
    private void bean(final Element element, final StageDeclaration stage)
    {
        final Located beanClass = stage.setting("class");
        final Located provider = stage.setting("provider");
        if ((beanClass == null) == (provider == null))
        {
            model.problems().add(beanClass == null ? AssemblyErrorCode.MISSING : AssemblyErrorCode.CONTRADICTION,
                stage.position(), "exactly one of class and provider is required, " +
                    stage.kind().elementName() + "=" + stage.id(),
                beanClass == null ? "add class=\"...\" or provider=\"...\"" : "remove one of them");
        }
        final BeanDefinitionParserDelegate delegate = context.getDelegate();
        final GenericBeanDefinition definition = new GenericBeanDefinition();
        definition.setSource(stage.position());
        definition.setResource(context.getReaderContext().getResource());
        definition.applyDefaults(delegate.getBeanDefinitionDefaults());
        definition.setLazyInit(false);
        if (beanClass != null)
        {
            definition.setBeanClassName(beanClass.value());
        }
        if (stage.setting("init-method") != null)
        {
            definition.setInitMethodName(stage.setting("init-method").value());
            definition.setEnforceInitMethod(true);
        }
        if (stage.setting("destroy-method") != null)
        {
            definition.setDestroyMethodName(stage.setting("destroy-method").value());
            definition.setEnforceDestroyMethod(true);
        }
        BeanElements.dependsOn(element, definition);
        for (final Element child : Elements.children(element))
        {
            final String name = child.getLocalName();
            if (name.equals("instance-property") || name.equals("property"))
            {
                delegate.parsePropertyElement(child, definition);
            }
        }
        context.getRegistry().registerBeanDefinition(stage.id(), definition);
    }
}
