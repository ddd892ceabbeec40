package dev.millrace.adapter.http.property;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.api.EventMapper;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The mappers of an adapter as set, and their validation. Not thread-safe. */
public final class Mappers
{
    /** Format and event type of a mapper. */
    public enum Format
    {
        /** The property {@code jsonMapper}; in Oracle Event Processing, JAXB mappers support JSON, too. */
        JSON("jsonMapper", List.of("json", "jaxb")),
        /** The property {@code jaxbMapper}. */
        XML("jaxbMapper", List.of("jaxb")),
        /** The property {@code csvMapper}. */
        CSV("csvMapper", List.of("csv"));

        private final String property;
        private final List<String> configured;

        Format(final String property, final List<String> configured)
        {
            this.property = property;
            this.configured = configured;
        }

        /** The instance property. */
        public String property()
        {
            return property;
        }
    }

    private final Map<Format, EventMapper> mappers = new EnumMap<>(Format.class);

    /** Sets the mapper of a format. */
    public void set(final Format format, final EventMapper mapper)
    {
        mappers.put(format, Objects.requireNonNull(mapper, "mapper"));
    }

    /**
     * The formats that have a mapper.
     *
     * @throws IllegalArgumentException if a mapper is configured for another format
     */
    public Set<Format> formats(final PropertyCheck check)
    {
        mappers.forEach((format, mapper) -> check.require(format.property, String.valueOf(mapper.format()),
            mapper.format() == null || format.configured.contains(mapper.format()),
            "configure the mapper in an element " + format.configured.get(0) + "-mapper, or use the property of " +
            "its format"));
        return mappers.keySet();
    }

    /**
     * The event type of the adapter.
     *
     * @param given property of the adapter; {@code null} if it is not set
     * @return the given one or that of the mappers; {@code null} for none
     * @throws IllegalArgumentException if they differ
     */
    public String eventTypeName(final PropertyCheck check, final String given)
    {
        String name = given;
        for (final Map.Entry<Format, EventMapper> each : mappers.entrySet())
        {
            final String mapped = each.getValue().eventTypeName();
            check.require(each.getKey().property, mapped, mapped == null || name == null || mapped.equals(name),
                "use the event type " + name + ", or leave it out");
            name = name == null ? mapped : name;
        }
        return name;
    }
}
