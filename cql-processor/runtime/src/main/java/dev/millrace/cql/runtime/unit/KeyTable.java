package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Assigns dense ids to keys of one or several longs, with a record of longs per key: the key first, then data of the
 * owner. Ids do not change while their key is alive. The id of a dead key is erased by {@link #sweep}, when no
 * references remain, so that a key that returns before costs nothing.
 *
 * <p>The index of a slot follows from the top bits of the hash; at most half of the slots are used. Therefore the low
 * bits of a slot suffice for id + 1. The others contain the remaining bits of the hash, so that the record of another
 * key is rarely read.
 *
 * <p>Confined to the engine thread.
 */
public abstract class KeyTable implements StateHolder
{
    /** No id: the maximum is reached, or memory is short. */
    public static final int FULL = -1;

    private static final int FEWEST = 64;
    /** From this number of slots on, slots and records of different keys are rarely in the caches. */
    private static final int MANY = 1 << 15;
    private static final int[] NONE = new int[0];

    /** All records, one after another. Replaced when the table grows: read it again after each new key. */
    public long[] records;
    /** Longs per record. */
    protected final int width;
    /** Slots; replaced when they grow. */
    protected int[] slots = new int[FEWEST];
    /** Number of bits by which a hash is shifted to yield a slot. */
    protected int shift = Integer.numberOfLeadingZeros(FEWEST) + 1;
    private final int keyWords;
    private final int maxKeys;
    private final MemoryAccount memory;
    private CodeColumns codes = CodeColumns.NONE;
    private int size;
    private int used;
    private int[] free = new int[16];
    private int freeCount;
    private int[] dead = new int[16];
    private int deadCount;
    /** Ids that were found before the rows of a batch are processed, by row; {@link #FULL} for unknown keys. */
    private int[] ahead = NONE;
    /** How many of them are valid. */
    private int aheadCount;

    /**
     * @param keyWords longs per key
     * @param width    longs per record, including the key
     * @param maxKeys  maximum number of living keys
     * @param memory   checked before the table grows
     */
    protected KeyTable(final int keyWords, final int width, final int maxKeys, final MemoryAccount memory)
    {
        this.memory = memory;
        this.keyWords = keyWords;
        this.width = width;
        this.maxKeys = maxKeys;
        records = new long[FEWEST * width];
    }

    /** Declares which words of keys are codes: they are retained while their key is alive. */
    public final void hold(final CodeColumns of)
    {
        codes = of;
    }

    /**
     * The hash of the key of a record.
     *
     * @param at index of the record
     * @return hash whose top bits are well distributed
     */
    protected abstract int hashAt(int at);

    /** Number of living keys, including dead ones that were not swept. */
    public final int size()
    {
        return size;
    }

    /** One more than the greatest id so far; not all ids are alive. */
    public final int ids()
    {
        return used;
    }

    /**
     * Begins to find the keys of a batch before its rows are processed, so that the cache misses of different rows
     * overlap. The ids are valid until a key is erased.
     *
     * @param count of rows
     * @return false when the table is so small that this does not pay
     */
    public final boolean looksAhead(final int count)
    {
        if (slots.length < MANY)
        {
            return false;
        }
        ahead = ahead.length < count ? new int[Math.max(count, EventBatch.CAPACITY)] : ahead;
        Arrays.fill(ahead, 0, count, FULL);
        aheadCount = count;
        return true;
    }

    /**
     * The id that was found ahead.
     *
     * @param row number of the row in the batch
     * @return id, negative if the key must be looked up
     */
    public final int ahead(final int row)
    {
        return row < aheadCount ? ahead[row] : FULL;
    }

    /** For subclasses: what was found ahead for a row. */
    protected final void found(final int row, final int id)
    {
        ahead[row] = id;
    }

    /**
     * Adds an id whose record is zero except for the key, which the caller writes.
     *
     * @return id, or {@link #FULL}
     */
    protected final int add(final int hash)
    {
        if (size >= maxKeys || freeCount == 0 && memory.isShort() || !reserve())
        {
            return FULL;
        }
        final int id = freeCount > 0 ? free[--freeCount] : used++;
        final int at = id * width;
        Arrays.fill(records, at, at + width, 0);
        put(slots, hash, id);
        size++;
        return id;
    }

    /**
     * For subclasses: the key of a new id is written.
     *
     * @return the same id
     */
    protected final int taken(final int id)
    {
        codes.hold(records, id * width);
        return id;
    }

    /** Ensures capacity for a key; false when memory is too short for longer arrays next to the current ones. */
    private boolean reserve()
    {
        if (freeCount == 0 && (used + 1L) * width > records.length)
        {
            final long bytes = (long)records.length * Long.BYTES;
            if (!memory.reserve(2 * bytes))
            {
                return false;
            }
            records = Arrays.copyOf(records, records.length * 2);
            memory.release(bytes == (long)FEWEST * width * Long.BYTES ? 0 : bytes);
        }
        if (size >= slots.length >>> 1)
        {
            final long bytes = (long)slots.length * Integer.BYTES;
            if (!memory.reserve(2 * bytes))
            {
                return false;
            }
            grow();
            memory.release(bytes == (long)FEWEST * Integer.BYTES ? 0 : bytes);
        }
        return true;
    }

    private void put(final int[] to, final int hash, final int id)
    {
        int slot = hash >>> shift;
        while (to[slot] != 0)
        {
            slot = slot + 1 & to.length - 1;
        }
        to[slot] = tag(hash) | id + 1;
    }

    /** The bits of a hash that a slot contains. */
    protected final int tag(final int hash)
    {
        return hash << Integer.SIZE - shift;
    }

    private void grow()
    {
        final int[] larger = new int[slots.length * 2];
        shift--;
        if (freeCount == 0)
        {
            // All ids have keys, so the records are read sequentially.
            for (int id = 0; id < used; id++)
            {
                put(larger, hashAt(id * width), id);
            }
        }
        else
        {
            for (final int slot : slots)
            {
                if (slot != 0)
                {
                    final int id = (slot & slots.length - 1) - 1;
                    put(larger, hashAt(id * width), id);
                }
            }
        }
        slots = larger;
    }

    /** Records that a key has no more uses; it may return before {@link #sweep}. */
    public final void dies(final int id)
    {
        if (deadCount == dead.length)
        {
            dead = Arrays.copyOf(dead, deadCount * 2);
        }
        dead[deadCount++] = id;
    }

    /**
     * Erases ids that died and have not returned.
     *
     * @param count word of a record that is 0 when its key has no uses; -1 marks erased ids
     * @param stamp word of a record with the number of the last instant in which it changed
     * @param open  number of the open instant; records that changed in it stay
     */
    public final void sweep(final int count, final int stamp, final long open)
    {
        aheadCount = 0;
        int kept = 0;
        for (int i = 0; i < deadCount; i++)
        {
            final int at = dead[i] * width;
            if (records[at + count] == 0 && records[at + stamp] == open)
            {
                dead[kept++] = dead[i];
            }
            else if (records[at + count] == 0)
            {
                erase(dead[i]);
                records[at + count] = -1;
            }
        }
        deadCount = kept;
    }

    /**
     * Erases ids that died and have not returned; there must be no references to them.
     *
     * @param count word of a record that is 0 when its key has no uses; -1 marks erased ids
     */
    public final void sweep(final int count)
    {
        aheadCount = 0;
        for (int i = 0; i < deadCount; i++)
        {
            final int at = dead[i] * width;
            if (records[at + count] == 0)
            {
                erase(dead[i]);
                records[at + count] = -1;
            }
        }
        deadCount = 0;
    }

    /** Moves later entries of the probe run into the gap, as far as they belong before it. */
    private void erase(final int id)
    {
        final int mask = slots.length - 1;
        int gap = hashAt(id * width) >>> shift;
        while ((slots[gap] & mask) != id + 1)
        {
            gap = gap + 1 & mask;
        }
        for (int next = gap + 1 & mask; slots[next] != 0; next = next + 1 & mask)
        {
            final int home = hashAt(((slots[next] & mask) - 1) * width) >>> shift;
            if ((next - home & mask) >= (next - gap & mask))
            {
                slots[gap] = slots[next];
                gap = next;
            }
        }
        slots[gap] = 0;
        codes.release(records, id * width);
        aheadCount = 0;
        size--;
        if (freeCount == free.length)
        {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = id;
    }

    /**
     * Whether the key of a record equals the longs before it was written; for subclasses that compare in a loop.
     *
     * @param at index of the record
     */
    protected final boolean isEqual(final int at, final long[] key)
    {
        for (int i = 0; i < keyWords; i++)
        {
            if (records[at + i] != key[i])
            {
                return false;
            }
        }
        return true;
    }

    /** Which ids are erased. */
    private boolean[] erased()
    {
        final boolean[] erased = new boolean[used];
        for (int i = 0; i < freeCount; i++)
        {
            erased[free[i]] = true;
        }
        return erased;
    }

    @Override
    public final void write(final StateOutput to)
    {
        to.writeCount(used);
        to.writeCount(freeCount);
        to.writeInts(free, 0, freeCount);
        to.writeCount(deadCount);
        to.writeInts(dead, 0, deadCount);
        final boolean[] erased = erased();
        for (int id = 0; id < used; id++)
        {
            // The owner still reads its own words of erased records.
            if (!erased[id])
            {
                codes.write(to, records, id * width, keyWords);
            }
            to.writeLongs(records, id * width + keyWords, width - keyWords);
        }
    }

    @Override
    public final void read(final StateInput from)
    {
        used = from.readCount();
        freeCount = StateInput.checked(from.readSize(Integer.BYTES), used + 1, "free");
        free = new int[Math.max(free.length, freeCount)];
        from.readInts(free, 0, freeCount);
        deadCount = from.readSize(Integer.BYTES);
        dead = new int[Math.max(dead.length, deadCount)];
        from.readInts(dead, 0, deadCount);
        if (!from.has((long)used * (width - keyWords) * Long.BYTES))
        {
            throw StateInput.senseless("keys=" + used);
        }
        size = used - freeCount;
        reach();
        final boolean[] erased = erased();
        for (int id = 0; id < used; id++)
        {
            if (!erased[id])
            {
                codes.read(from, records, id * width, keyWords);
                put(slots, hashAt(id * width), id);
            }
            from.readLongs(records, id * width + keyWords, width - keyWords);
        }
    }

    /** Grows arrays to the length that the keys need; they are charged as for other growth. */
    private void reach()
    {
        int length = records.length;
        while (length < (long)used * width)
        {
            length *= 2;
        }
        memory.charge(length > records.length ? (long)length * Long.BYTES : 0);
        records = new long[length];
        int capacity = slots.length;
        while (used > capacity >>> 1)
        {
            capacity *= 2;
            shift--;
        }
        memory.charge(capacity > slots.length ? (long)capacity * Integer.BYTES : 0);
        slots = new int[capacity];
    }
}
