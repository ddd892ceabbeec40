package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.flow.TextIds;
import java.util.Arrays;

/**
 * A char column of the batches that a unit puts out. Ids of codes, and of ids of a column that is only carried, are
 * remembered.
 *
 * <p>Threads: the engine's. Failure: {@link RowRejectedException} when the column has no room for another text.
 */
public final class TextOutput
{
    private static final int FEWEST = 1 << 10;

    private final Codes codes;
    private final Dictionary dictionary;
    private final TextIds ids;
    private final int[] column;
    /** Id by code, and by id of another dictionary; 0 where it is not known yet. */
    private int[] ofCodes = new int[FEWEST];
    private int[] ofIds = new int[FEWEST];
    private Dictionary carried;

    /**
     * Makes a writer.
     *
     * @param codes  of the unit
     * @param batch  that is put out
     * @param column index
     */
    public TextOutput(final Codes codes, final EventBatch batch, final int column)
    {
        this.codes = codes;
        dictionary = batch.schema().dictionary(column);
        ids = new TextIds(dictionary);
        this.column = batch.texts(column).codes();
    }

    /**
     * Writes a text by its code.
     *
     * @param row  place in the batch
     * @param code of the text, 0 for null
     */
    public void set(final int row, final int code)
    {
        if (code < ofCodes.length && ofCodes[code] != 0)
        {
            column[row] = ofCodes[code];
            return;
        }
        column[row] = learn(code);
    }

    private int learn(final int code)
    {
        if (code == Codes.NULL)
        {
            return Dictionary.NULL_ID;
        }
        if (code >= ofCodes.length)
        {
            ofCodes = Arrays.copyOf(ofCodes, Math.max(code + 1, ofCodes.length * 2));
        }
        ofCodes[code] = ids.idOf(codes.text(code));
        return ofCodes[code];
    }

    /**
     * Writes a text.
     *
     * @param row  place in the batch
     * @param text {@code null} and the empty text are null
     */
    public void set(final int row, final String text)
    {
        column[row] = text == null || text.isEmpty() ? Dictionary.NULL_ID : ids.idOf(text);
    }

    /**
     * Writes the text of a row that came in.
     *
     * @param row     place in the batch
     * @param from    where it came in
     * @param fromRow its place there
     */
    public void copy(final int row, final TextInput from, final int fromRow)
    {
        final int id = from.id(fromRow);
        if (from.dictionary() == dictionary)
        {
            column[row] = id;
            return;
        }
        if (from.dictionary() != carried)
        {
            carried = from.dictionary();
            Arrays.fill(ofIds, 0);
        }
        column[row] = id < ofIds.length && ofIds[id] != 0 ? ofIds[id] : learnId(id);
    }

    private int learnId(final int id)
    {
        if (id == Dictionary.NULL_ID)
        {
            return Dictionary.NULL_ID;
        }
        if (id >= ofIds.length)
        {
            ofIds = Arrays.copyOf(ofIds, Math.max(id + 1, ofIds.length * 2));
        }
        ofIds[id] = ids.idOf(carried.string(id));
        return ofIds[id];
    }
}
