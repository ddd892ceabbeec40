package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * What a condition on one string has given: by the code of the string, while that serves the same string.
 *
 * <p>Threads: the engine's.
 */
public final class TextFlags extends TextRepeats
{
    /** Not computed yet. */
    public static final byte UNKNOWN = 0;
    /** Null. */
    public static final byte NULL = 1;
    /** False. */
    public static final byte FALSE = 2;
    /** True. */
    public static final byte TRUE = 3;

    private static final int FEWEST = 64;

    private final MemoryAccount memory;
    private byte[] flags = new byte[FEWEST];

    /**
     * Remembers nothing yet.
     *
     * @param codes  of the unit, in which strings without holder wait longer from now on
     * @param memory is charged what is remembered
     */
    public TextFlags(final Codes codes, final MemoryAccount memory)
    {
        this.memory = memory;
        codes.waitLonger();
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < flags.length)
        {
            flags[code] = UNKNOWN;
        }
    }

    /**
     * What the condition has given for a string.
     *
     * @param code of the string, {@link Codes#NULL} for null
     * @return one of the constants
     */
    public byte of(final int code)
    {
        return code < flags.length ? flags[code] : UNKNOWN;
    }

    /**
     * Remembers what the condition gives.
     *
     * @param code   of the string
     * @param isNull whether it is null
     * @param isTrue whether it is true; anything for null
     * @return one of the constants
     */
    public byte put(final int code, final boolean isNull, final boolean isTrue)
    {
        missed();
        if (code >= flags.length)
        {
            final int length = Math.max(code + 1, flags.length * 2);
            memory.charge(length - flags.length);
            flags = Arrays.copyOf(flags, length);
        }
        flags[code] = flag(isNull, isTrue);
        return flags[code];
    }

    /**
     * What a condition has given.
     *
     * @param isNull whether it is null
     * @param isTrue whether it is true; anything for null
     * @return one of the constants
     */
    public static byte flag(final boolean isNull, final boolean isTrue)
    {
        return isNull ? NULL : isTrue ? TRUE : FALSE;
    }
}
