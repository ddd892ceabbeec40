package dev.millrace.cql.runtime;

import dev.millrace.api.event.Dictionary;
import java.util.Arrays;

/** Order of coded strings: by code point, which is the order of their UTF-8 bytes. Safe for all threads. */
public final class CharOrder
{
    private CharOrder()
    {
    }

    /**
     * Compares two strings of one dictionary.
     *
     * @param dictionary domain of both
     * @param left       id
     * @param right      id
     * @return negative, 0 or positive; 0 when one of them is null, which the caller handles by itself
     */
    public static int compare(final Dictionary dictionary, final int left, final int right)
    {
        if (left == right || left == Dictionary.NULL_ID || right == Dictionary.NULL_ID)
        {
            return 0;
        }
        return Arrays.compareUnsigned(dictionary.bytes(left), dictionary.bytes(right));
    }
}
