package dev.millrace.network.durable;

import dev.millrace.api.event.CharColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Fingerprints of keys, 128 bits: two different keys have the same fingerprint with a probability of about
 * 2<sup>-120</sup>. Those of a process depend on its random numbers, so an attacker cannot search for collisions; those
 * that are stored are the first half of SHA-256, which takes several times as long.
 *
 * <p>Not thread-safe. The buffer keeps the size of the longest key so far, at most {@value #MOST_KEPT} bytes.
 */
final class KeyFingerprints
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

    /** Computes the same fingerprints in every process; {@code null} if they depend on this one. */
    private final MessageDigest digest;
    private final byte[] hash = new byte[32];
    private byte[] bytes = new byte[Byte.MAX_VALUE + 1];
    private int length;
    private long first;
    private long second;

    /** @param isStored whether they must be the same in every process */
    KeyFingerprints(final boolean isStored)
    {
        digest = isStored ? sha256() : null;
    }

    private static MessageDigest sha256()
    {
        try
        {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (final NoSuchAlgorithmException impossible)
        {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Begins a key. */
    void begin()
    {
        length = 0;
    }

    /** Adds a number of the key; numbers precede strings. */
    void add(final long value)
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
    void add(final CharColumn texts, final int row)
    {
        reserve(texts.maxLength(row) + Integer.BYTES);
        final int added = texts.copy(row, bytes, length);
        length += added;
        // The length after each string distinguishes ("ab", "c") from ("a", "bc").
        INT.set(bytes, length, added);
        length += Integer.BYTES;
    }

    /** Ends a key: computes its fingerprint. */
    void end()
    {
        if (digest == null)
        {
            mixAll();
        }
        else
        {
            digestAll();
        }
        if (bytes.length > MOST_KEPT)
        {
            bytes = new byte[MOST_KEPT];
        }
    }

    private void digestAll()
    {
        try
        {
            digest.update(bytes, 0, length);
            digest.digest(hash, 0, hash.length);
        }
        catch (final DigestException impossible)
        {
            throw new IllegalStateException("the buffer has the length of the hash", impossible);
        }
        first = (long)LONG.get(hash, 0);
        second = (long)LONG.get(hash, Long.BYTES);
    }

    private void mixAll()
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
    }

    /** The first half of the fingerprint of the key that was ended last. */
    long first()
    {
        return first;
    }

    /** The second half of that fingerprint. */
    long second()
    {
        return second;
    }

    /** XOR of both halves of a 128-bit product. */
    private static long mix(final long left, final long right)
    {
        return left * right ^ Math.multiplyHigh(left, right);
    }
}
