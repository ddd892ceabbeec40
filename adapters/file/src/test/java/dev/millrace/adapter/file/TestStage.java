package dev.millrace.adapter.file;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
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
    /** Is added to the time of the machine. */
    public volatile long clockAheadNs;
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

    /** Numbers the rows of a batch. */
    public static EventBatch numbered(final EventBatch batch, final String producer, final long first)
    {
        final int id = Producers.id(producer);
        for (int row = 0; row < batch.size(); row++)
        {
            batch.useSequences()[row] = RowSequence.of(id, first + row);
        }
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
        switch (batch.schema().type().properties().get(column).type())
        {
            case INT -> batch.ints(column)[row] = (Integer)value;
            case BIGINT, TIMESTAMP, INTERVAL -> batch.longs(column)[row] = (Long)value;
            case FLOAT -> batch.floats(column)[row] = (Float)value;
            case DOUBLE -> batch.doubles(column)[row] = (Double)value;
            case BOOLEAN -> batch.bits(column)[row] = (byte)((Boolean)value ? 1 : 0);
            case CHAR -> batch.texts(column).set(row, (String)value);
            case BIGDECIMAL -> batch.references(column)[row] = new BigDecimal((String)value);
            default -> batch.references(column)[row] = value;
        }
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
        return "file";
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
        return () -> Clock.SYSTEM.epochNs() + clockAheadNs;
    }

    @Override
    public StageConditions conditions()
    {
        return this;
    }
}
