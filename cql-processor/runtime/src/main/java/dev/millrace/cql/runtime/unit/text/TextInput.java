package dev.millrace.cql.runtime.unit.text;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import java.util.Arrays;

/**
 * A char column of the batches that a unit receives: its strings, and on demand their codes in the table of the unit.
 *
 * <p>Confined to the engine thread.
 */
public final class TextInput
{
    /** A row without a code is asked again, and is then rejected if the table is still full. */
    private static final int UNASKED = Codes.FULL;

    private final Codes codes;
    private final int column;
    private Texts texts;
    /** Codes of the rows of the batch. */
    private final int[] ofRows = new int[EventBatch.CAPACITY];
    /** Codes of rows whose texts are carried; {@code null} before the first one. */
    private int[] apart;

    /**
     * @param unit   codes of the unit
     * @param column index in the batch
     */
    public TextInput(final UnitTexts unit, final int column)
    {
        codes = unit.codes;
        this.column = column;
    }

    /**
     * Binds this column to the next batch.
     *
     * @param batch lent until the next one is bound
     */
    public void bind(final EventBatch batch)
    {
        texts = batch.texts(column);
        Arrays.fill(ofRows, 0, batch.size(), UNASKED);
        if (apart != null)
        {
            Arrays.fill(apart, 0, batch.size(), UNASKED);
        }
    }

    /**
     * Looks up the strings of many rows together, which is faster when the table is large. {@link #code} then returns
     * their codes.
     *
     * @param rows  row numbers in the batch
     * @param count number of rows
     */
    public void lookUp(final int[] rows, final int count)
    {
        texts.codes(codes, rows, count, ofRows);
    }

    public boolean isNull(final int row)
    {
        return texts.isNull(row);
    }

    public String text(final int row)
    {
        return texts.string(row);
    }

    /**
     * The code of a row's string; valid until the end of the batch unless state retains it.
     *
     * @return code, {@link Codes#NULL} for null
     * @throws RowRejectedException when the table is full
     */
    public int code(final int row)
    {
        final int code = ofRows[row];
        return code != UNASKED ? code : ask(row);
    }

    /**
     * The code of a row's string in another column, for comparisons with strings that have codes; does not add the
     * string to the table.
     *
     * @param from column
     * @return code, {@link Codes#NULL} for null and for a string without a code
     */
    public static int known(final TextInput from, final int row)
    {
        final int code = from.ofRows[row];
        return code != UNASKED ? code : from.texts.find(row, from.codes);
    }

    /**
     * A code of a row's text that need not be that of other rows with equal texts: for state that only carries it.
     *
     * @param from column
     * @param row  place in the batch
     * @return code, {@link Codes#NULL} for null; good until the end of the batch unless state holds it
     */
    public static int apart(final TextInput from, final int row)
    {
        if (from.apart == null)
        {
            from.apart = new int[EventBatch.CAPACITY];
            Arrays.fill(from.apart, UNASKED);
        }
        if (from.apart[row] == UNASKED)
        {
            from.apart[row] = from.texts.apart(row, from.codes);
        }
        return from.apart[row];
    }

    private int ask(final int row)
    {
        final int code = taken(texts.code(row, codes), codes);
        ofRows[row] = code;
        return code;
    }

    /** Checks a code that a table has assigned. */
    public static int taken(final int code, final Codes codes)
    {
        if (code == Codes.FULL)
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "more distinct strings than may be kept, " +
                "maxTexts=" + codes.maxCodes());
        }
        return code;
    }

    /** The strings of the column in the batch. */
    Texts texts()
    {
        return texts;
    }
}
