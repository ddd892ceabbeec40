package dev.millrace.assembly.config;

import dev.millrace.assembly.xml.Located;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * Reads an element {@code jms-adapter} or {@code http-pub-sub-adapter}, whose children are instance properties of the
 * adapter under other names: {@code message-selector} is {@code messageSelector}. Not thread-safe.
 */
final class AdapterElementReader
{
    /** The elements, with the children that Oracle Event Processing defines except those of all stages. */
    static final Map<String, List<String>> ELEMENTS = Map.of(
        "jms-adapter", List.of("event-type", "jndi-provider-url", "jndi-factory", "connection-jndi-name",
        "destination-jndi-name", "destination-name", "destination-type", "user", "password", "encrypted-password",
        "connection-user", "connection-password", "connection-encrypted-password", "work-manager",
        "concurrent-consumers", "message-selector", "session-ack-mode-name", "session-transacted", "delivery-mode",
        "bindings"),
        "http-pub-sub-adapter", List.of("server-url", "server-context-path", "channel", "event-type", "user",
        "password", "encrypted-password"));
    private static final String EVENT_TYPE = "event-type";

    private final ElementNameCheck names;
    private final List<String> children;
    private final Map<String, Located> values = new HashMap<>();

    /** @param element name of one of {@link #ELEMENTS} */
    AdapterElementReader(final ElementNameCheck names, final String element)
    {
        this.names = names;
        children = ELEMENTS.get(element);
    }

    /** The names of the children that only this element has. */
    List<String> children()
    {
        return children;
    }

    /** Reads a child. */
    void read(final Element child)
    {
        names.value(child, values);
    }

    /** The instance properties by name. */
    Map<String, Located> properties()
    {
        final Map<String, Located> properties = new LinkedHashMap<>();
        children.stream().filter(values::containsKey).forEach(each -> properties.put(property(each), values.get(each)));
        return properties;
    }

    private static String property(final String element)
    {
        if (element.equals(EVENT_TYPE))
        {
            return "eventTypeName";
        }
        final StringBuilder name = new StringBuilder();
        for (final String word : element.split("-"))
        {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}
