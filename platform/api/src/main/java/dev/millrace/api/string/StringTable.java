package dev.millrace.api.string;

import dev.millrace.api.memory.MemoryAccount;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Maps the strings that the state of one thread refers to to dense ints: 1, 2, 3, ...; 0 is null and the empty string.
 * State can be stored in arrays indexed by code. A released code is assigned to another string later, so codes must not
 * leave the state and the thread that own the table; only strings may leave.
 *
 * <p>When a code is released depends on the {@link Lifetime} of the table:
 * <ul>
 * <li>{@link Lifetime#OWN}: when the only user of the table calls {@link #remove}, after clearing its arrays;</li>
 * <li>{@link Lifetime#HELD}: several pieces of state use the table. Each {@linkplain #hold holds} a code once, from its
 *     first entry with the code to its last, and must have cleared its arrays when it {@linkplain #release releases}
 *     the code. State in arrays indexed by code need not hold codes: it registers
 *     {@linkplain #keepWhile a predicate of the codes it uses}, and {@linkplain #offer offers} codes that it no longer
 *     uses. Codes that are neither held nor used are released at {@link #endOfBatch}; some wait for a while, because
 *     strings often repeat.</li>
 * </ul>
 *
 * <p>State that only carries a string need not look it up: {@link #apart} returns a code that represents this string
 * alone, even if other strings are equal; the code of a carried string that is stored as an object is negative. Code
 * that compares strings converts such codes to those that equal strings {@linkplain #shared share}.
 *
 * <p>Threads: confined to one thread, also for reading. The number of distinct strings is bounded; their bytes, and
 * carried strings, are only charged to the account. Memory of removed strings is reused and not released, except that
 * of objects and very long strings. Growth copies at most a part of the table at a time.
 */
public final class StringTable
{
    /** Code of null and of the empty string; also returned by {@link #find} for an unknown string. */
    public static final int NULL = 0;

    /** Returned instead of a code when the maximum number of codes is reached; the caller rejects the row. */
    public static final int FULL = -1;

    /** Maximum number of codes that wait without holder. */
    static final int MOST_WAITING = 1 << 12;

    /** The same limit where function results are cached by code, which are more expensive than codes. */
    private static final int MOST_WAITING_LONGER = 1 << 15;
    /** Bytes of long strings above which the standard limit applies. */
    private static final long MOST_WAITING_BYTES = 4 << 20;
    /** Number of held codes above which no code waits. */
    private static final int MOST_HELD_TO_WAIT = 1 << 13;
    /** Number of strings whose slots in the tables are read together. */
    private static final int AHEAD = 64;
    private static final int RECORD_BYTES = 32;
    private static final int SCRATCH_BYTES = 256;
    /** Bytes per string in a table that is between one eighth and half full. */
    private static final int ENTRY_BYTES = 40;
    private static final long HOLDER = 1L << Integer.SIZE;
    private static final long WAITS = 1L << Integer.SIZE - 1;
    /** Set for a carried string, which the tables do not contain. */
    private static final long APART = 1L << Integer.SIZE - 2;
    /** Length of a record whose code is not in use. */
    private static final int FREE = StringRecords.LENGTH_MASK;

    private final StringRecords records = new StringRecords();
    private final ShortStringIndex heads = new ShortStringIndex();
    private final LongStringIndex tags = new LongStringIndex(records);
    private final Lifetime lifetime;
    private final int maxCodes;
    private int limit = 1;
    private int size;
    /** Maximum number of strings in the tables so far; their entries have been charged to the account. */
    private int entries;
    /** The first code to be used again; the next one is in the second word of its record. */
    private int free;
    /** Codes assigned since the end of the last batch; most have a holder by the end of their batch. */
    private final IntQueue fresh = new IntQueue();
    /** Codes without holder, oldest first, each at most once. */
    private final IntQueue waiting = new IntQueue();
    /** Codes of carried strings without holder. */
    private final IntQueue leaving = new IntQueue();
    /** Codes that were released recently and are not reused yet; for tests. */
    private final IntQueue resting = new IntQueue();
    private final int mostResting;
    private boolean waitsLonger;
    private boolean isOwed;
    private final MemoryAccount memory;
    /** Bytes of strings outside the records that have been charged to the account. */
    private long chargedTextBytes;
    /** Called with each released code; {@code null} without listener. */
    private IntConsumer listener;
    /** Tests whether state uses a code that is not held; {@code null} without such state. */
    private IntPredicate keeper;
    /** Codes that are being released, and their hashes. */
    private int[] going = new int[0];
    private long[] goingHashes = new long[0];
    private long touched;
    private final StringEncoder strings = new StringEncoder(this);
    private final byte[] scratch = new byte[SCRATCH_BYTES];
    /** Carried strings that are stored as objects; their codes are negative. */
    private final TextObjects objects;

    /** When a code may be assigned to another string. */
    public enum Lifetime
    {
        /** When the only user removes it. */
        OWN,
        /** When it has no holder. */
        HELD
    }

    /**
     * Creates an empty table.
     *
     * @param lifetime when codes may be reassigned
     * @param maxCodes maximum number of strings at a time, at least 1
     */
    public StringTable(final Lifetime lifetime, final int maxCodes)
    {
        this(lifetime, maxCodes, MemoryAccount.NONE);
    }

    /**
     * Creates an empty table whose memory is charged to an account.
     *
     * @param lifetime when codes may be reassigned
     * @param maxCodes maximum number of strings at a time, at least 1
     * @param memory   is charged for the growth of the table; while it is short, new strings only get released codes
     */
    public StringTable(final Lifetime lifetime, final int maxCodes, final MemoryAccount memory)
    {
        this(lifetime, maxCodes, 0, memory);
    }

    private StringTable(final Lifetime lifetime, final int maxCodes, final int mostResting, final MemoryAccount memory)
    {
        if (maxCodes < 1 || maxCodes == Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("maxCodes must be from 1 to 2^31 - 2, maxCodes=" + maxCodes);
        }
        this.lifetime = lifetime;
        this.maxCodes = maxCodes;
        this.mostResting = mostResting;
        this.memory = memory;
        objects = new TextObjects(mostResting);
    }

    /**
     * Creates an empty table for tests of its users: a released code is reused only after many others, so state that
     * still refers to it finds a code that is not in use and fails. No code waits without holder.
     *
     * @param lifetime    when codes may be reassigned
     * @param maxCodes    maximum number of strings at a time
     * @param mostResting how many released codes are not reused; 0 creates an ordinary table
     * @return table
     */
    public static StringTable withDelayedReuse(final Lifetime lifetime, final int maxCodes, final int mostResting)
    {
        return new StringTable(lifetime, maxCodes, mostResting, MemoryAccount.NONE);
    }

    /**
     * Returns the code of a string; adds a new string.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes; 0 returns {@link #NULL}
     * @return code, {@link #NULL} or {@link #FULL}
     */
    public int code(final byte[] bytes, final int at, final int length)
    {
        final long head = Utf8.head(bytes, at, length);
        return Utf8.isHead(head, length) ? code(head, length) :
            length == 0 ? NULL : code(Utf8.hash(bytes, at, length), bytes, at, length);
    }

    /**
     * Returns the code of a string that must get one because state already refers to it; ignores the bound.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes; 0 returns {@link #NULL}
     * @return code or {@link #NULL}
     */
    public int owed(final byte[] bytes, final int at, final int length)
    {
        isOwed = true;
        final int code = code(bytes, at, length);
        isOwed = false;
        return code;
    }

    /**
     * Returns the code of a string whose hash is known.
     *
     * @param hash   from {@link Utf8#hash(byte[], int, int)}
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes, at least 1
     * @return code or {@link #FULL}
     */
    public int code(final long hash, final byte[] bytes, final int at, final int length)
    {
        final int found = find(hash, bytes, at, length);
        return found != NULL ? found : add(hash, bytes, at, length);
    }

    /**
     * Prepares look-ups of longer strings, which follow: reads what they will read, so that cache misses overlap.
     *
     * @param hashes of strings that their heads do not represent; 0 at the indexes of other strings
     * @param count  how many, from the first one
     */
    public void touch(final long[] hashes, final int count)
    {
        touched += tags.touch(hashes, count);
    }

    /**
     * Returns the code of a string that is represented by its head; adds a new string.
     *
     * @param head   of the string, as defined by {@link Utf8#isHead}
     * @param length in bytes
     * @return code or {@link #FULL}
     */
    public int code(final long head, final int length)
    {
        final long hash = Utf8.hash(head);
        final int found = heads.find(hash, head);
        if (found != NULL)
        {
            return found;
        }
        final int code = newCode();
        if (code != FULL)
        {
            records.put(code, head, length);
            heads.insert(hash, head, code);
        }
        return code;
    }

    /**
     * Returns the code of a string; adds a new string. Recently used objects are found without reading their
     * characters.
     *
     * @param text {@code null} and the empty string return {@link #NULL}
     * @return code, {@link #NULL} or {@link #FULL}
     */
    public int code(final String text)
    {
        return strings.code(text, true);
    }

    /**
     * Gets the codes of many strings; adds new strings.
     *
     * @param values {@code null} is null
     * @param count  how many, from the first one
     * @param codes  receives one code per string, {@link #FULL} where there is no room
     * @return whether all have codes
     */
    public boolean codes(final String[] values, final int count, final int[] codes)
    {
        return strings.codes(values, count, true, codes);
    }

    /**
     * Gets the codes of many strings, without adding any.
     *
     * @param values {@code null} is null
     * @param count  how many, from the first one
     * @param codes  receives one code per string, {@link #NULL} for null and for an unknown string
     */
    public void find(final String[] values, final int count, final int[] codes)
    {
        strings.codes(values, count, false, codes);
    }

    /**
     * Returns the code of a string that is held forever, ignoring the bound: a literal, or a string of a writer of
     * codes.
     *
     * @param text {@code null} and the empty string return {@link #NULL}
     * @return code or {@link #NULL}
     */
    public int literal(final String text)
    {
        final byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        final int code = owed(bytes, 0, bytes.length);
        hold(code);
        return code;
    }

    /**
     * Gets the codes of strings that are represented by their heads, without adding any.
     *
     * @param values heads, 0 for null
     * @param count  how many, from the first one
     * @param codes  receives one code per string, {@link #NULL} for null and for an unknown string
     * @return whether all that are not null have codes
     */
    public boolean findHeads(final long[] values, final int count, final int[] codes)
    {
        return heads.find(values, count, codes);
    }

    /**
     * Returns the code of a string, without adding it.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes
     * @return code, {@link #NULL} when the string is empty or unknown
     */
    public int find(final byte[] bytes, final int at, final int length)
    {
        final long head = Utf8.head(bytes, at, length);
        return Utf8.isHead(head, length) ? heads.find(Utf8.hash(head), head) :
            length == 0 ? NULL : tags.find(Utf8.hash(bytes, at, length), bytes, at, length);
    }

    /**
     * Returns the code of a string whose hash is known, without adding it.
     *
     * @param hash   from {@link Utf8#hash(byte[], int, int)}
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes, at least 1
     * @return code, {@link #NULL} when the string is unknown
     */
    public int find(final long hash, final byte[] bytes, final int at, final int length)
    {
        final long head = Utf8.head(bytes, at, length);
        return Utf8.isHead(head, length) ? heads.find(hash, head) : tags.find(hash, bytes, at, length);
    }

    /**
     * Returns the code of a string, without adding it.
     *
     * @param text may be {@code null}
     * @return code, {@link #NULL} when the string is empty or unknown
     */
    public int find(final String text)
    {
        return strings.code(text, false);
    }

    private int add(final long hash, final byte[] bytes, final int at, final int length)
    {
        final int code = newCode();
        if (code != FULL)
        {
            records.put(code, hash, bytes, at, length);
            chargeTexts();
            if (Utf8.isHead(records.head(code), length))
            {
                heads.insert(hash, records.head(code), code);
            }
            else
            {
                tags.insert(hash, code);
            }
        }
        return code;
    }

    /**
     * {@link Lifetime#HELD}: creates a code for a carried string, which no look-up finds. The table stores the object
     * itself. The caller has ensured that memory is available: the account is charged.
     *
     * @param text   neither {@code null} nor empty
     * @param length of the string in characters; the object itself is not read
     * @return code, which is negative
     */
    public int apart(final String text, final int length)
    {
        checkHeld();
        return objects.add(text, length);
    }

    private void checkHeld()
    {
        if (lifetime != Lifetime.HELD)
        {
            throw new IllegalStateException("carried strings must be held, lifetime=" + lifetime);
        }
    }

    /**
     * {@link Lifetime#HELD}: creates a code for a carried string, which no look-up finds. The caller has ensured that
     * memory is available: the account is charged.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes; 0 returns {@link #NULL}
     * @return code or {@link #NULL}
     */
    public int apart(final byte[] bytes, final int at, final int length)
    {
        if (length == 0)
        {
            return NULL;
        }
        checkHeld();
        final int code = takeCode();
        fresh.add(code);
        records.put(code, 0, bytes, at, length);
        records.chunk(code)[StringRecords.index(code)] |= APART;
        chargeTexts();
        return code;
    }

    private boolean isApart(final int code)
    {
        return code < NULL || (records.chunk(code)[StringRecords.index(code)] & APART) != 0;
    }

    /**
     * Returns the code that all equal strings share. For a carried string it is looked up and, if necessary, created
     * regardless of the maximum.
     *
     * @param code in use or {@link #NULL}
     * @return code that is not that of a carried string, or {@link #NULL}; valid until the end of the batch unless held
     */
    public int shared(final int code)
    {
        if (code == NULL || !isApart(code))
        {
            return code;
        }
        isOwed = true;
        final int shared = strings.code(string(code), true);
        isOwed = false;
        return shared;
    }

    /**
     * Returns the stored object of a carried string.
     *
     * @param code in use or {@link #NULL}
     * @return the object, {@code null} if the string is not stored as an object
     */
    public String object(final int code)
    {
        return code < NULL ? objects.text(code) : null;
    }

    /**
     * Whether two codes represent equal strings, carried or not.
     *
     * @param code  in use or {@link #NULL}
     * @param other in use or {@link #NULL}
     * @return true when they do
     */
    public boolean areEqual(final int code, final int other)
    {
        if (code == other || code == NULL || other == NULL || !isApart(code) && !isApart(other))
        {
            return code == other;
        }
        if (code < NULL || other < NULL)
        {
            return string(code).equals(string(other));
        }
        return length(code) == length(other) && records.compare(code, other) == 0;
    }

    /**
     * Returns a hash that is the same for equal strings, carried or not. It depends on the characters alone.
     *
     * @param code in use or {@link #NULL}
     * @return hash, 0 for null
     */
    public int hash(final int code)
    {
        return code == NULL ? 0 : code < NULL ? objects.text(code).hashCode() : hashAsString(code);
    }

    /** Computes the same value as {@code String.hashCode}. */
    private int hashAsString(final int code)
    {
        final int length = length(code);
        final byte[] bytes = length <= scratch.length ? scratch : new byte[length];
        records.copy(code, bytes, 0);
        int hash = 0;
        for (int i = 0; i < length; i++)
        {
            if (bytes[i] < 0)
            {
                return string(code).hashCode();
            }
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /**
     * Whether new strings get codes, so that strings may be added that may turn out not to be needed.
     *
     * @param more number of strings
     * @return false near the maximum, and while memory is short
     */
    public boolean hasRoom(final int more)
    {
        return size <= maxCodes - more && !memory.isShort();
    }

    private int newCode()
    {
        if (!isOwed && (size == maxCodes || free == NULL && memory.isShort()))
        {
            return FULL;
        }
        final int code = takeCode();
        if (++size > entries)
        {
            entries = size;
            memory.charge(ENTRY_BYTES);
        }
        if (lifetime == Lifetime.HELD)
        {
            fresh.add(code);
        }
        return code;
    }

    private int takeCode()
    {
        int code = free;
        if (code != NULL)
        {
            free = (int)records.head(code);
        }
        else
        {
            code = limit;
            records.reserve(code);
            limit++;
            memory.charge(RECORD_BYTES);
        }
        return code;
    }

    private void chargeTexts()
    {
        final long bytes = textBytes();
        if (bytes > chargedTextBytes)
        {
            memory.charge(bytes - chargedTextBytes);
        }
        else if (bytes < chargedTextBytes)
        {
            memory.release(chargedTextBytes - bytes);
        }
        chargedTextBytes = bytes;
    }

    /**
     * {@link Lifetime#HELD}: a piece of state starts to refer to a code.
     *
     * @param code in use; {@link #NULL} has no effect
     */
    public void hold(final int code)
    {
        if (code > NULL)
        {
            final long[] record = records.chunk(code);
            final int index = StringRecords.index(code);
            check(code, record[index]);
            record[index] += HOLDER;
        }
        else if (code < NULL)
        {
            objects.hold(code);
        }
    }

    /**
     * {@link Lifetime#HELD}: a piece of state no longer refers to a code, and has cleared its entries for it.
     *
     * @param code that it has held; {@link #NULL} has no effect
     * @throws IllegalStateException when the code has no holder
     */
    public void release(final int code)
    {
        if (code <= NULL)
        {
            if (code < NULL)
            {
                objects.release(code);
            }
            return;
        }
        final long[] record = records.chunk(code);
        final int index = StringRecords.index(code);
        final long word = record[index] - HOLDER;
        if (word < 0)
        {
            throw new IllegalStateException("this code has no holder, please report this: code=" + code);
        }
        record[index] = word;
        await(record, index, code);
    }

    /** Queues a code without holder, unless it already waits. */
    private void await(final long[] record, final int index, final int code)
    {
        if (record[index] >>> Integer.SIZE - 1 == 0)
        {
            record[index] |= WAITS;
            ((record[index] & APART) != 0 ? leaving : waiting).add(code);
        }
    }

    /**
     * {@link Lifetime#HELD}: registers state that uses codes without holding them.
     *
     * @param hasState whether the state has an entry for a code; called before a code without holder is released
     */
    public void keepWhile(final IntPredicate hasState)
    {
        keeper = keeper == null ? hasState : keeper.or(hasState);
    }

    /**
     * {@link Lifetime#HELD}: state that does not hold a code no longer has an entry for it.
     *
     * @param code in use; {@link #NULL} has no effect
     */
    public void offer(final int code)
    {
        if (code != NULL)
        {
            await(records.chunk(code), StringRecords.index(code), code);
        }
    }

    /**
     * {@link Lifetime#OWN}: removes a string; its code may be assigned to another string.
     *
     * @param code in use; {@link #NULL} has no effect
     */
    public void remove(final int code)
    {
        if (lifetime != Lifetime.OWN)
        {
            throw new IllegalStateException("only the single owner of a table removes codes, lifetime=" + lifetime);
        }
        if (code != NULL)
        {
            check(code, records.chunk(code)[StringRecords.index(code)]);
            giveBack(code, records.hash(code));
        }
    }

    private static void check(final int code, final long word)
    {
        if (((int)word & FREE) == FREE)
        {
            throw new IllegalStateException("code is not in use, please report this: code=" + code);
        }
    }

    /**
     * {@link Lifetime#HELD}: only state refers to codes now, so codes without holder are released, oldest first. Called
     * between two batches of the thread.
     */
    public void endOfBatch()
    {
        for (int i = fresh.size(); i > 0; i--)
        {
            final int code = fresh.poll();
            final long[] record = records.chunk(code);
            final int index = StringRecords.index(code);
            if ((record[index] & APART) == 0 || record[index] >>> Integer.SIZE == 0)
            {
                await(record, index, code);
            }
        }
        // Waiting costs more than it saves when the table does not fit the caches; near the bound, codes are needed.
        final int mayWait = mayWait();
        settle(waiting, mayWait);
        settle(leaving, 0);
        objects.endOfBatch();
        chargeTexts();
    }

    private int mayWait()
    {
        if (size > maxCodes / 2 || mostResting > 0)
        {
            return 0;
        }
        if (waitsLonger && records.slabBytes() <= MOST_WAITING_BYTES && !memory.isShort())
        {
            return MOST_WAITING_LONGER;
        }
        return size - waiting.size() > MOST_HELD_TO_WAIT ? 0 : MOST_WAITING;
    }

    /**
     * {@link Lifetime#HELD}: more codes may wait without holder from now on, because the values cached for a string
     * cost more than its code. Their number and their bytes stay bounded.
     */
    public void waitLonger()
    {
        waitsLonger = true;
    }

    /**
     * Releases codes, or removes them from the queue because they are held again or state has entries for them. The
     * slots of several codes are read before the first one is released, so that cache misses overlap.
     */
    private void settle(final IntQueue queue, final int remaining)
    {
        while (queue.size() > remaining)
        {
            if (going.length == 0)
            {
                going = new int[AHEAD];
                goingHashes = new long[AHEAD];
            }
            int count = 0;
            for (int i = Math.min(AHEAD, queue.size() - remaining); i > 0; i--)
            {
                going[count] = queue.poll();
                count += goes(going[count]) ? 1 : 0;
            }
            for (int i = 0; i < count; i++)
            {
                goingHashes[i] = isApart(going[i]) ? 0 : records.hash(going[i]);
            }
            touch(goingHashes, count);
            for (int i = 0; i < count; i++)
            {
                giveBack(going[i], goingHashes[i]);
            }
        }
    }

    /** Whether nothing uses a code; otherwise it no longer waits. A released code stays marked: it is queued once. */
    private boolean goes(final int code)
    {
        final long[] record = records.chunk(code);
        final int index = StringRecords.index(code);
        final boolean goes = (record[index] & ~WAITS) >>> Integer.SIZE == 0 && (keeper == null || !keeper.test(code));
        if (!goes)
        {
            record[index] &= ~WAITS;
        }
        return goes;
    }

    /**
     * The code of a string may be assigned to another one.
     *
     * @param hash of the string; not used for a carried string
     */
    private void giveBack(final int code, final long hash)
    {
        if (listener != null)
        {
            listener.accept(code);
        }
        if (!isApart(code))
        {
            strings.remove(code);
            (Utf8.isHead(records.head(code), records.length(code)) ? heads : tags)
                .remove(hash, code);
            size--;
        }
        records.remove(code);
        chargeTexts();
        records.chunk(code)[StringRecords.index(code)] = FREE;
        if (mostResting > 0)
        {
            resting.add(code);
            if (resting.size() <= mostResting)
            {
                return;
            }
            makeFree(resting.poll());
            return;
        }
        makeFree(code);
    }

    private void makeFree(final int code)
    {
        records.chunk(code)[StringRecords.index(code) + 1] = free;
        free = code;
    }

    /**
     * Adds a listener that clears cached values of a code, such as the result of a function of its string.
     *
     * @param further called before a code is released; may release other codes
     */
    public void whenGivenBack(final IntConsumer further)
    {
        listener = listener == null ? further : listener.andThen(further);
    }

    /**
     * Returns the length that arrays of state need: the greatest code so far plus one.
     *
     * @return at least 1
     */
    public int limit()
    {
        return limit;
    }

    /**
     * Returns the number of codes in use, including those that wait, without carried strings.
     *
     * @return at most the bound
     */
    public int size()
    {
        return size;
    }

    /**
     * Returns the bound.
     *
     * @return maximum number of strings at a time
     */
    public int maxCodes()
    {
        return maxCodes;
    }

    /**
     * Returns the memory of strings that do not fit the records; cheap enough to be called often.
     *
     * @return bytes of long strings and of those that are stored as objects
     */
    public long textBytes()
    {
        return records.slabBytes() + objects.bytes();
    }

    /**
     * Returns the memory of the table.
     *
     * @return bytes of its arrays and of the strings
     */
    public long bytes()
    {
        return records.bytes() + objects.bytes() + heads.bytes() + tags.bytes();
    }

    /**
     * Returns the first eight bytes of a string.
     *
     * @param code in use
     * @return head, as computed by {@link Utf8#head}
     */
    public long head(final int code)
    {
        if (code < NULL)
        {
            final byte[] text = utf8(code);
            return Utf8.head(text, 0, text.length);
        }
        return records.head(code);
    }

    /**
     * Returns the length of a string.
     *
     * @param code in use or {@link #NULL}
     * @return in bytes of UTF-8, 0 for null
     */
    public int length(final int code)
    {
        return code == NULL ? 0 : code < NULL ? utf8(code).length : lengthInUse(code);
    }

    private int lengthInUse(final int code)
    {
        final int length = records.length(code);
        check(code, length);
        return length;
    }

    private byte[] utf8(final int code)
    {
        return objects.text(code).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Copies the UTF-8 bytes of a string.
     *
     * @param code in use or {@link #NULL}
     * @param to   receives the bytes; must have room for {@link #length(int)}
     * @param at   index of the first byte
     * @return how many were copied, 0 for null
     */
    public int copy(final int code, final byte[] to, final int at)
    {
        if (code < NULL)
        {
            final byte[] text = utf8(code);
            System.arraycopy(text, 0, to, at, text.length);
            return text.length;
        }
        return length(code) == 0 ? 0 : records.copy(code, to, at);
    }

    /**
     * Returns a string as an object.
     *
     * @param code in use or {@link #NULL}
     * @return the string, {@code null} for null
     */
    public String string(final int code)
    {
        final String object = object(code);
        if (object != null)
        {
            return object;
        }
        final int length = length(code);
        if (length == 0)
        {
            return null;
        }
        final byte[] bytes = new byte[length];
        records.copy(code, bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Compares two strings by code point, which is the order of their UTF-8 bytes.
     *
     * @param code  in use
     * @param other in use
     * @return negative, 0 or positive; 0 when one of them is null, which the caller must handle itself
     */
    public int compare(final int code, final int other)
    {
        if (code < NULL || other < NULL)
        {
            return compareObjects(code, other);
        }
        return code == other || length(code) == 0 || length(other) == 0 ? 0 : records.compare(code, other);
    }

    private int compareObjects(final int code, final int other)
    {
        final byte[] left = new byte[length(code)];
        final byte[] right = new byte[length(other)];
        copy(code, left, 0);
        copy(other, right, 0);
        return left.length == 0 || right.length == 0 ? 0 :
            Utf8.compare(left, 0, left.length, right, 0, right.length);
    }

    @Override
    public String toString()
    {
        return "Codes[" + lifetime + " size=" + size + "]";
    }
}
