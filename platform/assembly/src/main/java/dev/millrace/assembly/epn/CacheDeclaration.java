package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;

/**
 * A cache as written in an assembly file.
 *
 * @param id        id; the name that rules use
 * @param position  of the element
 * @param settings  attributes by name
 * @param system    its caching system, or {@code null} for the local one
 * @param loader    bean that fills it, or {@code null}
 * @param store     bean that fills it and stores changes, or {@code null}
 * @param listeners beans that are notified of changes
 * @param channels  stages that its changes go to as events
 */
public record CacheDeclaration(String id, SourcePosition position, Map<String, Located> settings,
    ElementReference system,
    ElementReference loader, ElementReference store, List<ElementReference> listeners, List<ElementReference> channels)
{
    /** The name of the cache in configuration files: attribute {@code name}, otherwise the id. */
    public String name()
    {
        return settings.containsKey("name") ? settings.get("name").value() : id;
    }
}
