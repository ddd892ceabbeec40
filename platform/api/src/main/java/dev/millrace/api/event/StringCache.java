package dev.millrace.api.event;

import java.nio.charset.StandardCharsets;

/**
 * Recently created strings, so that a repeated string needs no new object: each hash has one slot, and a new string
 * replaces the previous one. Not thread-safe.
 */
final class StringCache
{
    private static final int PLACE_BITS = 10;

    private final String[] strings = new String[1 << PLACE_BITS];
    private final long[] heads = new long[1 << PLACE_BITS];

    /** The string object for bytes with the given hash and first eight bytes. */
    String string(final long hash, final long head, final byte[] bytes, final int at, final int length)
    {
        final int place = (int)(hash >>> Long.SIZE - PLACE_BITS);
        final String known = strings[place];
        if (known != null && heads[place] == head && is(known, bytes, at, length))
        {
            return known;
        }
        final String made = new String(bytes, at, length, StandardCharsets.UTF_8);
        strings[place] = made;
        heads[place] = head;
        return made;
    }

    /** Whether a string has these bytes; only ASCII strings are compared, others never match. */
    private static boolean is(final String string, final byte[] bytes, final int at, final int length)
    {
        if (string.length() != length)
        {
            return false;
        }
        for (int i = 0; i < length; i++)
        {
            if (string.charAt(i) != bytes[at + i] || bytes[at + i] < 0)
            {
                return false;
            }
        }
        return true;
    }
}
