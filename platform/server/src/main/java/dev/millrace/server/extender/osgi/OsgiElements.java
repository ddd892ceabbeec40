package dev.millrace.server.extender.osgi;

import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.DeploymentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.BeanMetadataElement;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.xml.ParserContext;
import org.springframework.util.xml.DomUtils;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/** Shared functions of the parsers of the {@code osgi} namespace. Thread-safe. */
final class OsgiElements
{
    static final String NAMESPACE = "http://www.springframework.org/schema/osgi";

    private static final String BEANS = "http://www.springframework.org/schema/beans";

    private OsgiElements()
    {
    }

    /** Rejects unknown attributes. */
    static void checkAttributes(final Element element, final ParserContext parser, final Set<String> known)
    {
        for (int i = 0; i < element.getAttributes().getLength(); i++)
        {
            final Attr attribute = (Attr)element.getAttributes().item(i);
            if (attribute.getNamespaceURI() == null && !known.contains(attribute.getName()))
            {
                error(parser, element, "unknown attribute, element=osgi:" + element.getLocalName()
                    + " attribute=" + attribute.getName(), "valid attributes are " + known);
            }
        }
    }

    /** Returns an attribute, or {@code null}. */
    static String attribute(final Element element, final String name)
    {
        return element.hasAttribute(name) ? element.getAttribute(name).trim() : null;
    }

    /** Returns an attribute whose value is one of the given choices. */
    static String choice(final Element element, final ParserContext parser, final String name, final String otherwise,
        final Set<String> choices)
    {
        final String value = attribute(element, name);
        if (value != null && !choices.contains(value))
        {
            error(parser, element, "unknown value, element=osgi:" + element.getLocalName() + ' ' + name
                + '=' + value, "valid values are " + choices);
        }
        return value == null ? otherwise : value;
    }

    /** Parses an integer. */
    static long number(final Element element, final ParserContext parser, final String name, final String value)
    {
        try
        {
            return Long.parseLong(value);
        }
        catch (final NumberFormatException e)
        {
            error(parser, element, "not an integer, element=osgi:" + element.getLocalName() + ' ' + name
                + '=' + value, "use a number without a unit; timeouts are in milliseconds");
            return 0;
        }
    }

    /** Returns the names in the attribute {@code interface} and the element {@code interfaces}. */
    static List<String> interfaces(final Element element, final ParserContext parser)
    {
        final List<String> names = new ArrayList<>();
        if (attribute(element, "interface") != null)
        {
            names.add(attribute(element, "interface"));
        }
        for (final Element child : DomUtils.getChildElementsByTagName(element, "interfaces"))
        {
            for (final Element value : DomUtils.getChildElements(child))
            {
                if (!value.getLocalName().equals("value"))
                {
                    error(parser, value, "interfaces may contain only value elements, element=" + value.getLocalName(),
                        "write <value>fully.qualified.Name</value>");
                }
                names.add(DomUtils.getTextValue(value).trim());
            }
        }
        return names;
    }

    /**
     * Returns the bean of the attribute {@code ref}, of a nested bean or of a nested reference; {@code null} if there
     * is none.
     */
    static BeanMetadataElement target(final Element element, final ParserContext parser, final BeanDefinition owner)
    {
        if (attribute(element, "ref") != null)
        {
            return new RuntimeBeanReference(attribute(element, "ref"));
        }
        for (final Element child : DomUtils.getChildElements(element))
        {
            if (BEANS.equals(child.getNamespaceURI()))
            {
                return (BeanMetadataElement)parser.getDelegate().parsePropertySubElement(child, owner);
            }
            if (!NAMESPACE.equals(child.getNamespaceURI()))
            {
                return parser.getDelegate().parseCustomElement(child, owner);
            }
        }
        return null;
    }

    /** Reports a problem with its position. Parsing continues, so that all problems are found. */
    static void error(final ParserContext parser, final Element element, final String text, final String hint)
    {
        final DeploymentException problem =
            // SRV-0306: an osgi element of an assembly file cannot be used: follow the hint of the message
            new DeploymentException("SRV-0306", XmlPositions.of(element), text, hint);
        parser.getReaderContext().error(text, element, problem);
    }
}
