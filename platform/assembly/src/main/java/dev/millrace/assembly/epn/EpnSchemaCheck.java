package dev.millrace.assembly.epn;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Finds unknown elements and attributes. Elements of other namespaces are left to their own handlers, but those must
 * exist.
 */
public final class EpnSchemaCheck
{
    private static final List<String> KNOWN_NAMESPACES = List.of(Namespaces.WLEVS, Namespaces.EPN, Namespaces.BEANS,
        "http://www.springframework.org/schema/osgi", "http://www.springframework.org/schema/context",
        "http://www.springframework.org/schema/util", "http://www.springframework.org/schema/p",
        "http://www.springframework.org/schema/c");

    /** Namespaces of Oracle's cartridges. */
    private static final String CARTRIDGES = "http://www.oracle.com/ns/";
    private static final String SPRING = "http://www.springframework.org/schema/";
    private static final Set<String> OTHER_SPRING =
        Set.of("tx", "aop", "jdbc", "jms", "jee", "lang", "task", "mvc", "osgi-compendium");

    private final Problems problems;
    private final Set<String> refusedIds;
    private final Predicate<String> knownNamespace;

    /**
     * @param problems       receives the problems found
     * @param refusedIds     receives the ids of elements of cartridges, which are refused
     * @param knownNamespace whether there is a handler for a namespace
     */
    public EpnSchemaCheck(
        final Problems problems, final Set<String> refusedIds, final Predicate<String> knownNamespace)
    {
        this.problems = problems;
        this.refusedIds = refusedIds;
        this.knownNamespace = knownNamespace;
    }

    /**
     * Checks an assembly file.
     *
     * @return whether its root is one that Spring can read
     */
    public boolean check(final Document document)
    {
        final Element root = document.getDocumentElement();
        if (!Namespaces.BEANS.equals(root.getNamespaceURI()) || !"beans".equals(root.getLocalName()))
        {
            final boolean namespace = "beans".equals(root.getLocalName());
            problems.add(namespace ? AssemblyErrorCode.UNKNOWN_NAMESPACE :
                AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(root),
                "an assembly file must have the root element beans in namespace " + Namespaces.BEANS + ", found=" +
                    root.getNodeName() + " namespace=" + root.getNamespaceURI(),
                "start the file with <beans xmlns=\"" + Namespaces.BEANS + "\" ...>");
            return false;
        }
        element(root, SpringBeansSchema.elements().get("beans"));
        return true;
    }

    private void element(final Element element, final ElementSchema rule)
    {
        attributes(element, rule);
        Node next;
        for (Node child = element.getFirstChild(); child != null; child = next)
        {
            // The check may remove the child.
            next = child.getNextSibling();
            if (child instanceof Element childElement)
            {
                child(element, rule, childElement);
            }
            else if (child instanceof Text text && !rule.text && !text.getData().isBlank())
            {
                problems.add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(element),
                    "text is not allowed here, element=" + element.getNodeName() + " text=" + shorten(text.getData()),
                    "remove the text");
            }
        }
    }

    private static String shorten(final String text)
    {
        final String stripped = text.strip();
        return '\'' + (stripped.length() > 40 ? stripped.substring(0, 40) + "..." : stripped) + '\'';
    }

    private void attributes(final Element element, final ElementSchema rule)
    {
        final NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++)
        {
            final Attr attribute = (Attr)attributes.item(i);
            final String namespace = attribute.getNamespaceURI();
            if (namespace == null)
            {
                if (!rule.attributes.contains(attribute.getName()))
                {
                    problems.add(AssemblyErrorCode.UNKNOWN_ATTRIBUTE, XmlPositions.of(attribute),
                        "unknown attribute, element=" + element.getNodeName() + " attribute=" + attribute.getName(),
                        Suggestions.hint(attribute.getName(), "attributes", rule.attributes));
                }
            }
            else if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(namespace) &&
                !XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(namespace) &&
                !XMLConstants.XML_NS_URI.equals(namespace))
            {
                foreignAttribute(element, attribute, namespace);
            }
        }
        for (final String required : rule.required)
        {
            if (!element.hasAttribute(required))
            {
                problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "missing attribute, element=" +
                    element.getNodeName() + " attribute=" + required, "add " + required + "=\"...\"");
            }
        }
    }

    private void foreignAttribute(final Element element, final Attr attribute, final String namespace)
    {
        if (Namespaces.STAGES.contains(namespace) || Namespaces.STAGES.contains(element.getNamespaceURI()))
        {
            problems.add(AssemblyErrorCode.UNKNOWN_ATTRIBUTE, XmlPositions.of(attribute),
                "unknown attribute, element=" +
                element.getNodeName() + " attribute=" + attribute.getName(),
                "attributes of stages have no prefix");
        }
        else if (!knownNamespace.test(namespace))
        {
            unknownNamespace(attribute, namespace);
        }
    }

    private void child(final Element parent, final ElementSchema rule, final Element child)
    {
        final String namespace = child.getNamespaceURI();
        if (Namespaces.BEANS.equals(namespace))
        {
            springChild(parent, rule, child);
        }
        else if (Namespaces.STAGES.contains(namespace))
        {
            stageChild(parent, rule, child);
        }
        else if (namespace == null || !knownNamespace.test(namespace))
        {
            if (child.hasAttribute("id"))
            {
                refusedIds.add(child.getAttribute("id"));
            }
            unknownNamespace(child, namespace);
        }
        else if (!rule.foreignChildren)
        {
            unknownElement(parent, child, rule.children.keySet());
        }
        else
        {
            insideForeign(child);
        }
    }

    private void springChild(final Element parent, final ElementSchema rule, final Element child)
    {
        final Set<String> allowed = new LinkedHashSet<>(rule.springChildren);
        if (allowed.remove("*"))
        {
            allowed.addAll(Arrays.asList(SpringBeansSchema.VALUES));
        }
        final ElementSchema childRule = SpringBeansSchema.elements().get(child.getLocalName());
        if (allowed.contains(child.getLocalName()) && childRule.refusal == null)
        {
            element(child, childRule);
        }
        else if (allowed.contains(child.getLocalName()))
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child), childRule.refusal,
                childRule.refusalHint);
            // Spring would open the resource that it names before the problem is reported.
            parent.removeChild(child);
        }
        else
        {
            allowed.addAll(rule.children.keySet());
            unknownElement(parent, child, allowed);
        }
    }

    private void stageChild(final Element parent, final ElementSchema rule, final Element child)
    {
        final boolean topLevel = "beans".equals(parent.getLocalName()) &&
            Namespaces.BEANS.equals(parent.getNamespaceURI());
        final var allowed = topLevel ? EpnSchema.top() : rule.children;
        final ElementSchema childRule = allowed.get(child.getLocalName());
        if (childRule == null)
        {
            final Set<String> names = new TreeSet<>(allowed.keySet());
            if (!topLevel)
            {
                names.addAll(rule.springChildren);
                names.remove("*");
            }
            unknownElement(parent, child, names);
        }
        else if (childRule.refusal != null)
        {
            problems.add(
                AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child), childRule.refusal, childRule.refusalHint);
        }
        else
        {
            element(child, childRule);
        }
    }

    /** Elements of other handlers may contain beans again. */
    private void insideForeign(final Element element)
    {
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling())
        {
            if (child instanceof Element childElement)
            {
                final String namespace = childElement.getNamespaceURI();
                final ElementSchema rule = Namespaces.BEANS.equals(namespace) ?
                    SpringBeansSchema.elements().get(childElement.getLocalName()) : null;
                if (rule != null)
                {
                    element(childElement, rule);
                }
                else if (Namespaces.STAGES.contains(namespace))
                {
                    unknownElement(element, childElement, Set.of());
                }
                else
                {
                    insideForeign(childElement);
                }
            }
        }
    }

    private void unknownElement(final Element parent, final Element child, final Collection<String> allowed)
    {
        problems.add(AssemblyErrorCode.UNKNOWN_ELEMENT, XmlPositions.of(child), "unknown element, parent=" +
            parent.getNodeName() + " element=" + child.getNodeName(),
            Suggestions.hint(child.getLocalName(), "elements of " + parent.getNodeName(), allowed));
    }

    private void unknownNamespace(final Node node, final String namespace)
    {
        final String what = ", element=" + node.getNodeName() + " namespace=" + namespace;
        if (namespace != null && namespace.startsWith(CARTRIDGES))
        {
            final String cartridge = namespace.substring(namespace.lastIndexOf('/') + 1);
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(node),
                "this cartridge of Oracle Event Processing is not available, cartridge=" + cartridge + what,
                cartridge.equals("jdbc") ? "use wlevs:table with a data-source of config.xml and wlevs:table-source" :
                    "remove the element; data of other stores can be joined as a wlevs:cache with a cache-loader");
            return;
        }
        if (namespace != null && namespace.startsWith(SPRING) &&
            OTHER_SPRING.contains(namespace.substring(SPRING.length())))
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(node),
                "this part of Spring is not available" + what,
                "declare the objects that the element creates as beans, or create them in the application's code");
            return;
        }
        problems.add(AssemblyErrorCode.UNKNOWN_NAMESPACE, XmlPositions.of(node), namespace == null ?
            "element without namespace, element=" + node.getNodeName() :
            "unknown namespace, element=" + node.getNodeName() + " namespace=" + namespace,
            namespace == null ? "put it into a namespace, for example " + Namespaces.WLEVS :
                Suggestions.hint(namespace, "namespaces", KNOWN_NAMESPACES));
    }
}
