package dev.millrace.assembly.config;

import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * Reads an element {@code json-mapper}, {@code jaxb-mapper} or {@code csv-mapper}, which sets properties of the bean
 * with its name. Not thread-safe.
 */
final class MapperReader
{
    /** The elements, with the property {@code format} that each sets. */
    static final Map<String, String> FORMATS =
        Map.of("json-mapper", "json", "jaxb-mapper", "jaxb", "csv-mapper", "csv");
    private static final String EVENT_TYPE = "event-type-name";
    private static final String METADATA = "metadata";

    private final Problems problems;
    private final ElementNameCheck names;

    MapperReader(final Problems problems, final ElementNameCheck names)
    {
        this.problems = problems;
        this.names = names;
    }

    /** The properties of the bean by name. */
    Map<String, Located> read(final Element element)
    {
        final Map<String, Located> values = new HashMap<>();
        for (final Element child : Elements.children(element))
        {
            if (!names.known(element, child, List.of("name", EVENT_TYPE, METADATA)))
            {
                continue;
            }
            if (child.getLocalName().equals(METADATA))
            {
                problems.add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(child),
                    "metadata files of EclipseLink MOXy are not supported, element=" + element.getLocalName() + '/' +
                    METADATA, "remove the element, and name properties of the event type as the elements or members " +
                    "of bodies; or convert bodies before they are posted");
            }
            else if (child.getLocalName().equals(EVENT_TYPE))
            {
                names.value(child, values);
            }
        }
        final Map<String, Located> properties = new LinkedHashMap<>();
        properties.put("format", new Located(FORMATS.get(element.getLocalName()), XmlPositions.of(element)));
        if (values.containsKey(EVENT_TYPE))
        {
            properties.put("eventTypeName", values.get(EVENT_TYPE));
        }
        return properties;
    }
}
