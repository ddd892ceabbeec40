package dev.millrace.cql.runtime.state;

import dev.millrace.api.memory.MemoryAccount;
import java.lang.reflect.Array;
import java.lang.reflect.Field;

/**
 * Writes and reads the fields of an instance of a generated class. Uses reflection: each field is accessed only once,
 * and the class needs no code for it.
 *
 * <p>Used once, by the thread of the instance, between batches.
 */
public final class StateFields
{
    /** Bytes of a row in a part that follows a ring: a value and up to three links. */
    private static final int PART_BYTES = 20;

    private final Object instance;
    private final StateSchema shape;
    private final StateStrings strings;

    /**
     * @param strings writes and reads its strings
     */
    public StateFields(final Object instance, final StateSchema shape, final StateStrings strings)
    {
        this.instance = instance;
        this.shape = shape;
        this.strings = strings;
    }

    /**
     * Writes all fields.
     *
     * @throws StateException when one cannot be written
     */
    public void write(final StateOutput to)
    {
        for (final StateField each : shape.fields())
        {
            if (each instanceof final StateField.Plain plain)
            {
                named(plain.name(), () -> write(value(plain.name()), to));
            }
            else
            {
                final StateField.Ring ring = (StateField.Ring)each;
                named(ring.tail(), () -> write(ring, to));
            }
        }
    }

    /**
     * Reads all fields of an instance that is new.
     *
     * @param memory charged for rings that have grown
     * @throws StateException when one is corrupt
     */
    public void read(final StateInput from, final MemoryAccount memory)
    {
        for (final StateField each : shape.fields())
        {
            if (each instanceof final StateField.Plain plain)
            {
                named(plain.name(), () -> read(plain.name(), from));
            }
            else
            {
                final StateField.Ring ring = (StateField.Ring)each;
                named(ring.tail(), () -> read(ring, from, memory));
            }
        }
    }

    /** Adds the name of the field to the message of an exception. */
    private void named(final String field, final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final StateException failure)
        {
            throw new StateException(failure.getMessage() + " query=" + shape.name() + " field=" + field, failure);
        }
        catch (final IndexOutOfBoundsException | NegativeArraySizeException failure)
        {
            throw new StateException("state is corrupt, query=" + shape.name() + " field=" + field, failure);
        }
    }

    private Field field(final String name)
    {
        try
        {
            final Field field = instance.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field;
        }
        catch (final NoSuchFieldException failure)
        {
            throw new IllegalStateException("a generated class lacks a field, please report this with the rules: " +
                "class=" + instance.getClass().getName() + " field=" + name, failure);
        }
    }

    private Object value(final String name)
    {
        try
        {
            return field(name).get(instance);
        }
        catch (final IllegalAccessException impossible)
        {
            throw new IllegalStateException("cannot access a field, field=" + name, impossible);
        }
    }

    private void set(final String name, final Object value)
    {
        try
        {
            field(name).set(instance, value);
        }
        catch (final IllegalAccessException impossible)
        {
            throw new IllegalStateException("cannot access a field, field=" + name, impossible);
        }
    }

    private static void write(final Object value, final StateOutput to)
    {
        if (value instanceof final StateHolder part)
        {
            part.write(to);
        }
        else if (value != null && value.getClass().isArray())
        {
            to.writeCount(Array.getLength(value));
            StateArrays.write(value, 0, Array.getLength(value), to);
        }
        else
        {
            to.writeValue(value);
        }
    }

    private void read(final String name, final StateInput from)
    {
        final Object value = value(name);
        if (value instanceof final StateHolder part)
        {
            part.read(from);
        }
        else if (value != null && value.getClass().isArray())
        {
            final int length = from.readSize(StateArrays.bytes(value));
            final Object array = Array.newInstance(value.getClass().getComponentType(), length);
            StateArrays.read(array, 0, length, from);
            set(name, array);
        }
        else
        {
            final Object read = from.readValue();
            if (read == null || value == null || read.getClass() != value.getClass())
            {
                throw StateInput.senseless("a value has another type");
            }
            set(name, read);
        }
    }

    private static int head(final StateField.Ring ring, final Object head)
    {
        return ring.head().equals(StateField.Ring.ZERO) ? 0 : (Integer)head;
    }

    private Object headValue(final StateField.Ring ring)
    {
        return ring.head().equals(StateField.Ring.ZERO) ? null : value(ring.head());
    }

    private void write(final StateField.Ring ring, final StateOutput to)
    {
        final int head = head(ring, headValue(ring));
        final int tail = (Integer)value(ring.tail());
        to.writeInt(head);
        to.writeInt(tail);
        for (final String name : ring.columns())
        {
            final Object column = value(name);
            if (ring.strings().contains(name))
            {
                final int[] kept = (int[])column;
                for (int position = head; position != tail; position++)
                {
                    strings.write(to, kept[position & kept.length - 1]);
                }
            }
            else
            {
                StateArrays.write(column, head, tail, to);
            }
        }
        ring.parts().forEach(name -> ((RingState)value(name)).write(to, head, tail));
    }

    private void read(final StateField.Ring ring, final StateInput from, final MemoryAccount memory)
    {
        final int head = from.readInt();
        final int tail = from.readInt();
        if (!ring.head().equals(StateField.Ring.ZERO))
        {
            set(ring.head(), head);
        }
        else if (head != 0)
        {
            throw StateInput.senseless("head=" + head);
        }
        set(ring.tail(), tail);
        // A row has at least one byte in each column.
        if (tail - head < 0 || !ring.columns().isEmpty() && !from.has((long)(tail - head) * ring.columns().size()))
        {
            throw StateInput.senseless("rows=" + (tail - head));
        }
        long rowBytes = (long)ring.parts().size() * PART_BYTES;
        final int fewest = Array.getLength(value(ring.columns().get(0)));
        int capacity = fewest;
        while (capacity < tail - head)
        {
            capacity *= 2;
        }
        for (final String name : ring.columns())
        {
            final Object column = Array.newInstance(value(name).getClass().getComponentType(), capacity);
            rowBytes += StateArrays.keptBytes(column);
            if (ring.strings().contains(name))
            {
                final int[] kept = (int[])column;
                for (int position = head; position != tail; position++)
                {
                    kept[position & capacity - 1] = strings.read(from);
                }
            }
            else
            {
                StateArrays.read(column, head, tail, from);
            }
            set(name, column);
        }
        for (final String name : ring.parts())
        {
            ((RingState)value(name)).read(from, head, tail, capacity);
        }
        memory.charge(capacity > fewest ? rowBytes * capacity : 0);
    }
}
