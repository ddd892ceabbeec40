package dev.millrace.cql.runtime;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * Which id of a dictionary belongs to which code of a table, as far as batches have brought ids: so that a string that
 * came as an id needs no look-up to get its code, and can go out as the id again.
 *
 * <p>Threads: confined to one thread.
 */
public final class TextIds
{
    private static final int FEWEST = 64;

    private final Dictionary dictionary;
    /** Code by id, {@link Codes#NULL} where it is not known; and id by code. */
    private int[] codes = new int[FEWEST];
    private int[] ids = new int[FEWEST];

    /**
     * Knows none yet.
     *
     * @param dictionary gives ids
     * @param of         gives codes
     */
    public TextIds(final Dictionary dictionary, final Codes of)
    {
        this.dictionary = dictionary;
        of.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < ids.length && ids[code] != Dictionary.NULL_ID)
        {
            codes[ids[code]] = Codes.NULL;
            ids[code] = Dictionary.NULL_ID;
        }
    }

    /**
     * Where ids come from.
     *
     * @return the dictionary
     */
    public Dictionary dictionary()
    {
        return dictionary;
    }

    /**
     * The code for an id.
     *
     * @param id of the dictionary
     * @return code, {@link Codes#NULL} when it is not known
     */
    public int code(final int id)
    {
        return id < codes.length ? codes[id] : Codes.NULL;
    }

    /**
     * The id for a code.
     *
     * @param code of the table
     * @return id, {@link Dictionary#NULL_ID} when it is not known
     */
    public int id(final int code)
    {
        return code < ids.length ? ids[code] : Dictionary.NULL_ID;
    }

    /**
     * Takes note that both stand for the same string.
     *
     * @param id   of the dictionary
     * @param code of the table
     */
    public void learn(final int id, final int code)
    {
        if (id >= codes.length)
        {
            codes = Arrays.copyOf(codes, Math.max(id + 1, codes.length * 2));
        }
        if (code >= ids.length)
        {
            ids = Arrays.copyOf(ids, Math.max(code + 1, ids.length * 2));
        }
        codes[id] = code;
        ids[code] = id;
    }
}
