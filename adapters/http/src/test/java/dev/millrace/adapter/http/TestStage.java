package dev.millrace.adapter.http;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The environment of a stage. */
public final class TestStage implements StageContext, StageConditions
{
    public static final EventType TICK = EventType.tuple("Tick", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    public final Map<String, String> raised = new ConcurrentHashMap<>();
    private final List<EventType> types;

    public TestStage(final EventType... types)
    {
        this.types = List.of(types);
    }

    @Override
    public void raise(final String code, final String text)
    {
        raised.put(code, text);
    }

    @Override
    public void clear(final String code)
    {
        raised.remove(code);
    }

    @Override
    public String applicationName()
    {
        return "app";
    }

    @Override
    public String stageId()
    {
        return "http";
    }

    @Override
    public EventTypeRepository eventTypes()
    {
        return new EventTypeRepository()
        {
            @Override
            public EventType eventType(final String name)
            {
                return types.stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
            }

            @Override
            public Collection<EventType> eventTypes()
            {
                return types;
            }
        };
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public StageConditions conditions()
    {
        return this;
    }
}
