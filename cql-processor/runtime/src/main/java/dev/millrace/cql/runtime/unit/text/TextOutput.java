package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;

/**
 * A char column of the batches that a unit puts out. Texts of a column that is only carried get no code.
 *
 * <p>Threads: the engine's.
 */
public final class TextOutput
{
    private final Codes codes;
    private final Texts texts;

    /**
     * Makes a writer.
     *
     * @param unit   its codes
     * @param batch  that is put out
     * @param column index
     */
    public TextOutput(final UnitTexts unit, final EventBatch batch, final int column)
    {
        codes = unit.codes;
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
        texts.set(row, codes, code);
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
