package dev.millrace.server.config;

import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.assembly.xml.XmlPositions;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** An element of a small file with its position, for readers that report {@code file:line:column}. Not thread-safe. */
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

    /** Returns the namespace URI; empty without a namespace. */
    public String namespace()
    {
        return element.getNamespaceURI() == null ? "" : element.getNamespaceURI();
    }

    public String name()
    {
        return element.getLocalName();
    }

    /** Returns the position of the start tag. */
    public SourcePosition position()
    {
        return XmlPositions.of(element);
    }

    /** Returns an attribute without namespace; empty if it is missing. */
    public String attribute(final String attribute)
    {
        return element.getAttribute(attribute);
    }

    /** Returns the child elements in document order. */
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

    /** Returns the first child with a local name. */
    public Optional<XmlElement> child(final String childName)
    {
        return children().stream().filter(child -> child.name().equals(childName)).findFirst();
    }

    /** Returns the text content without surrounding blanks. */
    public String text()
    {
        return element.getTextContent().trim();
    }
}
