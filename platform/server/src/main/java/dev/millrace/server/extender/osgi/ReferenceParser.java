package dev.millrace.server.extender.osgi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.BeanMetadataElement;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.parsing.BeanComponentDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionReaderUtils;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.xml.DomUtils;
import org.w3c.dom.Element;

/** Parses {@code osgi:reference}, {@code osgi:list} and {@code osgi:set}. Stateless between elements. */
final class ReferenceParser implements BeanDefinitionParser
{
    /** Default initial wait of a context for a mandatory service, as in Spring DM. */
    static final long DEFAULT_TIMEOUT_MS = 300_000;

    private static final Set<String> REFERENCE = Set.of("id", "interface", "filter", "bean-name", "cardinality",
        "availability", "timeout", "depends-on", "context-class-loader", "sticky");

    private static final Set<String> COLLECTION = Set.of("id", "interface", "filter", "bean-name", "cardinality",
        "availability", "depends-on", "context-class-loader", "member-type", "greedy-proxying");

    private final ServiceDependency.Kind kind;

    ReferenceParser(final ServiceDependency.Kind kind)
    {
        this.kind = kind;
    }

    @Override
    public BeanDefinition parse(final Element element, final ParserContext parser)
    {
        final boolean reference = kind == ServiceDependency.Kind.REFERENCE;
        OsgiElements.checkAttributes(element, parser, reference ? REFERENCE : COLLECTION);
        final List<String> interfaces = OsgiElements.interfaces(element, parser);
        if (interfaces.isEmpty())
        {
            OsgiElements.error(parser, element, "interface is missing, element=osgi:"
                + element.getLocalName(), "add interface=\"fully.qualified.Name\"");
            return null;
        }
        final ServiceDependency dependency = new ServiceDependency(new ServiceDependency.Settings(kind, interfaces,
            OsgiElements.attribute(element, "filter"), OsgiElements.attribute(element, "bean-name"),
            mandatory(element, parser), timeoutMs(element, parser)));
        final RootBeanDefinition definition = new RootBeanDefinition(ServiceReferenceBean.class);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, dependency);
        definition.setSynthetic(true);
        definition.setSource(parser.extractSource(element));
        final String dependsOn = OsgiElements.attribute(element, "depends-on");
        if (dependsOn != null)
        {
            definition.setDependsOn(dependsOn.split("[,; ]+"));
        }
        readListeners(element, parser, dependency);
        ContextServices.of(parser.getRegistry()).dependencies().add(dependency);
        return parser.isNested() ? definition : register(element, parser, definition);
    }

    private static BeanDefinition register(
        final Element element, final ParserContext parser, final RootBeanDefinition definition)
    {
        final String id = OsgiElements.attribute(element, "id");
        final String name = id != null ? id : parser.getReaderContext().generateBeanName(definition);
        parser.registerBeanComponent(new BeanComponentDefinition(definition, name));
        return definition;
    }

    private boolean mandatory(final Element element, final ParserContext parser)
    {
        final boolean single = kind == ServiceDependency.Kind.REFERENCE;
        final String optional = single ? "0..1" : "0..N";
        final String mandatory = single ? "1..1" : "1..N";
        final boolean optionalByDefault = defaultOf(element, "default-cardinality", "1..X").startsWith("0");
        final String cardinality = OsgiElements.choice(
            element, parser, "cardinality", optionalByDefault ? optional : mandatory,
            Set.of(optional, mandatory));
        final String availability = OsgiElements.choice(
            element, parser, "availability", cardinality.equals(mandatory) ? "mandatory" : "optional",
            Set.of("mandatory", "optional"));
        return availability.equals("mandatory");
    }

    private static long timeoutMs(final Element element, final ParserContext parser)
    {
        final String own = OsgiElements.attribute(element, "timeout");
        final String value = own != null ? own
            : defaultOf(element, "default-timeout", Long.toString(DEFAULT_TIMEOUT_MS));
        return Math.max(0, OsgiElements.number(element, parser, "timeout", value));
    }

    private static String defaultOf(final Element element, final String name, final String otherwise)
    {
        final Element root = element.getOwnerDocument().getDocumentElement();
        final String value = root.getAttributeNS(OsgiElements.NAMESPACE, name);
        return value.isEmpty() ? otherwise : value;
    }

    private static void readListeners(
        final Element element, final ParserContext parser, final ServiceDependency dependency)
    {
        for (final Element child : new ArrayList<>(DomUtils.getChildElements(element)))
        {
            switch (child.getLocalName())
            {
                case "interfaces" ->
                {
                    // Parsed above.
                }
                case "listener" -> readListener(child, parser, dependency);
                default -> OsgiElements.error(parser, child,
                    "unknown element, parent=osgi:" + element.getLocalName() + " element="
                        + child.getLocalName(), "valid elements are interfaces and listener");
            }
        }
    }

    private static void readListener(
        final Element element, final ParserContext parser, final ServiceDependency dependency)
    {
        OsgiElements.checkAttributes(element, parser, Set.of("ref", "bind-method", "unbind-method"));
        final BeanMetadataElement target = OsgiElements.target(element, parser, null);
        final String bind = OsgiElements.attribute(element, "bind-method");
        final String unbind = OsgiElements.attribute(element, "unbind-method");
        final String beanName;
        if (target instanceof final RuntimeBeanReference reference)
        {
            beanName = reference.getBeanName();
        }
        else if (target instanceof final BeanDefinitionHolder holder)
        {
            beanName = BeanDefinitionReaderUtils.registerWithGeneratedName(
                (AbstractBeanDefinition)holder.getBeanDefinition(),
                parser.getRegistry());
        }
        else
        {
            OsgiElements.error(parser, element, "listener has no bean", "add ref or a nested bean");
            return;
        }
        if (bind == null && unbind == null)
        {
            OsgiElements.error(parser, element,
                "listener has no method", "add bind-method or unbind-method");
        }
        dependency.listeners().add(new ServiceDependency.Listener(beanName, bind, unbind));
    }
}
