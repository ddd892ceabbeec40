package dev.millrace.server.config;

import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.assembly.xml.XmlPlaces;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * An element of a small file with its place, for readers that want to say {@code file:line:column}. For one thread.
 */
public final class XmlElement
{
    private final Element element;

    private XmlElement(final Element element)
    {
        this.element = element;
    }

    /**
     * Reads a whole file.
     *
     * @param content its bytes; closed by the caller
     * @param file    name for messages
     * @return the root element
     * @throws DeploymentException when it is not well-formed or too large, or has a DOCTYPE
     */
    public static XmlElement read(final InputStream content, final String file) throws DeploymentException
    {
        return new XmlElement(HardenedXml.parse(file, content).getDocumentElement());
    }

    /**
     * The namespace.
     *
     * @return URI, empty when it has none
     */
    public String namespace()
    {
        return element.getNamespaceURI() == null ? "" : element.getNamespaceURI();
    }

    /**
     * The name without prefix.
     *
     * @return local name
     */
    public String name()
    {
        return element.getLocalName();
    }

    /**
     * Where the element stands.
     *
     * @return position of its start tag
     */
    public SourcePosition position()
    {
        return XmlPlaces.of(element);
    }

    /**
     * An attribute without namespace.
     *
     * @param attribute name
     * @return its value, empty when it is not there
     */
    public String attribute(final String attribute)
    {
        return element.getAttribute(attribute);
    }

    /**
     * Its elements.
     *
     * @return in document order
     */
    public List<XmlElement> children()
    {
        final List<XmlElement> children = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling())
        {
            if (node instanceof final Element child)
            {
                children.add(new XmlElement(child));
            }
        }
        return children;
    }

    /**
     * The first child of a name.
     *
     * @param childName local name
     * @return the child, or empty
     */
    public Optional<XmlElement> child(final String childName)
    {
        return children().stream().filter(child -> child.name().equals(childName)).findFirst();
    }

    /**
     * Its characters.
     *
     * @return without blanks around
     */
    public String text()
    {
        return element.getTextContent().trim();
    }
}
