package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * Texts of codes as objects, for functions and whoever else needs such: made once while a code serves the same text.
 *
 * <p>Threads: the engine's.
 */
public final class CodeStrings
{
    /** Of a text without its characters: an object, an array and a reference. */
    private static final long STRING_BYTES = 48;
    private static final int FEWEST = 16;

    private final Codes codes;
    private final MemoryAccount memory;
    private String[] known = new String[FEWEST];

    /**
     * Makes an empty one.
     *
     * @param codes  of the unit
     * @param memory is charged the objects
     */
    public CodeStrings(final Codes codes, final MemoryAccount memory)
    {
        this.codes = codes;
        this.memory = memory;
        codes.whenGivenBack(this::forget);
    }

    /**
     * The text of a code; of one that is carried as an object, that object.
     *
     * @param code in use or {@link Codes#NULL}
     * @return the text, {@code null} for {@link Codes#NULL}
     */
    public String of(final int code)
    {
        if (code < Codes.NULL)
        {
            return codes.object(code);
        }
        final String string = code < known.length ? known[code] : null;
        return string != null || code == Codes.NULL ? string : make(code);
    }

    private String make(final int code)
    {
        if (code >= known.length)
        {
            known = Arrays.copyOf(known, Math.max(code + 1, known.length * 2));
        }
        known[code] = codes.string(code);
        memory.charge(bytes(known[code]));
        return known[code];
    }

    private static long bytes(final String string)
    {
        return STRING_BYTES + string.length();
    }

    private void forget(final int code)
    {
        if (code < known.length && known[code] != null)
        {
            memory.release(bytes(known[code]));
            known[code] = null;
        }
    }
}
