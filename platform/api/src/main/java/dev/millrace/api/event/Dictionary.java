package dev.millrace.api.event;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.TextBytes;
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
 * are compared as one {@code long}, longer ones by hash and bytes, {@link String} objects by the hash that they carry
 * and then as objects, so that one that has been seen costs no reading of its characters. Tables grow part by part: a
 * first appearance never pays for moving everything.
 *
 * <p>Bounded: when {@link #maxEntries()} is reached or the memory account refuses, new strings get {@link #FULL} and
 * the caller rejects the row with a reason of its own.
 */
public final class Dictionary
{
    /** Id of null and of the empty string. */
    public static final int NULL_ID = 0;

    /** Returned instead of an id when there is no room for another entry; reject the row. */
    public static final int FULL = -1;

    /** Bound of a dictionary that is made without one. */
    public static final int DEFAULT_MAX_ENTRIES = 1 << 24;

    private static final VarHandle BYTES_AS_LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HASH_FACTOR = IdTable.FACTOR;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;
    /** A string, headers of two arrays, two references, and its share of a table that is at least a quarter full. */
    private static final int ENTRY_BYTES = 24 + 2 * 16 + 2 * 4 + 64;
    /** Share of a string that is found as an object: of a table that is at least an eighth full. */
    private static final int TEXT_BYTES = 8 * 12;

    private final String domain;
    private final int maxEntries;
    private final MemoryAccount memory;
    /** Its readers need no order of reads: who sees an older one is sent to the lock. */
    private IdTable shortKeys = IdTable.empty(HASH_FACTOR);
    private volatile IdTable longKeys = IdTable.empty(1L);
    /** Strings that were asked for as objects. */
    private volatile TextTable texts = new TextTable();
    /** What strings are still to be moved from; {@code null} when none. */
    private TextTable olderTexts;
    private int textsMoved;
    private volatile Entries entries = new Entries(new String[1][], new byte[1][][]);
    private volatile int size;

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
        this(domain, maxEntries, MemoryAccount.NONE);
    }

    /**
     * Makes an empty dictionary.
     *
     * @param domain     name for messages and metrics
     * @param maxEntries greatest number of different strings, at least 1
     * @param memory     asked before each entry, under the dictionary's lock
     */
    public Dictionary(final String domain, final int maxEntries, final MemoryAccount memory)
    {
        if (maxEntries < 1)
        {
            throw new IllegalArgumentException("maxEntries must be at least 1, domain=" + domain);
        }
        this.domain = domain;
        this.maxEntries = maxEntries;
        this.memory = memory;
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
        final int id = findShort(key);
        return id != NULL_ID || key == 0 ? id : addShort(key);
    }

    /**
     * The id of a string; a new one is taken in. Allocates nothing when the string was asked for before, and is
     * fastest when it is the very object that was asked for then.
     *
     * @param string may be {@code null}
     * @return its id, {@link #NULL_ID} for {@code null} and the empty string, or {@link #FULL}
     */
    public int idOf(final String string)
    {
        if (string == null)
        {
            return NULL_ID;
        }
        final int id = texts.find(string);
        return id != NULL_ID ? id : string.isEmpty() ? NULL_ID : addText(string);
    }

    /**
     * The id of a string given as UTF-8 bytes, which is not taken in.
     *
     * @param head   its first eight bytes, the first one lowest, 0 behind its end
     * @param bytes  holds the string
     * @param offset of its first byte
     * @param length in bytes, at least 1
     * @return its id, {@link #NULL_ID} when it has none
     */
    int find(final long head, final byte[] bytes, final int offset, final int length)
    {
        return TextBytes.isHead(head, length) ? findShort(head) :
            findLong(hash(bytes, offset, length), bytes, offset, length);
    }

    /**
     * The id of a string, which is not taken in.
     *
     * @param string may be {@code null}
     * @return its id, {@link #NULL_ID} for {@code null}, the empty string and when it has none
     */
    int find(final String string)
    {
        if (string == null || string.isEmpty())
        {
            return NULL_ID;
        }
        final int id = texts.find(string);
        if (id != NULL_ID)
        {
            return id;
        }
        final byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        return find(TextBytes.head(bytes, 0, bytes.length), bytes, 0, bytes.length);
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
        final IdTable table = longKeys.partOf(hash);
        int index = table.start(hash);
        while (true)
        {
            final int id = table.id(index);
            if (id == 0)
            {
                return NULL_ID;
            }
            if (table.key(index) == hash)
            {
                final byte[] known = entries.bytes[id >> CHUNK_BITS][id & (CHUNK_SIZE - 1)];
                if (Arrays.equals(known, 0, known.length, bytes, offset, offset + length))
                {
                    return id;
                }
            }
            index = table.next(index);
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
            shortKeys = shortKeys.insert(key, id);
        }
        return id;
    }

    private int findShort(final long key)
    {
        final long hash = key * HASH_FACTOR;
        return shortKeys.partOf(hash).find(hash, key);
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
            longKeys = longKeys.insert(hash, id);
        }
        return id;
    }

    /**
     * The id of a string by its bytes; then it can be found as an object, too. The object is kept: whoever codes the
     * same objects again and again then has them compared as references. A string that UTF-8 cannot carry (half of a
     * surrogate pair) has the id of what it is written as, and is not kept.
     */
    private synchronized int addText(final String string)
    {
        if (olderTexts != null)
        {
            moveTexts();
        }
        final int known = texts.find(string);
        if (known != NULL_ID)
        {
            return known;
        }
        final byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        final int id = idOf(bytes, 0, bytes.length);
        if (id == FULL)
        {
            return FULL;
        }
        final String[] chunk = entries.strings[id >> CHUNK_BITS];
        final int place = id & (CHUNK_SIZE - 1);
        if (chunk[place].equals(string))
        {
            chunk[place] = string;
            addText(string, id);
        }
        return id;
    }

    private void addText(final String string, final int id)
    {
        if (texts.isCrowded() && olderTexts == null)
        {
            olderTexts = texts;
            textsMoved = 0;
            texts = texts.larger();
        }
        memory.charge(TEXT_BYTES);
        texts.insert(string, id);
    }

    private void moveTexts()
    {
        textsMoved = olderTexts.moveSlice(textsMoved, texts);
        if (textsMoved == olderTexts.places())
        {
            olderTexts = null;
        }
    }

    private int addEntry(final byte[] bytes)
    {
        final int id = size + 1;
        if (id > maxEntries || !memory.reserve(ENTRY_BYTES + 2L * (bytes.length + 7 & -8)))
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
