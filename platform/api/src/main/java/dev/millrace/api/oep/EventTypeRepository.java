package dev.millrace.api.oep;

/** The event types of an application, for setters with {@link Service}. Thread-safe. */
public interface EventTypeRepository
{
    /**
     * Finds a type by name.
     *
     * @param typeName name, case matters
     * @return the type, or {@code null}
     */
    EventType getEventType(String typeName);

    /**
     * Finds the type of an event: that of a tuple, or the first one declared with the class of a bean. A map does not
     * refer to its type, so that it has one only if the application declares a single type of maps.
     *
     * @param event bean, map or tuple
     * @return the type, or {@code null}
     */
    EventType getEventType(Object event);
}
