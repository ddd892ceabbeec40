package dev.millrace.api.oep;

/** A named row type of an application. Immutable, thread-safe. */
public interface EventType
{
    /**
     * Returns the name.
     *
     * @return name as declared
     */
    String getTypeName();

    /**
     * Returns the names of the properties.
     *
     * @return new array in column order
     */
    String[] getPropertyNames();

    /**
     * Returns the properties.
     *
     * @return new array in column order
     */
    EventProperty[] getProperties();

    /**
     * Finds a property.
     *
     * @param propertyName name, case ignored
     * @return the property, or {@code null}
     */
    EventProperty getProperty(String propertyName);

    /**
     * Creates an event without values.
     *
     * @return a new bean for a type of beans, otherwise a new map, which channels and caches accept as an event of the
     *     type
     * @throws IllegalStateException when the bean cannot be created
     */
    Object createEvent();
}
