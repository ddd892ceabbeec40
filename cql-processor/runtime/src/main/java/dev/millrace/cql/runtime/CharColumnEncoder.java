package dev.millrace.cql.runtime;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.string.StringTable;

/**
 * A char column of a pipeline's input batches, as codes of the pipeline's string table.
 *
 * <p>Confined to one thread.
 */
public final class CharColumnEncoder
{
    /** Marks the absence of a string: a byte that does not occur in UTF-8. */
    private static final byte[] NO_TEXT = {(byte)0xFF};

    private final int column;
    private final StringTable strings;
    /** Represents strings that have no code. */
    private final int unknown;
    private final int[] own = new int[EventBatch.CAPACITY];
    private CharColumn texts;
    /** Rows that are read; {@code null} for the first rows. */
    private int[] selection;
    private int count;
    /** Codes by row of the batch, for all rows or the selected ones; {@code null} until they are computed. */
    private int[] codes;
    private boolean areKnown;

    public CharColumnEncoder(final int column, final StringTable strings)
    {
        this.column = column;
        this.strings = strings;
        unknown = strings.owed(NO_TEXT, 0, NO_TEXT.length);
        strings.hold(unknown);
    }

    /**
     * Binds this column to the next batch.
     *
     * @param batch lent until the next one is bound
     */
    public void bind(final EventBatch batch)
    {
        bind(batch, null, batch.size());
    }

    /**
     * Binds this column to some rows of the next batch.
     *
     * @param batch lent until the next one is bound
     * @param rows  row numbers; {@code null} for the first {@code size} rows
     * @param size  number of rows
     */
    public void bind(final EventBatch batch, final int[] rows, final int size)
    {
        texts = batch.texts(column);
        selection = rows;
        count = size;
        areKnown = false;
        codes = texts.codesOf(strings);
    }

    private void findSome()
    {
        for (int i = 0; i < count; i++)
        {
            final int row = selection[i];
            final int found = texts.find(row, strings);
            own[row] = found == StringTable.NULL && !texts.isNull(row) ? unknown : found;
        }
    }

    /**
     * Computes the codes of rows; new strings are added to the table.
     *
     * @param rows row numbers; {@code null} for the first {@code size} rows
     * @param size number of rows
     * @return false when the table is full; the rows of such strings have {@link StringTable#FULL}
     */
    public boolean code(final int[] rows, final int size)
    {
        if (codes != null)
        {
            return true;
        }
        codes = own;
        return texts.codes(strings, rows, size, own);
    }

    /**
     * The codes that {@link #code} has computed.
     *
     * @return one per row of the batch, {@link StringTable#NULL} for null; the array itself
     */
    public int[] codes()
    {
        return codes;
    }

    /**
     * The codes of strings that have one, for comparisons with literals and look-ups. No string is added to the table.
     *
     * @return one per selected row, indexed by its row number: {@link StringTable#NULL} for null, and for a string
     *     without a code a code that no string has; the caller must not write the array
     */
    public int[] known()
    {
        if (codes != null)
        {
            return codes;
        }
        if (!areKnown)
        {
            areKnown = true;
            if (selection == null)
            {
                texts.find(strings, count, unknown, own);
            }
            else
            {
                findSome();
            }
        }
        return own;
    }

    /**
     * The code of a row's string; a new string is added to the table.
     *
     * @return code, {@link StringTable#NULL} for null, {@link StringTable#FULL} when the table is full
     */
    public int code(final int row)
    {
        return codes != null ? codes[row] : texts.code(row, strings);
    }
}
