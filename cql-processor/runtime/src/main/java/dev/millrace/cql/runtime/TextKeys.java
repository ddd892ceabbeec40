package dev.millrace.cql.runtime;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import java.util.Arrays;

/**
 * The texts of a char column that one piece of state has, as dense codes. Where they are its keys, codes index its
 * arrays: a key that the state no longer has is removed, and its code serves another text; the state clears its arrays
 * at the code first. Where they are values of rows that it keeps, each row holds its code and releases it.
 *
 * <p>Where the column comes coded, codes by id are remembered, so that a row costs an array access.
 *
 * <p>Threads: confined to one thread.
 */
public final class TextKeys
{
    private static final int FEWEST = 1 << 10;
    private static final int ENTRY_BYTES = 4;
    /** Of a text that lies in its row by value. */
    private static final int UNKNOWN = Integer.MAX_VALUE;

    private final int column;
    private final Codes codes;
    private final MemoryAccount memory;
    private Texts texts;
    /** Of the batch, where it comes coded. */
    private int[] ids;
    private Dictionary dictionary;
    /** Code by id, 0 where none is known, and the other way round. */
    private int[] codeOfId = new int[0];
    private int[] idOfCode = new int[0];

    /**
     * Takes an empty table into use.
     *
     * @param column of the batches
     * @param codes  of the state
     * @param memory is charged what is remembered of ids
     */
    public TextKeys(final int column, final Codes codes, final MemoryAccount memory)
    {
        this.column = column;
        this.codes = codes;
        this.memory = memory;
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < idOfCode.length)
        {
            codeOfId[idOfCode[code]] = Codes.NULL;
            idOfCode[code] = Dictionary.NULL_ID;
        }
    }

    /**
     * Turns to the next batch.
     *
     * @param batch lent until the next one comes
     */
    public void bind(final EventBatch batch)
    {
        texts = batch.texts(column);
        ids = texts.codesIfWritten();
        if (ids != null && texts.dictionary() != dictionary)
        {
            dictionary = texts.dictionary();
            Arrays.fill(codeOfId, 0);
            Arrays.fill(idOfCode, 0);
        }
    }

    /**
     * The code of a row's text, which is taken in.
     *
     * @param row of the batch
     * @return code, {@link Codes#NULL} for null, {@link Codes#FULL} when there is no room for another text
     */
    public int code(final int row)
    {
        final int[] known = codeOfId;
        final int id = ids == null ? UNKNOWN : ids[row];
        if (id < known.length)
        {
            final int code = known[id];
            if (code != Codes.NULL)
            {
                return code;
            }
        }
        return learn(row, id);
    }

    private int learn(final int row, final int id)
    {
        if (id == UNKNOWN || id == Dictionary.NULL_ID)
        {
            return texts.code(row, codes);
        }
        final int code = texts.code(row, codes);
        if (code != Codes.FULL)
        {
            codeOfId = reach(codeOfId, id);
            idOfCode = reach(idOfCode, code);
            codeOfId[id] = code;
            idOfCode[code] = id;
        }
        return code;
    }

    private int[] reach(final int[] array, final int index)
    {
        if (index < array.length)
        {
            return array;
        }
        final int length = Math.max(FEWEST, Math.max(index + 1, array.length * 2));
        memory.charge((long)ENTRY_BYTES * (length - array.length));
        return Arrays.copyOf(array, length);
    }

    /**
     * The state has nothing of a key any more, and its arrays are clear at the code.
     *
     * @param code of the key; {@link Codes#NULL} has no effect
     */
    public void remove(final int code)
    {
        codes.remove(code);
    }

    /**
     * A row that the state keeps has a text.
     *
     * @param code of the text; {@link Codes#NULL} has no effect
     */
    public void hold(final int code)
    {
        codes.hold(code);
    }

    /**
     * A row that had a text is no longer kept. The text is there until the end of the batch.
     *
     * @param code of the text; {@link Codes#NULL} has no effect
     */
    public void release(final int code)
    {
        codes.release(code);
    }

    /** Texts that no row has go. */
    public void endOfBatch()
    {
        codes.endOfBatch();
    }

    /**
     * Writes a text to a column: as an id where it came as one and the column can take it.
     *
     * @param code in use, or {@link Codes#NULL}
     * @param to   column; rows are written in ascending order
     * @param row  of the column
     */
    public void copy(final int code, final Texts to, final int row)
    {
        final int id = code < idOfCode.length ? idOfCode[code] : Dictionary.NULL_ID;
        if (id == Dictionary.NULL_ID || !to.setId(row, id, dictionary))
        {
            to.copyCode(codes, code, row);
        }
    }

    /**
     * What arrays of state need as length.
     *
     * @return one more than the greatest code so far
     */
    public int limit()
    {
        return codes.limit();
    }

    /**
     * Number of keys, without that of null.
     *
     * @return at least 0
     */
    public int size()
    {
        return codes.size();
    }
}
