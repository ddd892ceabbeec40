package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * Caches the results of an expression that maps one string to a number: by the code of the string, while it refers to
 * the same string.
 *
 * <p>Confined to the engine thread.
 */
public final class StringNumberCache extends StringRepetition
{
    private static final byte UNKNOWN = 0;
    private static final byte NULL = 1;
    private static final byte VALUE = 2;
    private static final int FEWEST = 16;

    private final MemoryAccount memory;
    private byte[] states = new byte[FEWEST];
    private long[] values = new long[FEWEST];
    private boolean wasNull;
    private long last;

    /**
     * @param codes  of the unit; from now on they keep unreferenced strings longer
     * @param memory charged for cached results
     */
    public StringNumberCache(final StringTable codes, final MemoryAccount memory)
    {
        this.memory = memory;
        codes.waitLonger();
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < states.length)
        {
            states[code] = UNKNOWN;
        }
    }

    /**
     * Whether the value for a string is cached; otherwise it must be computed.
     *
     * @param code of the string, {@link StringTable#NULL} for null
     */
    public boolean has(final int code)
    {
        return code < states.length && states[code] != UNKNOWN;
    }

    /**
     * Whether the value for a string is null.
     *
     * @param code of a string whose value is cached
     */
    public boolean isNull(final int code)
    {
        return states[code] == NULL;
    }

    /**
     * The value for a string.
     *
     * @param code of a string whose value is cached and not null
     * @return integers as they are, floating-point numbers as the bits of a double
     */
    public long value(final int code)
    {
        return values[code];
    }

    /**
     * Caches a value.
     *
     * @param code   of the string
     * @param isNull whether the value is null
     * @param value  ignored for null
     */
    public void put(final int code, final boolean isNull, final long value)
    {
        missed();
        if (code >= states.length)
        {
            final int length = Math.max(code + 1, states.length * 2);
            memory.charge((length - states.length) * (1L + Long.BYTES));
            states = Arrays.copyOf(states, length);
            values = Arrays.copyOf(values, length);
        }
        states[code] = isNull ? NULL : VALUE;
        values[code] = value;
    }

    /**
     * Sets the last value without caching it.
     *
     * @param isNull whether the value is null
     * @param value  ignored for null
     */
    public void computed(final boolean isNull, final long value)
    {
        wasNull = isNull;
        last = value;
    }

    /** Whether the last value is null. */
    public boolean wasNull()
    {
        return wasNull;
    }

    /** The last value, in the form of {@link #value}. */
    public long last()
    {
        return last;
    }
}
