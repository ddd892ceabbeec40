package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * Caches the results of a condition on one string, by the code of the string, while the code refers to the same string.
 *
 * <p>Confined to the engine thread.
 */
public final class StringConditionCache extends StringRepetition
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
     * @param codes  of the unit; from now on they keep unreferenced strings longer
     * @param memory charged for cached results
     */
    public StringConditionCache(final StringTable codes, final MemoryAccount memory)
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
     * The cached result for a string.
     *
     * @param code of the string, {@link StringTable#NULL} for null
     * @return one of the constants
     */
    public byte of(final int code)
    {
        return code < flags.length ? flags[code] : UNKNOWN;
    }

    /**
     * Caches a result.
     *
     * @param code   of the string
     * @param isNull whether it is null
     * @param isTrue whether it is true; ignored for null
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
     * Encodes a result.
     *
     * @param isNull whether it is null
     * @param isTrue whether it is true; ignored for null
     * @return one of the constants
     */
    public static byte flag(final boolean isNull, final boolean isTrue)
    {
        return isNull ? NULL : isTrue ? TRUE : FALSE;
    }
}
