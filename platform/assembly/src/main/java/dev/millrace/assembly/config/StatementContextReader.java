package dev.millrace.assembly.config;

import dev.millrace.assembly.config.ComponentConfiguration.StatementContext;
import dev.millrace.assembly.config.ComponentConfiguration.StatementFunction;
import dev.millrace.assembly.config.ComponentConfiguration.StatementParameter;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/** Reads an element {@code jdbc-ctx}: the functions of a context of the JDBC cartridge. Not thread-safe. */
final class StatementContextReader
{
    static final String NAMESPACE = "http://www.oracle.com/ns/ocep/config/jdbc";
    static final String ELEMENT = "jdbc-ctx";

    private final Problems problems;
    private final ElementNameCheck names;

    StatementContextReader(final Problems problems, final ElementNameCheck names)
    {
        this.problems = problems;
        this.names = names;
    }

    /** Reads a context; {@code null} after reporting that it has no name or data source. */
    StatementContext read(final Element element)
    {
        names.attributes(element);
        names.noText(element);
        final Map<String, Located> values = new HashMap<>();
        final List<StatementFunction> functions = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            if (names.known(element, child, List.of("name", "data-source", "function")))
            {
                if (child.getLocalName().equals("function"))
                {
                    function(child, functions);
                }
                else
                {
                    names.value(child, values);
                }
            }
        }
        final Located name = needed(element, values, "name");
        final Located source = needed(element, values, "data-source");
        return name == null || source == null ? null :
            new StatementContext(name, source, functions, XmlPositions.of(element));
    }

    private Located needed(final Element element, final Map<String, Located> values, final String child)
    {
        final Located value = values.get(child);
        if (value == null || value.value().isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "missing element, parent=" +
                element.getNodeName() + " element=" + child, "add <" + child + ">");
            return null;
        }
        return value;
    }

    private void function(final Element element, final List<StatementFunction> functions)
    {
        names.attributes(element, "name");
        names.noText(element);
        final Map<String, Located> values = new HashMap<>();
        final List<StatementParameter> parameters = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            if (!names.known(element, child, List.of("param", "return-component-type", "sql", "cache")))
            {
                continue;
            }
            switch (child.getLocalName())
            {
                case "param" -> parameter(child, parameters);
                case "cache" -> cache(child, values);
                default -> names.value(child, values);
            }
        }
        final Located name = attribute(element, "name");
        final Located component = needed(element, values, "return-component-type");
        final Located sql = needed(element, values, "sql");
        if (name != null && component != null && sql != null)
        {
            functions.add(new StatementFunction(name, parameters, component, sql, values.get("max-size"),
                values.get("time-to-live")));
        }
    }

    private void cache(final Element element, final Map<String, Located> values)
    {
        names.attributes(element);
        names.noText(element);
        Elements.children(element).stream()
            .filter(each -> names.known(element, each, List.of("max-size", "time-to-live")))
            .forEach(each -> names.value(each, values));
    }

    private void parameter(final Element element, final List<StatementParameter> parameters)
    {
        names.attributes(element, "name", "type");
        names.noText(element);
        names.textOnly(element);
        final Located name = attribute(element, "name");
        final Located type = attribute(element, "type");
        if (name != null && type != null)
        {
            parameters.add(new StatementParameter(name, type));
        }
    }

    private Located attribute(final Element element, final String name)
    {
        final Located value = Elements.attribute(element, name);
        if (value == null || value.value().isEmpty())
        {
            problems.add(AssemblyErrorCode.MISSING, XmlPositions.of(element), "missing attribute, element=" +
                element.getNodeName() + " attribute=" + name, "add " + name + "=\"...\"");
            return null;
        }
        return value;
    }
}
