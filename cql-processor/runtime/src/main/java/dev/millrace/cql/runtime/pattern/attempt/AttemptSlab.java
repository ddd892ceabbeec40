package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.SlotLongs;
import dev.millrace.cql.runtime.table.SlotObjects;

/**
 * Records of longs and references, identified by dense ids. Freed records form a chain and are reused. Storage grows by
 * chunks; records never move.
 *
 * <p>Records may be linked to their predecessor: the second long of each then contains the record that it follows in
 * its low half, and a reference count in its high half, which includes the records that follow it. A freed record stays
 * as long as others follow it.
 *
 * <p>Confined to the engine thread. Ownership: the caller that adds a record frees it, and clears its references first.
 */
public final class AttemptSlab
{
    private static final int NONE = -1;
    /** Approximate bytes per string or number that a record refers to. */
    private static final int OBJECT_BYTES = 48;
    /** Index of the long that links a record to its predecessor. */
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
     * @param words      longs per record, at least 1
     * @param references objects per record
     * @param hasHistory whether records are linked to their predecessors
     * @param memory     charged for growth, with an estimate for the objects
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
     * Whether a row may request another record without exceeding the memory limit.
     *
     * @return false while the instance is short of memory and no freed record is available
     */
    public boolean hasRoom()
    {
        return firstFree != NONE || !memory.isShort();
    }

    /**
     * Adds a record without a predecessor.
     *
     * @return its id; its longs are not cleared
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
     * Adds a copy of a record that follows it.
     *
     * @param id of a record, which is retained once more
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
     * The predecessor of a record.
     *
     * @return id, negative for none
     */
    public int previous(final int id)
    {
        return (int)longs.get(id, CHAIN);
    }

    /**
     * Releases a record, and those predecessors that nothing else retains.
     *
     * @param id of an existing record
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

    /** The array that contains the longs of a record; they begin at {@link #at}. */
    public long[] chunk(final int id)
    {
        return longs.chunk(id);
    }

    /** Index of a record's first long in its {@link #chunk}. */
    public int at(final int id)
    {
        return longs.at(id);
    }

    /** An object of a record; {@code null} before it is set. */
    public Object reference(final int id, final int index)
    {
        return objects.get(id * references + index);
    }

    /**
     * Sets an object of a record.
     *
     * @param value may be {@code null}
     */
    public void reference(final int id, final int index, final Object value)
    {
        objects.set(id * references + index, value);
    }

    /**
     * Copies the content and the predecessor of a record.
     *
     * @param to new
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

    /** Which of the first records do not exist. */
    boolean[] freeUpTo(final int limit)
    {
        final boolean[] isFree = new boolean[limit];
        for (int id = firstFree; id != NONE; id = (int)longs.get(id, 0))
        {
            isFree[id] = true;
        }
        return isFree;
    }

    /** Number of records. */
    public int size()
    {
        return size;
    }

    /**
     * Writes all records.
     *
     * @param keyStrings knows which longs are codes; {@code null} if none are
     */
    void write(final StateOutput to, final PartitionKeyStrings keyStrings)
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
                if (keyStrings != null && keyStrings.isText(word - 1))
                {
                    keyStrings.states().write(to, (int)longs.get(id, word));
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
     * @param keyStrings retains the longs that are codes; {@code null} if none are
     */
    void read(final StateInput from, final PartitionKeyStrings keyStrings)
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
        // The first longs of free records form their chain, so that the chain need not be written.
        for (int id = 0; id < used; id++)
        {
            isFree[id] = from.readBoolean();
            readRecord(from, id, isFree[id], keyStrings);
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

    private void readRecord(final StateInput from, final int id, final boolean isFree,
        final PartitionKeyStrings keyStrings)
    {
        if (isFree)
        {
            longs.set(id, 0, from.readLong());
            return;
        }
        for (int word = 0; word < words; word++)
        {
            longs.set(id, word, keyStrings != null && keyStrings.isText(word - 1) ? keyStrings.states().read(from) :
                from.readLong());
        }
        for (int i = 0; i < references; i++)
        {
            reference(id, i, from.readValue());
        }
    }
}
