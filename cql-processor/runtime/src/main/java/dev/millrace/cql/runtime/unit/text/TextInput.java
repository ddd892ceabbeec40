package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import java.util.Arrays;

/**
 * A char column of the batches that a unit takes in: its texts, and their codes in the table of the unit where state
 * asks for them. The dictionary of the column takes nothing in.
 *
 * <p>Threads: the engine's.
 */
public final class TextInput
{
    private static final int FEWEST = 64;
    private static final int UNASKED = -1;

    private final Codes codes;
    private final int column;
    private Texts texts;
    /** Codes of the rows of the batch. */
    private final int[] ofRows = new int[EventBatch.CAPACITY];
    private Dictionary dictionary;
    /** Of batches that bring ids: code by id, {@link Codes#NULL} where it is not known; and id by code. */
    private int[] ofIds = new int[FEWEST];
    private int[] ids = new int[FEWEST];

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
        codes.whenGivenBack(this::forget);
    }

    private void forget(final int code)
    {
        if (code < ids.length && ids[code] != Dictionary.NULL_ID)
        {
            ofIds[ids[code]] = Codes.NULL;
            ids[code] = Dictionary.NULL_ID;
        }
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
            Arrays.fill(ofIds, Codes.NULL);
            Arrays.fill(ids, Dictionary.NULL_ID);
        }
        texts = batch.texts(column);
        Arrays.fill(ofRows, 0, batch.size(), UNASKED);
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
     * The code of a row's text; good until the end of the batch unless state holds it.
     *
     * @param row place in the batch
     * @return code, {@link Codes#NULL} for null
     * @throws RowRejectedException when there are too many texts
     */
    public int code(final int row)
    {
        final int code = ofRows[row];
        return code != UNASKED ? code : ask(row);
    }

    /**
     * The code of a row's text, which is not taken in: for comparisons with texts that have codes.
     *
     * @param from column
     * @param row  place in the batch
     * @return code, {@link Codes#NULL} for null and for a text without code
     */
    public static int known(final TextInput from, final int row)
    {
        final int code = from.ofRows[row];
        return code != UNASKED ? code : from.texts.isCoded() ? from.ask(row) : from.texts.find(row, from.codes);
    }

    private int ask(final int row)
    {
        final int code = texts.isCoded() ? ofId(row) : taken(texts.code(row, codes), codes);
        ofRows[row] = code;
        return code;
    }

    private int ofId(final int row)
    {
        final int id = texts.known()[row];
        if (id >= ofIds.length)
        {
            ofIds = Arrays.copyOf(ofIds, Math.max(id + 1, ofIds.length * 2));
        }
        return ofIds[id] != Codes.NULL || id == Dictionary.NULL_ID ? ofIds[id] : learn(row, id);
    }

    private int learn(final int row, final int id)
    {
        final int code = taken(texts.code(row, codes), codes);
        if (code >= ids.length)
        {
            ids = Arrays.copyOf(ids, Math.max(code + 1, ids.length * 2));
        }
        ofIds[id] = code;
        ids[code] = id;
        return code;
    }

    /** A code that a table has given. */
    public static int taken(final int code, final Codes codes)
    {
        if (code == Codes.FULL)
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "more different texts than may be kept, maxTexts=" +
                codes.maxCodes());
        }
        return code;
    }

    /** The column of the batch. */
    Texts texts()
    {
        return texts;
    }
}
