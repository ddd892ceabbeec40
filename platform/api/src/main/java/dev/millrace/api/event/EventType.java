package dev.millrace.api.event;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A named row type of a channel. Immutable.
 *
 * <p>The kind determines the objects that user code receives; inside the platform every event is a row of an
 * {@link EventBatch}.
 */
public final class EventType
{
    /** The class of single events in user code. */
    public enum Kind
    {
        /** A JavaBean with a getter and a setter for each property. */
        BEAN,
        /** A {@code java.util.Map} from property name to value. */
        MAP,
        /** A {@link TupleEvent}. */
        TUPLE
    }

    private final String name;
    private final Kind kind;
    private final List<EventProperty> properties;
    private final Class<?> beanClass;

    /**
     * Creates a type.
     *
     * @param name       name, unique in an application
     * @param kind       kind of the objects in user code
     * @param properties the fields in column order, at least one, names unique without case
     * @param beanClass  the class when {@code kind} is {@link Kind#BEAN}, otherwise {@code null}
     * @throws IllegalArgumentException when a property name occurs twice or there is no property
     */
    public EventType(final String name, final Kind kind, final List<EventProperty> properties, final Class<?> beanClass)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.kind = Objects.requireNonNull(kind, "kind");
        this.properties = List.copyOf(properties);
        this.beanClass = beanClass;
        if (this.properties.isEmpty())
        {
            throw new IllegalArgumentException("an event type needs at least one property, type=" + name);
        }
        if ((kind == Kind.BEAN) != (beanClass != null))
        {
            throw new IllegalArgumentException("only a bean type has a class, and it needs one, type=" + name);
        }
        final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (final EventProperty property : this.properties)
        {
            if (!names.add(property.name()))
            {
                throw new IllegalArgumentException(
                    "property declared twice, type=" + name + " property=" + property.name());
            }
        }
    }

    /**
     * Creates a tuple type.
     *
     * @param name       name
     * @param properties fields in column order
     * @return the type
     */
    public static EventType tuple(final String name, final EventProperty... properties)
    {
        return new EventType(name, Kind.TUPLE, List.of(properties), null);
    }

    /**
     * Returns the name.
     *
     * @return name as declared
     */
    public String name()
    {
        return name;
    }

    /**
     * Returns the kind of the objects in user code.
     *
     * @return the kind
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * Returns the fields in column order.
     *
     * @return immutable list
     */
    public List<EventProperty> properties()
    {
        return properties;
    }

    /**
     * Returns the class of a bean type.
     *
     * @return the class, or {@code null} for maps and tuples
     */
    public Class<?> beanClass()
    {
        return beanClass;
    }

    /**
     * Finds a column.
     *
     * @param propertyName name, case ignored
     * @return column index from 0, or -1
     */
    public int indexOf(final String propertyName)
    {
        for (int i = 0; i < properties.size(); i++)
        {
            if (properties.get(i).name().equalsIgnoreCase(propertyName))
            {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString()
    {
        return name + properties;
    }
}
