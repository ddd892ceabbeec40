package dev.millrace.assembly.oep;

import dev.millrace.api.event.EventType.Kind;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.oep.EventType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The types of the application in the form of the old API. Immutable. */
final class MigratedTypes implements dev.millrace.api.oep.EventTypeRepository
{
    private final EventTypeRepository types;
    private final Map<String, EventType> migrated = new LinkedHashMap<>();

    MigratedTypes(final EventTypeRepository types)
    {
        this.types = types;
        types.eventTypes().forEach(type -> migrated.put(type.name(), new MigratedType(type)));
    }

    @Override
    public EventType getEventType(final String typeName)
    {
        return migrated.get(typeName);
    }

    @Override
    public EventType getEventType(final Object event)
    {
        if (event instanceof TupleEvent tuple)
        {
            return migrated.get(tuple.type().name());
        }
        final List<String> beans = names(type -> type.kind() == Kind.BEAN && type.beanClass() == event.getClass());
        if (!beans.isEmpty())
        {
            return migrated.get(beans.get(0));
        }
        final List<String> maps = names(type -> type.kind() == Kind.MAP);
        return event instanceof Map && maps.size() == 1 ? migrated.get(maps.get(0)) : null;
    }

    private List<String> names(final Predicate<dev.millrace.api.event.EventType> condition)
    {
        return types.eventTypes().stream().filter(condition).map(dev.millrace.api.event.EventType::name).toList();
    }
}
