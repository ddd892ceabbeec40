package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * What an expression of one string has given, a number: by the code of the string, while that serves the
 * same string.
 *
 * <p>Threads: the engine's.
 */
public final class TextValues extends TextRepeats
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
     * Remembers nothing yet.
     *
     * @param codes  of the unit, in which strings without holder wait longer from now on
     * @param memory is charged what is remembered
     */
    public TextValues(final Codes codes, final MemoryAccount memory)
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
     * Whether the value for a string is known.
     *
     * @param code of the string, {@link Codes#NULL} for null
     * @return false when it must be computed
     */
    public boolean has(final int code)
    {
        return code < states.length && states[code] != UNKNOWN;
    }

    /**
     * Whether the value for a string is null.
     *
     * @param code of a string whose value is known
     * @return true when null
     */
    public boolean isNull(final int code)
    {
        return states[code] == NULL;
    }

    /**
     * The value for a string.
     *
     * @param code of a string whose value is known and not null
     * @return whole numbers as they are, floating ones as the bits of a double
     */
    public long value(final int code)
    {
        return values[code];
    }

    /**
     * Remembers a value.
     *
     * @param code   of the string
     * @param isNull whether the value is null
     * @param value  anything for null
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
     * Takes a value that is not remembered.
     *
     * @param isNull whether the value is null
     * @param value  anything for null
     */
    public void computed(final boolean isNull, final long value)
    {
        wasNull = isNull;
        last = value;
    }

    /**
     * Whether the value that was taken last is null.
     *
     * @return true when null
     */
    public boolean wasNull()
    {
        return wasNull;
    }

    /**
     * The value that was taken last.
     *
     * @return as {@link #value} gives it
     */
    public long last()
    {
        return last;
    }
}
