package dev.millrace.schema;

import dev.millrace.schema.SchemaModel.Node;
import java.util.Locale;
import java.util.Set;

/** Reference pages as Markdown: a section per element or type, with a row per element and attribute in it. */
final class SchemaPages
{
    private static final int WIDTH = 130;
    private static final Set<String> NUMBERS = Set.of("unsignedInt", "decimal", "positiveInteger", "long");

    private final StringBuilder page = new StringBuilder();

    SchemaPages(final String title, final String introduction)
    {
        page.append("# ").append(title).append("\n\n").append(introduction).append('\n');
    }

    /** Adds a section for each child of the root element, and for each type. */
    SchemaPages root(final SchemaModel schema, final Node root)
    {
        root.children().forEach(this::section);
        schema.types().forEach(this::section);
        return this;
    }

    /** Adds a section for each global element, and for each type. */
    SchemaPages all(final SchemaModel schema)
    {
        schema.elements().forEach(this::section);
        schema.types().forEach(this::section);
        return this;
    }

    /** Adds a section for each global element, whose name begins with the usual prefix of the namespace. */
    SchemaPages all(final String prefix, final SchemaModel schema)
    {
        schema.elements().forEach(node -> section(prefix + ":", node));
        return this;
    }

    private void section(final Node node)
    {
        section("", node);
    }

    private void section(final String prefix, final Node node)
    {
        page.append("\n## ").append(prefix).append(node.name()).append('\n');
        if (!node.documentation().isEmpty())
        {
            page.append('\n').append(wrapped(escaped(node.documentation()))).append('\n');
        }
        if (node.namedType() != null)
        {
            page.append("\nContents: [").append(node.namedType().name()).append("](#")
                .append(anchor(node.namedType().name())).append(").\n");
        }
        else if (!node.children().isEmpty())
        {
            page.append("\n| Element or attribute | Values | Meaning |\n|---|---|---|\n");
            rows(node, "");
        }
    }

    private void rows(final Node parent, final String path)
    {
        for (final Node node : parent.children())
        {
            page.append("| `").append(path).append(node.isAttribute() ? "@" : "").append(node.name()).append("` | ")
                .append(values(node)).append(" | ").append(escaped(node.documentation())).append(" |\n");
            if (!node.isAttribute() && !node.isReference() && node.namedType() == null)
            {
                rows(node, path + node.name() + "/");
            }
        }
    }

    private static String values(final Node node)
    {
        if (node.isReference() || node.namedType() != null)
        {
            final String name = node.isReference() ? node.name() : node.namedType().name();
            return "[" + name + "](#" + anchor(name) + ")";
        }
        final String values = !node.isAttribute() && !node.isText() ? kind(node) :
            !node.values().isEmpty() ? "`" + String.join("`, `", node.values()) + "`" :
            NUMBERS.contains(node.builtIn()) ? "number" : "text";
        return values + (node.isRequired() ? ", required" : "") +
            (node.defaultValue().isEmpty() ? "" : ", default `" + node.defaultValue() + "`");
    }

    private static String kind(final Node node)
    {
        return node.isOpen() ? "any" : node.children().stream().allMatch(Node::isAttribute) ? "text" : "elements";
    }

    private static String anchor(final String heading)
    {
        return heading.toLowerCase(Locale.ROOT);
    }

    /** Breaks lines before the widest permitted one. */
    private static String wrapped(final String text)
    {
        return text.replaceAll("(.{1," + WIDTH + "})(?: |$)", "$1\n").strip();
    }

    private static String escaped(final String text)
    {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }

    String markdown()
    {
        return page.toString();
    }
}
