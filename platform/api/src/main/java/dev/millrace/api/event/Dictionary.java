package dev.millrace.api.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Codes the strings of one column domain as dense ints: 1, 2, 3, ... in order of first appearance; 0 is null.
 *
 * <p>Columns that are compared with each other share one dictionary, so that equality of strings is equality of ints
 * and state can sit in arrays indexed by id. Ids are never reused. The empty string is null (CQL Language Reference
 * 2.6).
 *
 * <p>Threads: look-ups from any thread without lock; a first appearance takes a lock. Keys of at most eight bytes
 * are compared as one {@code long}, longer ones by hash and bytes. The table is kept at most one eighth full while
 * that fits a core's second-level cache, half full above: collisions cost more than the memory while it is small.
 *
 * <p>Bounded: when {@link #maxEntries()} is reached, new strings get {@link #FULL} and the caller rejects the row.
 */
public final class Dictionary
{
    /** Id of null and of the empty string. */
    public static final int NULL_ID = 0;

    /** Returned instead of an id when the dictionary holds its greatest number of entries; reject the row. */
    public static final int FULL = -1;

    /** Bound of a dictionary that is made without one. */
    public static final int DEFAULT_MAX_ENTRIES = 1 << 24;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BYTES_AS_LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_SLOTS = 256;
    /** Slots up to which a table may stay one eighth full: 16 bytes a slot make 512 KiB. */
    private static final int SPARSE_SLOTS = 1 << 15;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;

    private final String domain;
    private final int maxEntries;
    private volatile Table shortKeys = new Table(INITIAL_SLOTS);
    private volatile Table longKeys = new Table(INITIAL_SLOTS);
    private volatile Entries entries = new Entries(new String[1][], new byte[1][][]);
    private volatile int size;

    /** Open addressing, pairs of (key or hash, id); id 0 marks an empty slot. Filled slots never change. */
    private static final class Table
    {
        final long[] pairs;
        final int shift;
        int used;

        Table(final int slots)
        {
            pairs = new long[slots * 2];
            shift = Long.SIZE - Integer.numberOfTrailingZeros(slots);
        }

        boolean isCrowded()
        {
            final int slots = pairs.length / 2;
            return used >= (slots <= SPARSE_SLOTS ? slots / 8 : slots / 2);
        }
    }

    /** What each id stands for, in chunks so that growth copies only the list of chunks. */
    private record Entries(String[][] strings, byte[][][] bytes)
    {
    }

    /**
     * Makes an empty dictionary of the default bound.
     *
     * @param domain name for messages and metrics, for example {@code StockTick.symbol}
     */
    public Dictionary(final String domain)
    {
        this(domain, DEFAULT_MAX_ENTRIES);
    }

    /**
     * Makes an empty dictionary.
     *
     * @param domain     name for messages and metrics
     * @param maxEntries greatest number of different strings, at least 1
     */
    public Dictionary(final String domain, final int maxEntries)
    {
        if (maxEntries < 1)
        {
            throw new IllegalArgumentException("maxEntries must be at least 1, domain=" + domain);
        }
        this.domain = domain;
        this.maxEntries = maxEntries;
    }

    /**
     * The name of the domain.
     *
     * @return name
     */
    public String domain()
    {
        return domain;
    }

    /**
     * The bound.
     *
     * @return greatest number of different strings
     */
    public int maxEntries()
    {
        return maxEntries;
    }

    /**
     * Number of different strings seen; the greatest id.
     *
     * @return 0 when empty
     */
    public int size()
    {
        return size;
    }

    /**
     * The id of a string given as UTF-8 bytes; a new one is taken in.
     *
     * @param bytes  holds the string
     * @param offset of its first byte
     * @param length in bytes; 0 gives {@link #NULL_ID}
     * @return its id, {@link #NULL_ID} or {@link #FULL}
     */
    public int idOf(final byte[] bytes, final int offset, final int length)
    {
        if (length > Long.BYTES)
        {
            return idOfLong(bytes, offset, length);
        }
        if (length <= 0)
        {
            return NULL_ID;
        }
        final long key = pack(bytes, offset, length);
        return key >>> ((length - 1) << 3) == 0 ? idOfLong(bytes, offset, length) : idOfPacked(key);
    }

    /**
     * The id of a string of 1 to 8 bytes that the caller has packed: first byte lowest, unused bytes 0, last byte
     * not 0.
     *
     * @param key packed bytes; 0 gives {@link #NULL_ID}
     * @return its id, {@link #NULL_ID} or {@link #FULL}
     */
    public int idOfPacked(final long key)
    {
        final Table table = shortKeys;
        final long[] pairs = table.pairs;
        final int mask = pairs.length - 1;
        int index = (int)((key * HASH_FACTOR) >>> table.shift) << 1;
        while (true)
        {
            final long id = (long)LONGS.getAcquire(pairs, index + 1);
            if (id == 0)
            {
                return key == 0 ? NULL_ID : addShort(key);
            }
            if (pairs[index] == key)
            {
                return (int)id;
            }
            index = (index + 2) & mask;
        }
    }

    /**
     * The id of a string; a new one is taken in. Off the hot path: it encodes the string.
     *
     * @param string may be {@code null}
     * @return its id, {@link #NULL_ID} for {@code null} and the empty string, or {@link #FULL}
     */
    public int idOf(final String string)
    {
        if (string == null || string.isEmpty())
        {
            return NULL_ID;
        }
        final byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        return idOf(bytes, 0, bytes.length);
    }

    /**
     * The string of an id.
     *
     * @param id from this dictionary
     * @return the string, {@code null} for {@link #NULL_ID}
     * @throws IndexOutOfBoundsException when the id was never given out
     */
    public String string(final int id)
    {
        if (id == NULL_ID)
        {
            return null;
        }
        checkId(id);
        return entries.strings[id >> CHUNK_BITS][id & (CHUNK_SIZE - 1)];
    }

    /**
     * The UTF-8 bytes of an id.
     *
     * @param id from this dictionary, not {@link #NULL_ID}
     * @return the bytes themselves; do not change them
     * @throws IndexOutOfBoundsException when the id was never given out
     */
    public byte[] bytes(final int id)
    {
        checkId(id);
        return entries.bytes[id >> CHUNK_BITS][id & (CHUNK_SIZE - 1)];
    }

    private void checkId(final int id)
    {
        if (id < 1 || id > size)
        {
            throw new IndexOutOfBoundsException("no such id, domain=" + domain + " id=" + id + " size=" + size);
        }
    }

    private static long pack(final byte[] bytes, final int offset, final int length)
    {
        if (offset + Long.BYTES <= bytes.length)
        {
            return (long)BYTES_AS_LONG.get(bytes, offset) & (-1L >>> ((Long.BYTES - length) << 3));
        }
        long key = 0;
        for (int i = length - 1; i >= 0; i--)
        {
            key = key << 8 | bytes[offset + i] & 0xFF;
        }
        return key;
    }

    private int idOfLong(final byte[] bytes, final int offset, final int length)
    {
        final long hash = hash(bytes, offset, length);
        final int id = findLong(hash, bytes, offset, length);
        return id != NULL_ID ? id : addLong(hash, bytes, offset, length);
    }

    private int findLong(final long hash, final byte[] bytes, final int offset, final int length)
    {
        final Table table = longKeys;
        final long[] pairs = table.pairs;
        final int mask = pairs.length - 1;
        int index = (int)(hash >>> table.shift) << 1;
        while (true)
        {
            final long id = (long)LONGS.getAcquire(pairs, index + 1);
            if (id == 0)
            {
                return NULL_ID;
            }
            if (pairs[index] == hash)
            {
                final byte[] known = entries.bytes[(int)id >> CHUNK_BITS][(int)id & (CHUNK_SIZE - 1)];
                if (Arrays.equals(known, 0, known.length, bytes, offset, offset + length))
                {
                    return (int)id;
                }
            }
            index = (index + 2) & mask;
        }
    }

    private static long hash(final byte[] bytes, final int offset, final int length)
    {
        long hash = length * HASH_FACTOR;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            hash = (hash ^ (long)BYTES_AS_LONG.get(bytes, offset + i)) * HASH_FACTOR;
            hash ^= hash >>> 29;
        }
        if (i < length)
        {
            hash = (hash ^ pack(bytes, offset + i, length - i)) * HASH_FACTOR;
            hash ^= hash >>> 29;
        }
        return hash * HASH_FACTOR;
    }

    private synchronized int addShort(final long key)
    {
        final int known = findShort(key);
        if (known != NULL_ID)
        {
            return known;
        }
        final int length = Long.BYTES - Long.numberOfLeadingZeros(key) / Byte.SIZE;
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(key >>> (i << 3));
        }
        final int id = addEntry(bytes);
        if (id != FULL)
        {
            shortKeys = insert(shortKeys, key, id, HASH_FACTOR);
        }
        return id;
    }

    private int findShort(final long key)
    {
        final Table table = shortKeys;
        final int mask = table.pairs.length - 1;
        int index = (int)((key * HASH_FACTOR) >>> table.shift) << 1;
        while (table.pairs[index + 1] != 0)
        {
            if (table.pairs[index] == key)
            {
                return (int)table.pairs[index + 1];
            }
            index = (index + 2) & mask;
        }
        return NULL_ID;
    }

    private synchronized int addLong(final long hash, final byte[] bytes, final int offset, final int length)
    {
        final int known = findLong(hash, bytes, offset, length);
        if (known != NULL_ID)
        {
            return known;
        }
        final int id = addEntry(Arrays.copyOfRange(bytes, offset, offset + length));
        if (id != FULL)
        {
            longKeys = insert(longKeys, hash, id, 1L);
        }
        return id;
    }

    /** Publishes a pair in place, or in a table of twice the size; readers of the old one fall into the locked path. */
    private static Table insert(final Table table, final long key, final int id, final long factor)
    {
        Table target = table;
        if (table.isCrowded())
        {
            target = new Table(table.pairs.length);
            for (int i = 0; i < table.pairs.length; i += 2)
            {
                if (table.pairs[i + 1] != 0)
                {
                    put(target, table.pairs[i], (int)table.pairs[i + 1], factor);
                }
            }
        }
        put(target, key, id, factor);
        return target;
    }

    private static void put(final Table table, final long key, final int id, final long factor)
    {
        final int mask = table.pairs.length - 1;
        int index = (int)((key * factor) >>> table.shift) << 1;
        while (table.pairs[index + 1] != 0)
        {
            index = (index + 2) & mask;
        }
        table.pairs[index] = key;
        LONGS.setRelease(table.pairs, index + 1, (long)id);
        table.used++;
    }

    private int addEntry(final byte[] bytes)
    {
        final int id = size + 1;
        if (id > maxEntries)
        {
            return FULL;
        }
        final int chunk = id >> CHUNK_BITS;
        Entries current = entries;
        if (chunk >= current.strings.length)
        {
            current = new Entries(Arrays.copyOf(current.strings, chunk * 2), Arrays.copyOf(current.bytes, chunk * 2));
        }
        if (current.strings[chunk] == null)
        {
            current.strings[chunk] = new String[CHUNK_SIZE];
            current.bytes[chunk] = new byte[CHUNK_SIZE][];
        }
        current.strings[chunk][id & (CHUNK_SIZE - 1)] = new String(bytes, StandardCharsets.UTF_8);
        current.bytes[chunk][id & (CHUNK_SIZE - 1)] = bytes;
        entries = current;
        size = id;
        return id;
    }

    @Override
    public String toString()
    {
        return "Dictionary[" + domain + " size=" + size + "]";
    }
}
