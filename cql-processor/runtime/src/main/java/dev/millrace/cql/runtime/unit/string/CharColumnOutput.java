package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.string.StringTable;

/**
 * A char column of the batches that a unit emits. Strings of a column that is only copied get no code.
 *
 * <p>Confined to the engine thread.
 */
public final class CharColumnOutput
{
    private final StringTable codes;
    private final CharColumn texts;

    /**
     * @param unit   codes of the unit
     * @param batch  output batch
     * @param column index
     */
    public CharColumnOutput(final UnitStrings unit, final EventBatch batch, final int column)
    {
        codes = unit.codes;
        texts = batch.texts(column);
    }

    /**
     * Writes a string by its code.
     *
     * @param code of the string, 0 for null
     */
    public void set(final int row, final int code)
    {
        texts.set(row, codes, code);
    }

    /**
     * Writes a string.
     *
     * @param text {@code null} and the empty string are null
     */
    public void set(final int row, final String text)
    {
        texts.set(row, text);
    }

    /**
     * Writes a string by its code or, without one, by value.
     *
     * @param code of the string, 0 for null, negative when it has none
     * @param text {@code null} and the empty string are null; ignored with a code
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
     * Copies the string of an input row.
     *
     * @param row     row number, not below those written before
     * @param from    input column
     * @param fromRow its row number there
     */
    public void copy(final int row, final CharColumnInput from, final int fromRow)
    {
        texts.copyRow(from.texts(), fromRow, row);
    }
}
