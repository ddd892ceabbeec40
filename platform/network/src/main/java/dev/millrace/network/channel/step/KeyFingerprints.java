package dev.millrace.network.channel.step;

import dev.millrace.api.event.CharColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Fingerprints of keys, 128 bits: two different keys have the same fingerprint with a probability of about
 * 2<sup>-120</sup>. They depend on random numbers of the process, so an attacker cannot search for collisions, and they
 * are meaningless outside the process.
 *
 * <p>Not thread-safe. The buffer keeps the size of the longest key so far, at most {@value #MOST_KEPT} bytes.
 */
public final class KeyFingerprints
{
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BLOCK = 2 * Long.BYTES;
    private static final int MOST_KEPT = 1 << 16;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long FIRST = RANDOM.nextLong();
    private static final long FIRST_WORD = RANDOM.nextLong();
    private static final long SECOND = RANDOM.nextLong();
    private static final long SECOND_WORD = RANDOM.nextLong();

    private byte[] bytes = new byte[Byte.MAX_VALUE + 1];
    private int length;
    private long first;
    private long second;

    /** Begins a key. */
    public void begin()
    {
        length = 0;
    }

    /** Adds a number of the key; numbers precede strings. */
    public void add(final long value)
    {
        reserve(Long.BYTES);
        LONG.set(bytes, length, value);
        length += Long.BYTES;
    }

    private void reserve(final int more)
    {
        final int most = length + more + BLOCK;
        if (most > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(most, 2 * bytes.length));
        }
    }

    /** Adds a string of the key. */
    public void add(final CharColumn texts, final int row)
    {
        reserve(texts.maxLength(row) + Integer.BYTES);
        final int added = texts.copy(row, bytes, length);
        length += added;
        // The length after each string distinguishes ("ab", "c") from ("a", "bc").
        INT.set(bytes, length, added);
        length += Integer.BYTES;
    }

    /** Ends a key: computes its fingerprint. */
    public void end()
    {
        Arrays.fill(bytes, length, length + BLOCK, (byte)0);
        long one = FIRST;
        long other = SECOND;
        for (int at = 0; at < length; at += BLOCK)
        {
            final long low = (long)LONG.get(bytes, at);
            final long high = (long)LONG.get(bytes, at + Long.BYTES);
            one = mix(low ^ FIRST_WORD, high ^ one);
            other = mix(high ^ SECOND_WORD, low ^ other);
        }
        first = mix(one ^ length, FIRST_WORD | 1);
        second = mix(other ^ length, SECOND_WORD | 1);
        if (bytes.length > MOST_KEPT)
        {
            bytes = new byte[MOST_KEPT];
        }
    }

    /** The first half of the fingerprint of the key that was ended last. */
    public long first()
    {
        return first;
    }

    /** The second half of that fingerprint. */
    public long second()
    {
        return second;
    }

    /** XOR of both halves of a 128-bit product. */
    private static long mix(final long left, final long right)
    {
        return left * right ^ Math.multiplyHigh(left, right);
    }
}
