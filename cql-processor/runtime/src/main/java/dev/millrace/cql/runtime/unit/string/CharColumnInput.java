package dev.millrace.cql.runtime.unit.string;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.Arrays;

/**
 * A char column of the batches that a unit receives: its strings, and on demand their codes in the table of the unit.
 *
 * <p>Confined to the engine thread.
 */
public final class CharColumnInput
{
    /** A row without a code is asked again, and is then rejected if the table is still full. */
    private static final int UNASKED = StringTable.FULL;
    /** In one of so many batches, strings are looked up one by one, to count how many are needed. */
    private static final int MEASURING_PERIOD = 32;
    /** Reading a string in advance costs less than this part of reading it between other work. */
    private static final int LEAST_PART_READ_IN_ADVANCE = 4;

    private final StringTable codes;
    private final int column;
    private CharColumn strings;
    /** Codes of the rows of the batch. */
    private final int[] ofRows = new int[EventBatch.CAPACITY];
    /** Codes of rows whose strings are carried; {@code null} before the first one. */
    private int[] apart;
    /** Lengths of the rows' strings in characters; {@code null} before the first string is carried. */
    private int[] lengths;
    /** Whether the lengths are those of this batch. */
    private boolean isMeasured;
    private int rows;
    /** Number of strings of this batch that have been looked up. */
    private int asked;
    /** Whether so many strings of the last batch were looked up that those of this one are looked up at once. */
    private boolean asksMany;
    private int batches;
    /** Number of strings of this batch that are carried. */
    private int carried;
    /** Whether so many strings of the last batch were carried that those of this one are read in advance. */
    private boolean carriesMany;

    /**
     * @param unit   codes of the unit
     * @param column index in the batch
     */
    public CharColumnInput(final UnitStrings unit, final int column)
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
        strings = batch.texts(column);
        Arrays.fill(ofRows, 0, batch.size(), UNASKED);
        batches++;
        asksMany = asked > rows / LEAST_PART_READ_IN_ADVANCE;
        asked = 0;
        if (apart != null)
        {
            Arrays.fill(apart, 0, batch.size(), UNASKED);
            carriesMany = carried > rows / LEAST_PART_READ_IN_ADVANCE;
            isMeasured = false;
            carried = 0;
        }
        rows = batch.size();
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
        strings.codes(codes, rows, count, ofRows);
    }

    public boolean isNull(final int row)
    {
        return strings.isNull(row);
    }

    public String text(final int row)
    {
        return strings.string(row);
    }

    /**
     * The code of a row's string; valid until the end of the batch unless state retains it.
     *
     * @return code, {@link StringTable#NULL} for null
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
     * @return code, {@link StringTable#NULL} for null and for a string without a code
     */
    public static int known(final CharColumnInput from, final int row)
    {
        final int code = from.ofRows[row];
        return code != UNASKED ? code : from.strings.find(row, from.codes);
    }

    /**
     * Returns a code of a row's string for state that only carries it. Rows with equal strings may have different
     * codes.
     *
     * @param from column
     * @param row  index in the batch
     * @return code, {@link StringTable#NULL} for null; valid until the end of the batch unless state holds it
     */
    public static int apart(final CharColumnInput from, final int row)
    {
        return from.apart != null && from.apart[row] != UNASKED ? from.apart[row] : from.askApart(row);
    }

    private int askApart(final int row)
    {
        if (apart == null)
        {
            apart = new int[EventBatch.CAPACITY];
            lengths = new int[EventBatch.CAPACITY];
            Arrays.fill(apart, UNASKED);
        }
        if (carried++ == 0)
        {
            isMeasured = carriesMany && strings.lengths(rows, lengths);
        }
        apart[row] = isMeasured ? strings.apart(row, lengths[row], codes) : strings.apart(row, codes);
        return apart[row];
    }

    private int ask(final int row)
    {
        if (asked++ == 0 && asksMany && batches % MEASURING_PERIOD != 0 && codes.hasRoom(rows))
        {
            // Rows without a code stay unasked, and ask again.
            strings.codes(codes, null, rows, ofRows);
            asked = rows;
            if (ofRows[row] != UNASKED)
            {
                return ofRows[row];
            }
        }
        final int code = taken(strings.code(row, codes), codes);
        ofRows[row] = code;
        return code;
    }

    /** Checks a code that a table has assigned. */
    public static int taken(final int code, final StringTable codes)
    {
        if (code == StringTable.FULL)
        {
            throw new RowRejectedException(RejectionHandler.STATE_FULL, "more distinct strings than may be kept, " +
                "maxTexts=" + codes.maxCodes());
        }
        return code;
    }

    /** The strings of the column in the batch. */
    CharColumn texts()
    {
        return strings;
    }
}
