package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * String objects of codes, for functions and other code that needs objects. Each is created once while its code refers
 * to the same string.
 *
 * <p>Confined to the engine thread.
 */
public final class DecodedStrings
{
    /** Bytes of a string without its characters: an object, an array and a reference. */
    private static final long STRING_BYTES = 48;
    private static final int FEWEST = 16;

    private final StringTable codes;
    private final MemoryAccount memory;
    private String[] known = new String[FEWEST];

    /**
     * @param codes  of the unit
     * @param memory charged for the objects
     */
    public DecodedStrings(final StringTable codes, final MemoryAccount memory)
    {
        this.codes = codes;
        this.memory = memory;
        codes.whenGivenBack(this::forget);
    }

    /**
     * The text of a code; of one that is carried as an object, that object.
     *
     * @param code in use or {@link StringTable#NULL}
     * @return {@code null} for {@link StringTable#NULL}
     */
    public String of(final int code)
    {
        if (code < StringTable.NULL)
        {
            return codes.object(code);
        }
        final String string = code < known.length ? known[code] : null;
        return string != null || code == StringTable.NULL ? string : make(code);
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
