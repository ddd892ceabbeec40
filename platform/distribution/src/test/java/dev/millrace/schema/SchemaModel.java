package dev.millrace.schema;

import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.HardenedXml;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/** The declarations of an XML schema, as far as the schemas of this product use the language. Immutable. */
final class SchemaModel
{
    private final Element schema;
    /** Global declarations by kind and name. */
    private final Map<String, Element> named = new LinkedHashMap<>();

    private SchemaModel(final Element schema)
    {
        this.schema = schema;
        Elements.children(schema).forEach(
            child -> named.put(child.getLocalName() + ' ' + child.getAttribute("name"), child));
    }

    static SchemaModel read(final Path file) throws IOException
    {
        try (InputStream content = Files.newInputStream(file))
        {
            return new SchemaModel(HardenedXml.parse(file.toString(), content).getDocumentElement());
        }
        catch (final DeploymentException e)
        {
            throw new IOException(e);
        }
    }

    /** An element, an attribute, or a complex type with a name. */
    final class Node
    {
        private final Element declaration;

        private Node(final Element declaration)
        {
            this.declaration = declaration;
        }

        String name()
        {
            return declaration.hasAttribute("ref") ? declaration.getAttribute("ref") :
                declaration.getAttribute("name");
        }

        boolean isAttribute()
        {
            return declaration.getLocalName().equals("attribute");
        }

        boolean isRequired()
        {
            return declaration.getAttribute("use").equals("required");
        }

        /** Whether the declaration only names a global element. */
        boolean isReference()
        {
            return declaration.hasAttribute("ref");
        }

        String defaultValue()
        {
            return declaration.getAttribute("default");
        }

        /** Of the declaration, or of its type; empty without one. */
        String documentation()
        {
            final Element target = isReference() ? named.get("element " + name()) : declaration;
            final List<Element> annotations = new ArrayList<>(Elements.children(target, "annotation"));
            if (namedType() != null)
            {
                annotations.addAll(Elements.children(namedType().declaration, "annotation"));
            }
            return annotations.isEmpty() ? "" : Elements.text(
                Elements.children(annotations.get(0), "documentation").get(0)).value().replaceAll("\\s+", " ");
        }

        /** The complex type that the declaration names; {@code null} if it names none. */
        Node namedType()
        {
            final Element type = named.get("complexType " + declaration.getAttribute("type"));
            return type == null ? null : new Node(type);
        }

        /** Attributes, then elements. */
        List<Node> children()
        {
            final Element type = complexType();
            if (type == null)
            {
                return List.of();
            }
            final List<Node> found = new ArrayList<>();
            collect(type, found);
            found.sort((a, b) -> Boolean.compare(b.isAttribute(), a.isAttribute()));
            return found;
        }

        boolean isText()
        {
            return complexType() == null;
        }

        /** Whether elements of any name, or of other namespaces, are allowed. */
        boolean isOpen()
        {
            return complexType() != null && complexType().getElementsByTagNameNS("*", "any").getLength() > 0 &&
                children().stream().allMatch(Node::isAttribute);
        }

        /** The permitted values; empty if there are too many to list. */
        List<String> values()
        {
            final Element simple = named.getOrDefault("simpleType " + declaration.getAttribute("type"),
                Elements.children(declaration, "simpleType").stream().findFirst().orElse(null));
            final List<String> values = new ArrayList<>();
            if (simple != null)
            {
                Elements.children(Elements.children(simple, "restriction").get(0), "enumeration")
                    .forEach(value -> values.add(value.getAttribute("value")));
            }
            return values;
        }

        /** The name of a built-in type without prefix; empty for others. */
        String builtIn()
        {
            final String type = declaration.getAttribute("type");
            return type.startsWith("xsd:") ? type.substring("xsd:".length()) : "";
        }

        private Element complexType()
        {
            if (declaration.getLocalName().equals("complexType"))
            {
                return declaration;
            }
            final Element target = isReference() ? named.get("element " + name()) : declaration;
            return Elements.children(target, "complexType").stream().findFirst()
                .orElse(named.get("complexType " + target.getAttribute("type")));
        }
    }

    private void collect(final Element part, final List<Node> found)
    {
        for (final Element child : Elements.children(part))
        {
            switch (child.getLocalName())
            {
                case "element", "attribute" -> found.add(new Node(child));
                case "group", "attributeGroup" ->
                    collect(named.get(child.getLocalName() + ' ' + child.getAttribute("ref")), found);
                default -> collect(child, found);
            }
        }
    }

    private List<Node> globals(final String kind)
    {
        return Elements.children(schema, kind).stream().map(Node::new).toList();
    }

    List<Node> elements()
    {
        return globals("element");
    }

    List<Node> types()
    {
        return globals("complexType");
    }
}
