package dev.millrace.assembly.oep;

import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.oep.EventProperty;
import java.util.Map;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;

/** A property of a migrated type. */
record MigratedProperty(String typeName, String name) implements EventProperty
{
    @Override
    public String getName()
    {
        return name;
    }

    @Override
    public Object getValue(final Object event)
    {
        if (event instanceof TupleEvent tuple)
        {
            return tuple.get(name);
        }
        if (event instanceof Map<?, ?> map)
        {
            return map.get(name);
        }
        try
        {
            return PropertyAccessorFactory.forBeanPropertyAccess(event).getPropertyValue(name);
        }
        catch (final BeansException | IllegalArgumentException e)
        {
            throw refused("the property of the event cannot be read", event, e);
        }
    }

    @Override
    public void setValue(final Object event, final Object value)
    {
        if (event instanceof TupleEvent)
        {
            throw new IllegalArgumentException("tuples cannot be changed, type=" + typeName + " property=" + name +
                "; send a map, or an event of createEvent()");
        }
        if (event instanceof Map<?, ?>)
        {
            @SuppressWarnings("unchecked")
            final Map<String, Object> map = (Map<String, Object>)event;
            map.put(name, value);
            return;
        }
        try
        {
            PropertyAccessorFactory.forBeanPropertyAccess(event).setPropertyValue(name, value);
        }
        catch (final BeansException | IllegalArgumentException e)
        {
            throw refused("the property of the event cannot be set", event, e);
        }
    }

    private IllegalArgumentException refused(final String text, final Object event, final Exception cause)
    {
        return new IllegalArgumentException(text + ", type=" + typeName + " property=" + name + " class=" +
            (event == null ? "null" : event.getClass().getName()) + " reason=" + cause.getMessage(), cause);
    }
}
