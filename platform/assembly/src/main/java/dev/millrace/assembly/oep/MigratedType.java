package dev.millrace.assembly.oep;

import dev.millrace.api.event.EventType;
import dev.millrace.api.oep.EventProperty;
import java.util.LinkedHashMap;
import java.util.List;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;

/** A type of the application in the form of the old API. Immutable. */
final class MigratedType implements dev.millrace.api.oep.EventType
{
    private final EventType type;
    private final List<MigratedProperty> properties;

    MigratedType(final EventType type)
    {
        this.type = type;
        properties = type.properties().stream()
            .map(property -> new MigratedProperty(type.name(), property.name())).toList();
    }

    @Override
    public String getTypeName()
    {
        return type.name();
    }

    @Override
    public String[] getPropertyNames()
    {
        return properties.stream().map(MigratedProperty::name).toArray(String[]::new);
    }

    @Override
    public EventProperty[] getProperties()
    {
        return properties.toArray(EventProperty[]::new);
    }

    @Override
    public EventProperty getProperty(final String propertyName)
    {
        final int column = type.indexOf(propertyName);
        return column < 0 ? null : properties.get(column);
    }

    @Override
    public Object createEvent()
    {
        if (type.beanClass() == null)
        {
            return new LinkedHashMap<String, Object>();
        }
        try
        {
            return BeanUtils.instantiateClass(type.beanClass());
        }
        catch (final BeanInstantiationException e)
        {
            throw new IllegalStateException("the event cannot be created, type=" + type.name() + " class=" +
                type.beanClass().getName() + " reason=" + e.getMessage(), e);
        }
    }
}
