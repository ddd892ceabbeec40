package dev.millrace.server.extender.osgi;

import java.util.List;
import java.util.Set;
import org.springframework.beans.BeanMetadataElement;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.parsing.BeanComponentDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.xml.BeanDefinitionParser;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.xml.DomUtils;
import org.w3c.dom.Element;

/** Parses {@code osgi:service}. Stateless between elements. */
final class ServiceParser implements BeanDefinitionParser
{
    private static final Set<String> ATTRIBUTES =
        Set.of("id", "ref", "interface", "auto-export", "ranking", "depends-on", "context-class-loader");

    @Override
    public BeanDefinition parse(final Element element, final ParserContext parser)
    {
        OsgiElements.checkAttributes(element, parser, ATTRIBUTES);
        OsgiElements.choice(element, parser, "context-class-loader", "unmanaged", Set.of("unmanaged"));
        final RootBeanDefinition definition = new RootBeanDefinition(ServiceExport.class);
        definition.setSource(parser.extractSource(element));
        definition.setSynthetic(true);
        final BeanMetadataElement target = OsgiElements.target(element, parser, definition);
        if (target == null)
        {
            OsgiElements.error(parser, element, "service has no bean", "add ref or a nested bean");
            return null;
        }
        definition.getPropertyValues().add("target", target);
        if (target instanceof final RuntimeBeanReference reference)
        {
            definition.getPropertyValues().add("targetName", reference.getBeanName());
        }
        final List<String> interfaces = OsgiElements.interfaces(element, parser);
        final String autoExport = OsgiElements.choice(element, parser, "auto-export", "disabled",
            Set.of("disabled", "interfaces", "class-hierarchy", "all-classes"));
        if (interfaces.isEmpty() && autoExport.equals("disabled"))
        {
            OsgiElements.error(parser, element,
                "service has no interface", "add interface, interfaces or auto-export");
        }
        definition.getPropertyValues().add("interfaces", interfaces).add("autoExport", autoExport);
        final String ranking = OsgiElements.attribute(element, "ranking");
        if (ranking != null)
        {
            definition.getPropertyValues().add(
                "ranking", (int)OsgiElements.number(element, parser, "ranking", ranking));
        }
        final String dependsOn = OsgiElements.attribute(element, "depends-on");
        if (dependsOn != null)
        {
            definition.setDependsOn(dependsOn.split("[,; ]+"));
        }
        readChildren(element, parser, definition);
        final String id = OsgiElements.attribute(element, "id");
        parser.registerBeanComponent(new BeanComponentDefinition(
            definition, id != null ? id : parser.getReaderContext().generateBeanName(definition)));
        return definition;
    }

    private static void readChildren(
        final Element element, final ParserContext parser, final RootBeanDefinition definition)
    {
        for (final Element child : DomUtils.getChildElements(element))
        {
            if (!OsgiElements.NAMESPACE.equals(child.getNamespaceURI()))
            {
                continue;
            }
            switch (child.getLocalName())
            {
                case "interfaces" ->
                {
                    // Parsed above.
                }
                case "service-properties" -> definition.getPropertyValues().add(
                    "serviceProperties", parser.getDelegate().parseMapElement(child, definition));
                default -> OsgiElements.error(parser, child, "unknown or unsupported "
                    + "element, element=osgi:" + child.getLocalName(),
                    "valid elements are interfaces and service-properties");
            }
        }
    }
}
