package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.TextIds;

/**
 * A char column of the batches that a unit puts out. Texts of a column that is only carried get no code.
 *
 * <p>Threads: the engine's.
 */
public final class TextOutput
{
    private final UnitTexts unit;
    private final Codes codes;
    private final Dictionary dictionary;
    private final Texts texts;
    private final TextIds ids;

    /**
     * Makes a writer.
     *
     * @param unit   its codes
     * @param batch  that is put out
     * @param column index
     */
    public TextOutput(final UnitTexts unit, final EventBatch batch, final int column)
    {
        this.unit = unit;
        codes = unit.codes;
        dictionary = batch.schema().dictionary(column);
        ids = unit.ids(dictionary);
        texts = batch.texts(column);
    }

    /**
     * Writes a text by its code.
     *
     * @param row  place in the batch
     * @param code of the text, 0 for null
     */
    public void set(final int row, final int code)
    {
        final int id = ids.id(code);
        if (id == Dictionary.NULL_ID || !texts.setId(row, id, dictionary))
        {
            texts.set(row, codes, code);
        }
    }

    /**
     * Writes a text that a row keeps.
     *
     * @param row  place in the batch
     * @param kept how it is kept
     */
    public void setKept(final int row, final int kept)
    {
        if (kept >= Codes.NULL)
        {
            set(row, kept);
        }
        else if (!texts.setId(row, UnitTexts.id(kept), unit.dictionary(kept)))
        {
            setBytes(row, unit.dictionary(kept).bytes(UnitTexts.id(kept)));
        }
    }

    private void setBytes(final int row, final byte[] text)
    {
        texts.set(row, text, 0, text.length);
    }

    /**
     * Writes a text.
     *
     * @param row  place in the batch
     * @param text {@code null} and the empty text are null
     */
    public void set(final int row, final String text)
    {
        texts.set(row, text);
    }

    /**
     * Writes a text by its code or, without one, as it is.
     *
     * @param row  place in the batch
     * @param code of the text, 0 for null, negative when it has none
     * @param text {@code null} and the empty text are null; anything with a code
     */
    public void set(final int row, final int code, final String text)
    {
        if (code < 0)
        {
            set(row, text);
        }
        else
        {
            set(row, code);
        }
    }

    /**
     * Writes the text of a row that came in.
     *
     * @param row     place in the batch, not below those written before
     * @param from    where it came in
     * @param fromRow its place there
     */
    public void copy(final int row, final TextInput from, final int fromRow)
    {
        texts.copyRow(from.texts(), fromRow, row);
    }
}
