package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.SlotLongs;
import dev.millrace.cql.runtime.SlotObjects;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Records of longs and references by dense ids. Freed records are chained and used again. Grows by chunks; records
 * never move.
 *
 * <p>Records may know what went before them: then the second long of each says which record it follows, in its low
 * half, and in its high half how many claim it, those that follow it among them. A record that is freed stays as long
 * as others follow it.
 *
 * <p>Threads: the engine's. Ownership: whoever adds a record frees it, and clears its references before.
 */
public final class AttemptSlab
{
    private static final int NONE = -1;
    /** Of a text or number that a record refers to, roughly. */
    private static final int OBJECT_BYTES = 48;
    /** The long that says which record another one follows. */
    private static final int CHAIN = 1;
    private static final int CLAIM_SHIFT = 32;
    private static final long CLAIM = 1L << CLAIM_SHIFT;
    private static final long LOW = CLAIM - 1;

    private final SlotLongs longs;
    private final SlotObjects<Object> objects;
    private final MemoryAccount memory;
    private final int words;
    private final int references;
    private final boolean hasHistory;
    private int used;
    private int firstFree = NONE;
    private int size;

    /**
     * Makes an empty slab.
     *
     * @param words      longs of a record, at least 1
     * @param references objects of a record
     * @param hasHistory whether records know those before them
     * @param memory     is charged what the slab grows by, with an estimate for the objects
     */
    AttemptSlab(final int words, final int references, final boolean hasHistory, final MemoryAccount memory)
    {
        this.hasHistory = hasHistory;
        this.memory = memory;
        longs = new SlotLongs(words, memory);
        objects = new SlotObjects<>(memory);
        this.words = words;
        this.references = references;
    }

    int words()
    {
        return words;
    }

    /**
     * Whether a row may ask for another record, so that memory need not be overdrawn for it.
     *
     * @return false while the instance is short of memory and no freed record is left
     */
    public boolean hasRoom()
    {
        return firstFree != NONE || !memory.isShort();
    }

    /**
     * Makes a record that follows no other one.
     *
     * @return its id; what it holds is left over
     */
    public int add()
    {
        final int id = take();
        if (hasHistory)
        {
            longs.set(id, CHAIN, CLAIM | LOW);
        }
        return id;
    }

    private int take()
    {
        size++;
        final int id = firstFree;
        if (id != NONE)
        {
            firstFree = (int)longs.get(id, 0);
            return id;
        }
        longs.reach(used);
        if (references > 0)
        {
            objects.reach((used + 1) * references - 1);
            memory.charge((long)references * OBJECT_BYTES);
        }
        return used++;
    }

    /**
     * Makes a record that holds the same as another one and follows it.
     *
     * @param id of a record, which is claimed once more
     * @return id of the new one
     */
    public int follow(final int id)
    {
        final int next = take();
        copyValues(id, next);
        longs.set(id, CHAIN, longs.get(id, CHAIN) + CLAIM);
        longs.set(next, CHAIN, CLAIM | id);
        return next;
    }

    /**
     * The record that a record follows.
     *
     * @param id record, where records know that
     * @return id, negative for none
     */
    public int previous(final int id)
    {
        return (int)longs.get(id, CHAIN);
    }

    /**
     * Frees a record, and those before it that nothing else follows.
     *
     * @param id of a record that is there
     */
    public void free(final int id)
    {
        if (!hasHistory)
        {
            give(id);
            return;
        }
        int each = id;
        while (each != NONE)
        {
            final long chain = longs.get(each, CHAIN) - CLAIM;
            if (chain >>> CLAIM_SHIFT != 0)
            {
                longs.set(each, CHAIN, chain);
                return;
            }
            give(each);
            each = (int)chain;
        }
    }

    private void give(final int id)
    {
        for (int i = 0; i < references; i++)
        {
            objects.set(id * references + i, null);
        }
        longs.set(id, 0, firstFree);
        firstFree = id;
        size--;
    }

    /**
     * The array with the longs of a record.
     *
     * @param id record
     * @return chunk, in which they begin at {@link #at}
     */
    public long[] chunk(final int id)
    {
        return longs.chunk(id);
    }

    /**
     * Where the longs of a record begin.
     *
     * @param id record
     * @return place in its {@link #chunk}
     */
    public int at(final int id)
    {
        return longs.at(id);
    }

    /**
     * An object of a record.
     *
     * @param id    record
     * @param index which
     * @return object, {@code null} before it is set
     */
    public Object reference(final int id, final int index)
    {
        return objects.get(id * references + index);
    }

    /**
     * Sets an object of a record.
     *
     * @param id    record
     * @param index which
     * @param value may be {@code null}
     */
    public void reference(final int id, final int index, final Object value)
    {
        objects.set(id * references + index, value);
    }

    /**
     * Makes two records hold the same, and follow the same one.
     *
     * @param from record
     * @param to   record, fresh
     */
    public void copy(final int from, final int to)
    {
        copyValues(from, to);
        if (hasHistory)
        {
            final int previous = previous(from);
            longs.set(to, CHAIN, CLAIM | previous & LOW);
            if (previous != NONE)
            {
                longs.set(previous, CHAIN, longs.get(previous, CHAIN) + CLAIM);
            }
        }
    }

    private void copyValues(final int from, final int to)
    {
        System.arraycopy(chunk(from), at(from), chunk(to), at(to), words);
        for (int i = 0; i < references; i++)
        {
            reference(to, i, reference(from, i));
        }
    }

    /** Which of the first records are not there. */
    boolean[] freeUpTo(final int limit)
    {
        final boolean[] isFree = new boolean[limit];
        for (int id = firstFree; id != NONE; id = (int)longs.get(id, 0))
        {
            isFree[id] = true;
        }
        return isFree;
    }

    /**
     * Records that are there.
     *
     * @return at least 0
     */
    public int size()
    {
        return size;
    }

    /**
     * Writes all records.
     *
     * @param to    takes them
     * @param texts knows which longs are codes; {@code null} where none is
     */
    void write(final StateOutput to, final KeyTexts texts)
    {
        to.writeCount(used);
        to.writeCount(size);
        to.writeInt(firstFree);
        final boolean[] isFree = freeUpTo(used);
        for (int id = 0; id < used; id++)
        {
            to.writeBoolean(isFree[id]);
            if (isFree[id])
            {
                to.writeLong(longs.get(id, 0));
                continue;
            }
            for (int word = 0; word < words; word++)
            {
                if (texts != null && texts.isText(word - 1))
                {
                    texts.states().write(to, (int)longs.get(id, word));
                }
                else
                {
                    to.writeLong(longs.get(id, word));
                }
            }
            for (int i = 0; i < references; i++)
            {
                to.writeValue(reference(id, i));
            }
        }
    }

    /**
     * Reads all records.
     *
     * @param from  gives them
     * @param texts holds the longs that are codes; {@code null} where none is
     */
    void read(final StateInput from, final KeyTexts texts)
    {
        used = from.readSize(Long.BYTES);
        size = StateInput.checked(from.readCount(), used + 1, "records");
        firstFree = from.readInt();
        if (used == 0)
        {
            return;
        }
        longs.reach(used - 1);
        if (references > 0)
        {
            objects.reach(used * references - 1);
            memory.charge((long)used * references * OBJECT_BYTES);
        }
        final int free = used - size;
        final boolean[] isFree = new boolean[used];
        // The chain of free records is known when their first longs are: they say so themselves.
        for (int id = 0; id < used; id++)
        {
            isFree[id] = from.readBoolean();
            readRecord(from, id, isFree[id], texts);
        }
        int count = 0;
        for (final boolean each : isFree)
        {
            count += each ? 1 : 0;
        }
        if (count != free)
        {
            throw StateInput.senseless("free=" + count + " expected=" + free);
        }
    }

    private void readRecord(final StateInput from, final int id, final boolean isFree, final KeyTexts texts)
    {
        if (isFree)
        {
            longs.set(id, 0, from.readLong());
            return;
        }
        for (int word = 0; word < words; word++)
        {
            longs.set(id, word, texts != null && texts.isText(word - 1) ? texts.states().read(from) : from.readLong());
        }
        for (int i = 0; i < references; i++)
        {
            reference(id, i, from.readValue());
        }
    }
}
