package dev.millrace.adapter.jms;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The environment of a stage, and batches for it. */
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

    /** Ticks with consecutive ids, prices of id / 4 and the symbol S. */
    public static EventBatch ticks(final long first, final int count)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TICK));
        for (int row = 0; row < count; row++)
        {
            batch.longs(0)[row] = first + row;
            batch.texts(1).set(row, "S");
            batch.doubles(2)[row] = (first + row) / 4.0;
        }
        batch.size(count);
        return batch;
    }

    /** Sets a value by its type; null for none. */
    public static void set(final EventBatch batch, final int column, final int row, final Object value)
    {
        if (value == null)
        {
            batch.setNull(column, row);
            return;
        }
        batch.clearNull(column, row);
        switch (batch.schema().type().properties().get(column).type())
        {
            case INT -> batch.ints(column)[row] = (Integer)value;
            case BIGINT, TIMESTAMP, INTERVAL -> batch.longs(column)[row] = (Long)value;
            case FLOAT -> batch.floats(column)[row] = (Float)value;
            case DOUBLE -> batch.doubles(column)[row] = (Double)value;
            case BOOLEAN -> batch.bits(column)[row] = (byte)((Boolean)value ? 1 : 0);
            case CHAR -> batch.texts(column).set(row, (String)value);
            case BIGDECIMAL -> batch.references(column)[row] = (BigDecimal)value;
            default -> batch.references(column)[row] = value;
        }
    }

    /** The conversion of the network, without its conversions of numbers. */
    private static final class Objects implements EventObjects
    {
        @Override
        public void write(final Object event, final EventBatch batch, final int row) throws EventRejectedException
        {
            try
            {
                for (int column = 0; column < batch.schema().type().properties().size(); column++)
                {
                    set(batch, column, row, event instanceof final TupleEvent tuple ? tuple.get(column) :
                        ((Map<?, ?>)event).get(batch.schema().type().properties().get(column).name()));
                }
            }
            catch (final ClassCastException e)
            {
                throw new EventRejectedException(e.getMessage(), e);
            }
        }

        @Override
        public Object read(final EventBatch batch, final int row)
        {
            final Object[] values = new Object[batch.schema().type().properties().size()];
            for (int column = 0; column < values.length; column++)
            {
                values[column] = batch.value(column, row);
            }
            return new TupleEvent(batch.schema().type(), values);
        }
    }

    @Override
    public EventObjects objects(final BatchSchema schema)
    {
        return new Objects();
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
        return "jms";
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
