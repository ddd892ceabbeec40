package dev.millrace.assembly;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.network.advertised.QualifiedName;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The event types of an application, and copies of those of other applications that it uses. A copy is made when its
 * name, {@code application:type}, is used first, and does not change afterwards. Thread-safe.
 */
final class EventTypes implements EventTypeRepository
{
    private final Map<String, EventType> types;
    private final Function<String, EventType> others;
    private final Map<String, EventType> copies = new ConcurrentHashMap<>();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    /**
     * @param types  by name; not copied, and not changed afterwards
     * @param others finds copies of types of other applications; {@code null} where these are not known
     */
    EventTypes(final Map<String, EventType> types, final Function<String, EventType> others)
    {
        this.types = types;
        this.others = others;
    }

    /** Whether a name is that of a type of another application. */
    static boolean isForeign(final String name)
    {
        return name.indexOf(QualifiedName.SEPARATOR) > 0;
    }

    @Override
    public EventType eventType(final String name)
    {
        final EventType own = types.get(name);
        if (own != null || others == null || name == null || !isForeign(name))
        {
            return own;
        }
        return copies.computeIfAbsent(name, others);
    }

    /** The types that the application itself declares. */
    @Override
    public Collection<EventType> eventTypes()
    {
        return Collections.unmodifiableCollection(types.values());
    }

    /** The copies of types of other applications, by name; grows when further ones are used. */
    Map<String, EventType> copies()
    {
        return copies;
    }

    /** Records that the type of a channel is missing; other names are not kept, because they may come from rows. */
    void misses(final String name)
    {
        missing.add(name);
    }

    /** Names of types of channels that no other application declared when they were needed. */
    Set<String> missing()
    {
        return missing;
    }
}
