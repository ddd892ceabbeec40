package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.flow.RowRejectedException;

/**
 * A char column of the batches that a unit puts out. Texts of a column that is only carried get no code.
 *
 * <p>Threads: the engine's. Failure: {@link RowRejectedException} when the column has no room for another text.
 */
public final class TextOutput
{
    private final Codes codes;
    private final Dictionary dictionary;
    private final Texts texts;

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
        check(texts.set(row, codes, code));
    }

    /**
     * Writes a text.
     *
     * @param row  place in the batch
     * @param text {@code null} and the empty text are null
     */
    public void set(final int row, final String text)
    {
        check(texts.set(row, text));
    }

    private void check(final boolean isWritten)
    {
        if (!isWritten)
        {
            throw new RowRejectedException(dictionary.fullReason(), dictionary.fullDetail());
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
