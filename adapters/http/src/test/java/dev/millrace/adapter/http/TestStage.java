package dev.millrace.adapter.http;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
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

    /** The conversion of the network for {@link #TICK}, without its conversions of numbers. */
    @Override
    public EventObjects objects(final BatchSchema schema)
    {
        return new EventObjects()
        {
            @Override
            public void write(final Object event, final EventBatch batch, final int row) throws EventRejectedException
            {
                if (!(event instanceof final Map<?, ?> map) || !(map.get("id") instanceof final Long id) ||
                    !(map.get("symbol") instanceof final String symbol) ||
                    !(map.get("price") instanceof final Double price))
                {
                    throw new EventRejectedException("event is not of the channel's type, actual=" + event);
                }
                batch.longs(0)[row] = id;
                batch.texts(1).set(row, symbol);
                batch.doubles(2)[row] = price;
            }

            @Override
            public Object read(final EventBatch batch, final int row)
            {
                return Map.of("id", batch.value(0, row), "symbol", batch.value(1, row), "price", batch.value(2, row));
            }
        };
    }

    @Override
    public StageConditions conditions()
    {
        return this;
    }
}
