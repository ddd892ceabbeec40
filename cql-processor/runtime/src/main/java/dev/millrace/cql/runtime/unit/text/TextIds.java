package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * Which id of a dictionary belongs to which code of a unit, as far as batches have brought ids: so that a string that
 * came as an id needs no look-up to get its code, and can go out as the id again.
 *
 * <p>Threads: the engine's.
 */
final class TextIds
{
    private static final int FEWEST = 64;

    final Dictionary dictionary;
    /** What is added to an id to keep a string by it; negative when it is not. */
    final int number;
    /** Code by id, {@link Codes#NULL} where it is not known; and id by code. */
    private int[] codes = new int[FEWEST];
    private int[] ids = new int[FEWEST];

    TextIds(final Dictionary dictionary, final Codes of, final int number)
    {
        this.dictionary = dictionary;
        this.number = number;
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

    /** The code for an id; {@link Codes#NULL} when it is not known. */
    int code(final int id)
    {
        return id < codes.length ? codes[id] : Codes.NULL;
    }

    /** The id for a code; {@link Dictionary#NULL_ID} when it is not known. */
    int id(final int code)
    {
        return code < ids.length ? ids[code] : Dictionary.NULL_ID;
    }

    /** Takes note that both stand for the same string. */
    void learn(final int id, final int code)
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
