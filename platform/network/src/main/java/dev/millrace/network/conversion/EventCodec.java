package dev.millrace.network.conversion;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts single events to rows and rows to single events: beans, {@code java.util.Map}s and {@link TupleEvent}s.
 *
 * <p>Immutable and thread-safe. {@link #write} accepts a map or a tuple for any type and a bean for a bean type;
 * {@link #read} creates an object of the type's kind. Numbers are converted if only digits of a fraction are lost; any
 * other value of a wrong type rejects the event. Lengths of char properties are not enforced: a longer string is
 * accepted unchanged.
 */
public final class EventCodec implements EventObjects
{
    private final BatchSchema schema;
    private final List<EventProperty> properties;
    private final BeanAccess bean;

    private EventCodec(final BatchSchema schema)
    {
        this.schema = schema;
        properties = schema.type().properties();
        bean = schema.type().kind() == EventType.Kind.BEAN ? new BeanAccess(schema.type()) : null;
    }

    /**
     * Creates a codec.
     *
     * @param schema schema of the rows
     * @return codec
     */
    public static EventCodec of(final BatchSchema schema)
    {
        return new EventCodec(schema);
    }

    /**
     * Creates a codec for events of an application: beans have the class that this version of the application assigns
     * to their type; the columns are those of the rows.
     *
     * @param schema schema of the rows
     * @param types  event types of the application
     * @return codec
     */
    public static EventCodec of(final BatchSchema schema, final EventTypeRepository types)
    {
        final EventType own = types.eventType(schema.type().name());
        if (own == null || own == schema.type() || !own.properties().equals(schema.type().properties()))
        {
            return of(schema);
        }
        return of(new BatchSchema(own));
    }

    /**
     * Returns the schema of the rows.
     *
     * @return schema
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * Returns the reasons why beans of the type cannot be written to rows.
     *
     * @return lower-case facts, empty when beans can be written
     */
    public List<String> writeProblems()
    {
        return bean == null ? List.of() : bean.getterProblems();
    }

    /**
     * Returns the reasons why beans of the type cannot be created from rows.
     *
     * @return lower-case facts, empty when beans can be created
     */
    public List<String> readProblems()
    {
        return bean == null ? List.of() : bean.setterProblems();
    }

    @Override
    public void write(final Object event, final EventBatch batch, final int row) throws EventRejectedException
    {
        if (event instanceof TupleEvent tuple)
        {
            writeTuple(tuple, batch, row);
        }
        else if (bean != null && schema.type().beanClass().isInstance(event))
        {
            for (int i = 0; i < properties.size(); i++)
            {
                ValueWriter.write(schema.type(), i, bean.get(event, i), batch, row);
            }
        }
        else if (event instanceof Map<?, ?> map)
        {
            for (int i = 0; i < properties.size(); i++)
            {
                ValueWriter.write(schema.type(), i, map.get(properties.get(i).name()), batch, row);
            }
        }
        else
        {
            throw new EventRejectedException("event is not of the channel's type, type=" + schema.type().name() +
                " expected=" + expected() + " actual=" + (event == null ? "null" : event.getClass().getName()));
        }
    }

    private void writeTuple(final TupleEvent tuple, final EventBatch batch, final int row)
        throws EventRejectedException
    {
        final boolean sameType = tuple.type() == schema.type();
        for (int i = 0; i < properties.size(); i++)
        {
            final int column = sameType ? i : tuple.type().indexOf(properties.get(i).name());
            ValueWriter.write(schema.type(), i, column < 0 ? null : tuple.get(column), batch, row);
        }
    }

    private String expected()
    {
        return switch (schema.type().kind())
        {
            case BEAN -> schema.type().beanClass().getName();
            case MAP -> Map.class.getName();
            case TUPLE -> TupleEvent.class.getName();
        };
    }

    @Override
    public Object read(final EventBatch batch, final int row)
    {
        switch (schema.type().kind())
        {
            case BEAN:
                final Object made = bean.create();
                for (int i = 0; i < properties.size(); i++)
                {
                    bean.set(made, i, batch.value(i, row));
                }
                return made;
            case MAP:
                final Map<String, Object> map = new LinkedHashMap<>();
                for (int i = 0; i < properties.size(); i++)
                {
                    map.put(properties.get(i).name(), batch.value(i, row));
                }
                return map;
            default:
                final Object[] values = new Object[properties.size()];
                for (int i = 0; i < values.length; i++)
                {
                    values[i] = batch.value(i, row);
                }
                return new TupleEvent(schema.type(), values);
        }
    }
}
