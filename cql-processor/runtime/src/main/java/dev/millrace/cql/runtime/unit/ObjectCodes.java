package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Maps objects that the state of a unit refers to to dense ints: equal values have one code, decimals regardless of
 * their scale; 0 is null. State retains a code once for each reference; a code that nothing retains at the end of a
 * batch is later assigned to another object.
 *
 * <p>Confined to the engine thread. Bounded by the rows that refer to objects; each object is charged.
 */
public final class ObjectCodes
{
    /** Code of null. */
    public static final int NULL = 0;

    private static final int FEWEST = 16;
    private static final int SPREAD = 0x9E3779B9;
    private static final int SPREAD_SHIFT = 15;
    /** Bytes per object: the object, its record and its share of the table. */
    private static final long OBJECT_BYTES = 96;

    private final MemoryAccount memory;
    private Object[] objects = new Object[FEWEST];
    private int[] hashes = new int[FEWEST];
    private int[] holders = new int[FEWEST];
    /** Codes, in at least twice as many slots as codes; 0 marks a free slot. */
    private int[] slots = new int[2 * FEWEST];
    private int limit = 1;
    private int size;
    private int[] free = new int[FEWEST];
    private int freeCount;
    /** Codes that may be without references at the end of the batch. */
    private int[] open = new int[FEWEST];
    private int openCount;

    /**
     * @param memory charged for each object; while it is short, no objects are added
     */
    public ObjectCodes(final MemoryAccount memory)
    {
        this.memory = memory;
    }

    /** Number of objects that have codes. */
    public int size()
    {
        return size;
    }

    private static int hash(final Object object)
    {
        final int hash = object instanceof final BigDecimal decimal ? decimal.stripTrailingZeros().hashCode() :
            object instanceof final byte[] bytes ? Arrays.hashCode(bytes) : object.hashCode();
        final int spread = hash * SPREAD;
        return spread ^ spread >>> SPREAD_SHIFT;
    }

    /**
     * The code of an object; valid until the end of the batch unless state retains it.
     *
     * @param object may be {@code null}; its value equals that of no object of another type
     * @return code, {@link #NULL} for null
     * @throws RowRejectedException when there is no memory for another object
     */
    public int code(final Object object)
    {
        if (object == null)
        {
            return NULL;
        }
        final int found = find(object);
        return found != NULL ? found : add(object, hash(object));
    }

    private int find(final Object object)
    {
        final int hash = hash(object);
        int slot = hash & slots.length - 1;
        while (slots[slot] != NULL)
        {
            final int code = slots[slot];
            if (hashes[code] == hash && isEqual(objects[code], object))
            {
                return code;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return NULL;
    }

    /** Compares objects of several types, since columns of several types share the table. */
    private static boolean isEqual(final Object a, final Object b)
    {
        return a instanceof BigDecimal ? b instanceof BigDecimal && Values.isSame(a, b) :
            a instanceof byte[] ? b instanceof byte[] && Values.isSame(a, b) : a.equals(b);
    }

    private int add(final Object object, final int hash)
    {
        if (memory.isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        return take(object, hash);
    }

    private int take(final Object object, final int hash)
    {
        final int code = freeCount > 0 ? free[--freeCount] : limit++;
        if (code == objects.length)
        {
            objects = Arrays.copyOf(objects, code * 2);
            hashes = Arrays.copyOf(hashes, code * 2);
            holders = Arrays.copyOf(holders, code * 2);
        }
        objects[code] = object;
        hashes[code] = hash;
        holders[code] = 0;
        size++;
        memory.charge(bytes(object));
        if (2 * size > slots.length)
        {
            grow();
        }
        put(code);
        lacksHolder(code);
        return code;
    }

    private static long bytes(final Object object)
    {
        return OBJECT_BYTES + (object instanceof final byte[] bytes ? bytes.length :
            object instanceof final String string ? string.length() : 0);
    }

    private void put(final int code)
    {
        int slot = hashes[code] & slots.length - 1;
        while (slots[slot] != NULL)
        {
            slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = code;
    }

    private void grow()
    {
        final int[] before = slots;
        slots = new int[before.length * 2];
        for (final int code : before)
        {
            if (code != NULL)
            {
                put(code);
            }
        }
    }

    private void lacksHolder(final int code)
    {
        if (openCount == open.length)
        {
            open = Arrays.copyOf(open, openCount * 2);
        }
        open[openCount++] = code;
    }

    /**
     * The object of a code.
     *
     * @param code in use or {@link #NULL}
     * @return {@code null} for {@link #NULL}
     */
    public Object of(final int code)
    {
        return objects[code];
    }

    /**
     * Increments the reference count of a code.
     *
     * @param code in use; {@link #NULL} has no effect
     */
    public void hold(final int code)
    {
        if (code != NULL)
        {
            holders[code]++;
        }
    }

    /**
     * Decrements the reference count of a code.
     *
     * @param code that is retained; {@link #NULL} has no effect
     * @throws IllegalStateException when the code is not retained
     */
    public void release(final int code)
    {
        if (code == NULL)
        {
            return;
        }
        if (holders[code] == 0)
        {
            throw new IllegalStateException("this code is not retained, please report this: code=" + code);
        }
        if (--holders[code] == 0)
        {
            lacksHolder(code);
        }
    }

    /** Frees the codes that nothing retains. */
    public void endOfBatch()
    {
        for (int i = 0; i < openCount; i++)
        {
            final int code = open[i];
            if (holders[code] == 0 && objects[code] != null)
            {
                giveBack(code);
            }
        }
        openCount = 0;
    }

    private void giveBack(final int code)
    {
        final int mask = slots.length - 1;
        int gap = hashes[code] & mask;
        while (slots[gap] != code)
        {
            gap = gap + 1 & mask;
        }
        for (int next = gap + 1 & mask; slots[next] != NULL; next = next + 1 & mask)
        {
            final int home = hashes[slots[next]] & mask;
            if ((next - home & mask) >= (next - gap & mask))
            {
                slots[gap] = slots[next];
                gap = next;
            }
        }
        slots[gap] = NULL;
        memory.release(bytes(objects[code]));
        objects[code] = null;
        size--;
        if (freeCount == free.length)
        {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = code;
    }

    /**
     * Compares the objects of two codes: decimals by value, bytes as unsigned numbers.
     *
     * @param code  in use
     * @param other in use
     * @return negative, 0 or positive; for values without an order, 0 only when they are equal
     */
    public int compare(final int code, final int other)
    {
        if (code == other)
        {
            return 0;
        }
        final Object object = objects[code];
        return object instanceof final BigDecimal decimal ? decimal.compareTo((BigDecimal)objects[other]) :
            object instanceof final byte[] bytes ? Arrays.compare(bytes, (byte[])objects[other]) : 1;
    }

    /**
     * Writes an object.
     *
     * @param code in use or {@link #NULL}
     */
    void write(final StateOutput to, final int code)
    {
        to.writeValue(objects[code]);
    }

    /**
     * Reads an object, which gets a code even while memory is short.
     *
     * @return code; valid until the end of the batch unless state retains it
     */
    int readCode(final StateInput from)
    {
        final Object object = from.readValue();
        final int found = object == null ? NULL : find(object);
        return object == null || found != NULL ? found : take(object, hash(object));
    }
}
