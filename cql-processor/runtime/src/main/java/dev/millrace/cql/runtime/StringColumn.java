package dev.millrace.cql.runtime;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;

/**
 * A char column of the batches that a pipeline takes in, as codes of the pipeline's table.
 *
 * <p>Threads: confined to one thread.
 */
public final class StringColumn
{
    /** No text: a byte that UTF-8 does not have. */
    private static final byte[] NO_TEXT = {(byte)0xFF};

    private final int column;
    private final Codes strings;
    /** Stands for strings that have no code. */
    private final int unknown;
    private final int[] own = new int[EventBatch.CAPACITY];
    private Texts texts;
    /** Rows that are looked at; {@code null} for those from 0. */
    private int[] selection;
    private int count;
    /** Of the rows of the batch, all of them or those that were asked for; {@code null} while there are none. */
    private int[] codes;
    private boolean areKnown;

    /**
     * Makes a reader.
     *
     * @param column  of the batches
     * @param strings of the pipeline
     */
    public StringColumn(final int column, final Codes strings)
    {
        this.column = column;
        this.strings = strings;
        unknown = strings.owed(NO_TEXT, 0, NO_TEXT.length);
        strings.hold(unknown);
    }

    /**
     * Turns to the next batch.
     *
     * @param batch lent until the next one comes
     */
    public void bind(final EventBatch batch)
    {
        bind(batch, null, batch.size());
    }

    /**
     * Turns to some rows of the next batch.
     *
     * @param batch lent until the next one comes
     * @param rows  that are looked at; {@code null} for those from 0
     * @param size  how many
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
            own[row] = found == Codes.NULL && !texts.isNull(row) ? unknown : found;
        }
    }

    /**
     * Makes the codes of rows; new strings are taken in.
     *
     * @param rows rows; {@code null} for those from 0
     * @param size how many
     * @return false when there is no room for a string, whose rows have {@link Codes#FULL}
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
     * The codes that {@link #code} has made.
     *
     * @return one a row of the batch, {@link Codes#NULL} for null; the array itself
     */
    public int[] codes()
    {
        return codes;
    }

    /**
     * The codes of strings that have some: for comparisons with literals and look-ups. Nothing is taken in.
     *
     * @return one for each row that is looked at, at its place in the batch, {@link Codes#NULL} for null, for a string
     *     without code one that no string has; an array that is not written
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
     * The code of a row's string, which is taken in.
     *
     * @param row of the batch
     * @return code, {@link Codes#NULL} for null, {@link Codes#FULL} when there is no room for another string
     */
    public int code(final int row)
    {
        return codes != null ? codes[row] : texts.code(row, strings);
    }
}
