package dev.millrace.api.oep;

/** A property of an event type. Immutable, thread-safe. */
public interface EventProperty
{
    /**
     * Returns the name.
     *
     * @return name as declared
     */
    String getName();

    /**
     * Returns the value of the property.
     *
     * @param event bean, map or tuple
     * @return the value or {@code null}
     * @throws IllegalArgumentException when the event is not of the type
     */
    Object getValue(Object event);

    /**
     * Sets the value of the property.
     *
     * @param event bean or map, for example of {@link EventType#createEvent()}; tuples cannot be changed
     * @param value the value or {@code null}
     * @throws IllegalArgumentException when the event is not of the type, or the value does not fit
     */
    void setValue(Object event, Object value);
}
