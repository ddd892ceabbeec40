package dev.millrace.api.string;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Strings as UTF-8 bytes: their first eight bytes as one word (the <em>head</em>), their hash and their order.
 * Thread-safe.
 *
 * <p>Hashes depend on a random number of the process, so an attacker cannot send strings that collide. Hashes other
 * than stable ones are meaningless outside the process.
 */
public final class Utf8
{
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final long SEED = new SecureRandom().nextLong();

    private Utf8()
    {
    }

    /**
     * Returns the first eight bytes of a string, the first one lowest; bytes after its end are 0.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes, not negative
     * @return head, 0 for an empty string
     */
    public static long head(final byte[] bytes, final int at, final int length)
    {
        if (at + Long.BYTES <= bytes.length)
        {
            final long word = (long)LONG.get(bytes, at);
            return length >= Long.BYTES ? word : length == 0 ? 0 : word & -1L >>> (-length << 3);
        }
        long head = 0;
        for (int i = Math.min(Long.BYTES, length) - 1; i >= 0; i--)
        {
            head = head << 8 | bytes[at + i] & 0xFF;
        }
        return head;
    }

    /**
     * Whether the head represents the whole string: one to eight bytes, the last one not 0.
     *
     * @param head   of the string
     * @param length in bytes
     * @return true when strings of equal heads are equal
     */
    public static boolean isHead(final long head, final int length)
    {
        return length <= Long.BYTES && head >>> (length - 1 << 3) != 0;
    }

    /**
     * Writes the eight bytes of a head to the start of an array.
     *
     * @param bytes receives them
     * @param head  of a string
     */
    public static void putHead(final byte[] bytes, final long head)
    {
        putLong(bytes, 0, head);
    }

    /**
     * Returns the hash of a string; all bits are equally well distributed.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes, at least 1
     * @return hash, valid in this process only
     */
    public static long hash(final byte[] bytes, final int at, final int length)
    {
        final long head = head(bytes, at, length);
        return isHead(head, length) ? hash(head) : hashOfLong(bytes, at, length);
    }

    /**
     * Returns the hash of a string of up to eight bytes whose last one is not 0.
     *
     * @param head of the string
     * @return the same hash as {@link #hash(byte[], int, int)}
     */
    public static long hash(final long head)
    {
        return mix(head ^ SEED, FACTOR);
    }

    /**
     * Returns the hash code of a string as an object, {@link String#hashCode()}, which is the same in all processes.
     *
     * @param bytes  holds the string
     * @param at     index of its first byte
     * @param length in bytes, not negative
     * @return 0 for an empty string
     */
    public static int stableHash(final byte[] bytes, final int at, final int length)
    {
        int hash = 0;
        int all = 0;
        for (int i = at; i < at + length; i++)
        {
            hash = 31 * hash + bytes[i];
            all |= bytes[i];
        }
        return all >= 0 ? hash : new String(bytes, at, length, StandardCharsets.UTF_8).hashCode();
    }

    private static long hashOfLong(final byte[] bytes, final int at, final int length)
    {
        long hash = length * FACTOR;
        int i = 0;
        for (; i + 2 * Long.BYTES < length; i += 2 * Long.BYTES)
        {
            hash = mix((long)LONG.get(bytes, at + i) ^ SEED, (long)LONG.get(bytes, at + i + Long.BYTES) ^ hash);
        }
        // The last one or two words overlap the previous ones.
        final int last = Math.max(0, length - Long.BYTES);
        return mix(head(bytes, at + Math.min(i, last), length) ^ SEED, head(bytes, at + last, length) ^ hash ^ FACTOR);
    }

    /** XOR of both halves of a 128-bit product. */
    private static long mix(final long left, final long right)
    {
        return left * right ^ Math.multiplyHigh(left, right);
    }

    /**
     * Copies an ASCII string without creating an object.
     *
     * @param text the string
     * @param to   receives its bytes
     * @return its length; -1 when it is not ASCII or too long
     */
    public static int copyAscii(final String text, final byte[] to)
    {
        return copyAscii(text, to, 0);
    }

    /**
     * Copies a string of ASCII characters to an array without creating an object.
     *
     * @param text string to copy
     * @param to   receives its bytes
     * @param at   index of the first byte
     * @return its length; -1 when it contains other characters or is too long: bytes from the index on may then be
     *     overwritten
     */
    public static int copyAscii(final String text, final byte[] to, final int at)
    {
        final int length = text.length();
        if (length > to.length - at)
        {
            return -1;
        }
        // All characters are copied before they are judged: the loop is short and has one end.
        int all = 0;
        for (int i = 0; i < length; i++)
        {
            final char c = text.charAt(i);
            to[at + i] = (byte)c;
            all |= c;
        }
        return all <= Byte.MAX_VALUE ? length : -1;
    }

    /** The head of an ASCII string that is represented by its head; 0 for other strings. */
    static long asciiHead(final String text, final int length)
    {
        if (length > Long.BYTES)
        {
            return 0;
        }
        long head = 0;
        int all = 0;
        for (int i = length - 1; i >= 0; i--)
        {
            final char c = text.charAt(i);
            all |= c;
            head = head << Byte.SIZE | c;
        }
        return all <= Byte.MAX_VALUE && isHead(head, length) ? head : 0;
    }

    /** Compares strings by their heads, as unsigned bytes; 0 when the rest decides. */
    static int compareHeads(final long left, final long right)
    {
        return Long.compareUnsigned(Long.reverseBytes(left), Long.reverseBytes(right));
    }

    /** Compares two strings by their bytes, which is the order of their code points. */
    static int compare(final byte[] left, final int leftAt, final int leftLength, final byte[] right,
        final int rightAt, final int rightLength)
    {
        return Arrays.compareUnsigned(left, leftAt, leftAt + leftLength, right, rightAt, rightAt + rightLength);
    }

    static void putLong(final byte[] bytes, final int at, final long word)
    {
        LONG.set(bytes, at, word);
    }

    static long getLong(final byte[] bytes, final int at)
    {
        return (long)LONG.get(bytes, at);
    }
}
