package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.IncrementalHashTable;
import dev.millrace.cql.runtime.table.SlotInts;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Partitions by their keys: a record of longs and references per partition. The first long contains null flags in its
 * low half, those of the key first; the key is in the following longs and references. Floating-point keys are the bits
 * of their canonical value, and strings are their codes in {@link PartitionKeyStrings}, so that equal longs are equal
 * keys.
 *
 * <p>A key that is one string needs no hash table: the code of the string is an index.
 *
 * <p>Confined to the engine thread. Ownership: as for {@link AttemptSlab}.
 */
public final class PartitionTable
{
    /** No partition. */
    public static final int NONE = -1;

    private static final int INITIAL_SLOTS = 16;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int HASH_FACTOR = 31;
    private static final int HIGH = 32;

    private final AttemptSlab records;
    /** Partitions by the hash of their keys; {@code null} where {@link #ofCodes} has them. */
    private final IncrementalHashTable byHash;
    /** Partition plus one by the code of its string, 0 without one; {@code null} where {@link #byHash} has them. */
    private final SlotInts ofCodes;
    private final PartitionKeyStrings keyStrings;
    private final int keyWords;
    private final int keyReferences;
    private final long keyFlags;
    private final long[] words;
    private final Object[] references;
    private long flags;
    private int limit;
    private long removals;

    /**
     * @param words         longs of a record: flags, the key, others
     * @param references    objects of a record: those of the key, others
     * @param keyWords      longs of the key
     * @param keyReferences objects of the key
     * @param flags         flags of the key
     * @param keyStrings    codes of the strings in keys
     * @param memory        charged for the growth of the table
     */
    PartitionTable(final int words, final int references, final int keyWords, final int keyReferences,
        final int flags, final PartitionKeyStrings keyStrings, final MemoryAccount memory)
    {
        records = new AttemptSlab(words, references, false, memory);
        final boolean isText = keyWords == 1 && keyReferences == 0 && keyStrings.isText(0);
        ofCodes = isText ? new SlotInts(1, 0, memory) : null;
        byHash = isText ? null : new IncrementalHashTable(INITIAL_SLOTS, this::hashOf, memory);
        this.keyStrings = keyStrings;
        this.keyWords = keyWords;
        this.keyReferences = keyReferences;
        keyFlags = (1L << flags) - 1;
        this.words = new long[keyWords];
        this.references = new Object[keyReferences];
    }

    /**
     * Starts a key.
     *
     * @param nulls bit i is set when the i-th of its columns that have a flag is null
     */
    public void key(final long nulls)
    {
        flags = nulls;
    }

    /**
     * Sets a column of the key.
     *
     * @param index among those that are longs
     * @param value 0 for null
     */
    public void key(final int index, final long value)
    {
        words[index] = value;
    }

    /**
     * Sets a column of the key.
     *
     * @param index among those that are objects
     * @param value {@code null} for null
     */
    public void key(final int index, final Object value)
    {
        references[index] = value;
    }

    /**
     * Finds the partition of a key that is one string, which becomes the current key.
     *
     * @param nulls as in {@link #key(long)}
     * @param code  of the string
     * @return id or {@link #NONE}
     */
    public int findByCode(final long nulls, final int code)
    {
        flags = nulls;
        words[0] = code;
        return code < ofCodes.room() ? ofCodes.get(code) - 1 : NONE;
    }

    /**
     * Finds the partition of a key of one long, which becomes the current key.
     *
     * @param nulls as in {@link #key(long)}
     * @param word  as in {@link #key(int, long)}
     * @return id or {@link #NONE}
     */
    public int find(final long nulls, final long word)
    {
        flags = nulls;
        words[0] = word;
        final int hash = spread(nulls * HASH_FACTOR + word);
        final int[] table = byHash.segment(hash);
        final int mask = table.length - 1;
        for (int index = hash & mask; table[index] != 0; index = index + 1 & mask)
        {
            final int partition = table[index] - 1;
            final long[] record = records.chunk(partition);
            final int at = records.at(partition);
            if (record[at + 1] == word && (record[at] & keyFlags) == nulls)
            {
                return partition;
            }
        }
        return NONE;
    }

    /**
     * Finds the partition of the current key.
     *
     * @return id or {@link #NONE}
     */
    public int find()
    {
        final int hash = hash();
        final int[] table = byHash.segment(hash);
        final int mask = table.length - 1;
        for (int index = hash & mask; table[index] != 0; index = index + 1 & mask)
        {
            final int partition = table[index] - 1;
            if (hasKey(partition))
            {
                return partition;
            }
        }
        return NONE;
    }

    /** Whether another partition fits without exceeding the memory limit. */
    boolean hasRoom()
    {
        return records.hasRoom();
    }

    /**
     * Adds a partition with the current key, which must be new.
     *
     * @return id; the first long has the flags of the key, other longs are 0, other references {@code null}
     */
    public int add()
    {
        final int partition = records.add();
        final long[] record = records.chunk(partition);
        final int at = records.at(partition);
        Arrays.fill(record, at, at + recordWords(), 0);
        record[at] = flags;
        System.arraycopy(words, 0, record, at + 1, keyWords);
        for (int i = 0; i < keyReferences; i++)
        {
            records.reference(partition, i, references[i]);
        }
        keyStrings.hold(record, at + 1);
        enter(partition);
        limit = Math.max(limit, partition + 1);
        return partition;
    }

    private void enter(final int partition)
    {
        if (byHash != null)
        {
            byHash.add(hashOf(partition), partition);
            return;
        }
        final int code = code(partition);
        ofCodes.reach(code);
        ofCodes.set(code, partition + 1);
    }

    private int code(final int partition)
    {
        return (int)records.chunk(partition)[records.at(partition) + 1];
    }

    private int recordWords()
    {
        return records.words();
    }

    private boolean hasKey(final int partition)
    {
        final long[] record = records.chunk(partition);
        final int at = records.at(partition);
        for (int i = 0; i < keyWords; i++)
        {
            if (record[at + 1 + i] != words[i])
            {
                return false;
            }
        }
        if ((record[at] & keyFlags) != flags)
        {
            return false;
        }
        for (int i = 0; i < keyReferences; i++)
        {
            if (!areEqual(records.reference(partition, i), references[i]))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean areEqual(final Object a, final Object b)
    {
        return a == b || a != null && b != null && (a instanceof BigDecimal number ?
            number.compareTo((BigDecimal)b) == 0 :
            a instanceof byte[] bytes ? Arrays.equals(bytes, (byte[])b) : a.equals(b));
    }

    private int hash()
    {
        long hash = flags;
        for (int i = 0; i < keyWords; i++)
        {
            hash = hash * HASH_FACTOR + words[i];
        }
        for (int i = 0; i < keyReferences; i++)
        {
            hash = hash * HASH_FACTOR + hash(references[i]);
        }
        return spread(hash);
    }

    private int hashOf(final int partition)
    {
        final long[] record = records.chunk(partition);
        final int at = records.at(partition);
        long hash = record[at] & keyFlags;
        for (int i = 0; i < keyWords; i++)
        {
            hash = hash * HASH_FACTOR + record[at + 1 + i];
        }
        for (int i = 0; i < keyReferences; i++)
        {
            hash = hash * HASH_FACTOR + hash(records.reference(partition, i));
        }
        return spread(hash);
    }

    private static int hash(final Object value)
    {
        return value == null ? 0 : value instanceof BigDecimal number ? number.stripTrailingZeros().hashCode() :
            value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value.hashCode();
    }

    /** The high bits choose a segment of the table, the low ones a slot in it. */
    private static int spread(final long hash)
    {
        final long product = hash * FACTOR;
        return (int)(product ^ product >>> HIGH);
    }

    /** Removes a partition, which must exist. */
    public void remove(final int partition)
    {
        removals++;
        if (byHash == null)
        {
            ofCodes.set(code(partition), 0);
        }
        else
        {
            byHash.remove(hashOf(partition), partition);
        }
        keyStrings.release(records.chunk(partition), records.at(partition) + 1);
        records.free(partition);
    }

    /** Number of removals: results of earlier look-ups stay valid as long as it does not change. */
    public long removals()
    {
        return removals;
    }

    /** The array that contains the longs of a partition; they begin at {@link #at}. */
    public long[] chunk(final int partition)
    {
        return records.chunk(partition);
    }

    /** Index of a partition's first long in its {@link #chunk}. */
    public int at(final int partition)
    {
        return records.at(partition);
    }

    /** An object of a partition; may be {@code null}. */
    public Object reference(final int partition, final int index)
    {
        return records.reference(partition, index);
    }

    /**
     * Sets an object of a partition that is not part of its key.
     *
     * @param value may be {@code null}
     */
    public void reference(final int partition, final int index, final Object value)
    {
        records.reference(partition, index, value);
    }

    /** Number of partitions. */
    public int size()
    {
        return records.size();
    }

    /**
     * The partitions that satisfy a condition.
     *
     * @param test of an id
     * @return ids, in no particular order
     */
    public int[] select(final IntPredicate test)
    {
        final boolean[] isFree = records.freeUpTo(limit);
        return java.util.stream.IntStream.range(0, limit).filter(id -> !isFree[id] && test.test(id)).toArray();
    }

    void write(final StateOutput to)
    {
        records.write(to, keyStrings);
        to.writeCount(limit);
        to.writeLong(removals);
    }

    void read(final StateInput from)
    {
        records.read(from, keyStrings);
        limit = from.readCount();
        removals = from.readLong();
        for (final int partition : select(each -> true))
        {
            enter(partition);
        }
    }
}
