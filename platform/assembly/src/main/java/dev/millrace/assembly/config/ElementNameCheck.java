package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/** Finds unknown names of elements and attributes. Not thread-safe. */
final class ElementNameCheck
{
    private final Problems problems;

    ElementNameCheck(final Problems problems)
    {
        this.problems = problems;
    }

    /** Whether an element is allowed; reports a problem when it is not. */
    boolean known(final Element parent, final Element child, final Collection<String> allowed)
    {
        if (child.getNamespaceURI() == null && allowed.contains(child.getLocalName()))
        {
            return true;
        }
        final boolean qualified = child.getNamespaceURI() != null && allowed.contains(child.getLocalName());
        problems.add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(child),
            "unknown element, parent=" + parent.getNodeName() + " element=" + child.getNodeName() +
                (qualified ? " namespace=" + child.getNamespaceURI() : ""),
            qualified ? "elements below config have no namespace: use a prefix for the namespace of config" :
                Suggestions.hint(child.getLocalName(), "elements of " + parent.getNodeName(), allowed));
        return false;
    }

    /** Reports attributes that are not allowed. */
    void attributes(final Element element, final String... allowed)
    {
        final List<String> names = Arrays.asList(allowed);
        final NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++)
        {
            final Attr attribute = (Attr)attributes.item(i);
            if (attribute.getNamespaceURI() == null && !names.contains(attribute.getName()))
            {
                problems.add(AssemblyErrorCode.UNKNOWN_ATTRIBUTE, XmlPositions.of(attribute),
                    "unknown attribute, element=" +
                    element.getNodeName() + " attribute=" + attribute.getName(),
                    Suggestions.hint(attribute.getName(), "attributes of " + element.getNodeName(), names));
            }
        }
    }

    /** Reports text where only elements are allowed. */
    void noText(final Element element)
    {
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof Text text && !text.getData().isBlank())
            {
                problems.add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(element),
                    "text is not allowed here, element=" + element.getNodeName(), "remove the text");
                return;
            }
        }
    }

    /** Stores the text of an element that may occur once and contains only text. */
    void value(final Element element, final Map<String, Located> values)
    {
        textOnly(element);
        attributes(element);
        if (values.putIfAbsent(element.getLocalName(), Elements.text(element)) != null)
        {
            problems.add(AssemblyErrorCode.DUPLICATE, XmlPositions.of(element),
                "the element occurs twice, element=" + element.getNodeName(), "remove one");
        }
    }

    /** Reports elements inside an element that contains only text. */
    void textOnly(final Element element)
    {
        Elements.children(element).forEach(child -> known(element, child, List.of()));
    }
}
