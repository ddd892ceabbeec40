package dev.millrace.assembly;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/** The event types of an application. Immutable. */
final class EventTypes implements EventTypeRepository
{
    private final Map<String, EventType> types;

    /** The map is not copied and must not be changed afterwards. */
    EventTypes(final Map<String, EventType> types)
    {
        this.types = types;
    }

    @Override
    public EventType eventType(final String name)
    {
        return types.get(name);
    }

    @Override
    public Collection<EventType> eventTypes()
    {
        return Collections.unmodifiableCollection(types.values());
    }
}
