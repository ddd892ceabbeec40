package dev.millrace.adapter.http.api;

/**
 * A mapper that applications of Oracle Event Processing pass to {@code rest-inbound} and {@code rest-outbound} as the
 * property {@code jsonMapper}, {@code jaxbMapper} or {@code csvMapper}. The property determines the format of bodies;
 * values are mapped by the names of properties. Set by the assembly before the adapter reads it; not thread-safe.
 */
public final class EventMapper
{
    private String format;
    private String eventTypeName;

    private EventMapper()
    {
    }

    /**
     * Creates a mapper, for {@code factory-method="create"} of a bean.
     *
     * @return a new mapper without event type, for any format
     */
    public static EventMapper create()
    {
        return new EventMapper();
    }

    /**
     * Sets the format for which the mapper is configured.
     *
     * @param name {@code json}, {@code jaxb} or {@code csv}, by the configuration element of the mapper
     */
    public void setFormat(final String name)
    {
        format = name;
    }

    /**
     * Returns the format for which the mapper is configured.
     *
     * @return {@code null} for any format
     */
    public String format()
    {
        return format;
    }

    /**
     * Sets the event type that the mapper reads or writes.
     *
     * @param name of an event type of the application
     */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /**
     * Returns the event type that the mapper reads or writes.
     *
     * @return {@code null} for that of the adapter
     */
    public String eventTypeName()
    {
        return eventTypeName;
    }
}
