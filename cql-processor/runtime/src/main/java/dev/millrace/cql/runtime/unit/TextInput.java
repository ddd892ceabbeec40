package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import java.util.Arrays;

/**
 * A char column of the batches that a unit takes in: its texts and their codes. Codes of ids are remembered, so that a
 * row costs an array access.
 *
 * <p>Threads: the engine's.
 */
public final class TextInput
{
    private static final int FEWEST = 1 << 10;

    private final Codes codes;
    private final int column;
    private Dictionary dictionary;
    /** Code by id; 0 where it is not known yet. */
    private int[] known = new int[FEWEST];
    private Texts texts;
    /** Of the batch; {@code null} until a code is asked for, since texts that are only carried have none. */
    private int[] ids;

    /**
     * Makes a reader.
     *
     * @param codes  of the unit
     * @param column index in the batch
     */
    public TextInput(final Codes codes, final int column)
    {
        this.codes = codes;
        this.column = column;
    }

    /**
     * Turns to the next batch.
     *
     * @param batch lent until the next one comes
     */
    public void bind(final EventBatch batch)
    {
        if (batch.schema().dictionary(column) != dictionary)
        {
            dictionary = batch.schema().dictionary(column);
            Arrays.fill(known, 0);
        }
        texts = batch.texts(column);
        ids = null;
    }

    /**
     * Whether a row has no text.
     *
     * @param row place in the batch
     * @return true when null
     */
    public boolean isNull(final int row)
    {
        return texts.isNull(row);
    }

    /**
     * The text of a row.
     *
     * @param row place in the batch
     * @return the text, {@code null} for null
     */
    public String text(final int row)
    {
        return texts.string(row);
    }

    /**
     * The code of a row's text.
     *
     * @param row place in the batch
     * @return code, 0 for null
     */
    public int code(final int row)
    {
        if (ids == null)
        {
            ids = texts.codes();
        }
        final int id = ids[row];
        if (id < known.length)
        {
            final int code = known[id];
            if (code != 0 || id == Dictionary.NULL_ID)
            {
                return code;
            }
        }
        return learn(id);
    }

    private int learn(final int id)
    {
        if (id >= known.length)
        {
            known = Arrays.copyOf(known, Math.max(id + 1, known.length * 2));
        }
        known[id] = codes.code(dictionary.string(id));
        return known[id];
    }

    /** The column of the batch. */
    Texts texts()
    {
        return texts;
    }
}
