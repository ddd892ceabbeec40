package dev.millrace.api.event;

import java.util.Collection;

/** The event types of one application. Thread-safe once the application is deployed. */
public interface EventTypeRepository
{
    /**
     * Finds a type by name.
     *
     * @param name type name, case matters
     * @return the type, or {@code null}
     */
    EventType eventType(String name);

    /**
     * Returns all types.
     *
     * @return immutable collection in order of declaration
     */
    Collection<EventType> eventTypes();
}
