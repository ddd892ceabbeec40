package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.flow.RowStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ints for the texts that a unit meets: equal texts have equal codes, null and the empty text have 0. State keeps
 * codes. Those who read columns remember the codes of what they have read, so that this table is asked once a text.
 *
 * <p>Threads: the engine's.
 */
public final class Codes
{
    /** Code of null. */
    public static final int NULL = 0;

    /** A text that others hold too: an entry of the map, its number, and references. */
    private static final long CODE_BYTES = 32 + 16 + 2 * 4 + 8;

    private final MemoryAccount memory;
    private final Map<String, Integer> codes = new HashMap<>();
    private final List<String> texts = new ArrayList<>();

    /**
     * Makes an empty table.
     *
     * @param memory is charged each code
     */
    public Codes(final MemoryAccount memory)
    {
        this.memory = memory;
        texts.add(null);
    }

    /**
     * The code of a text.
     *
     * @param text may be {@code null}
     * @return its code, {@value #NULL} for null and the empty text
     */
    public int code(final String text)
    {
        if (text == null || text.isEmpty())
        {
            return NULL;
        }
        final Integer known = codes.get(text);
        if (known != null)
        {
            return known;
        }
        memory.charge(CODE_BYTES);
        final int code = texts.size();
        codes.put(text, code);
        texts.add(text);
        return code;
    }

    /**
     * The text of a code.
     *
     * @param code from this table
     * @return the text, {@code null} for {@value #NULL}
     */
    public String text(final int code)
    {
        return texts.get(code);
    }

    /**
     * Orders two texts by code point.
     *
     * @param a code of one, not {@value #NULL}
     * @param b code of the other, not {@value #NULL}
     * @return negative, 0 or positive
     */
    public int compare(final int a, final int b)
    {
        return a == b ? 0 : RowStore.compareTexts(texts.get(a), texts.get(b));
    }

    /**
     * How many codes there are.
     *
     * @return greater than every code
     */
    public int size()
    {
        return texts.size();
    }
}
