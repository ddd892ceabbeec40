package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import java.util.stream.IntStream;

/**
 * Where the columns of a row lie in a {@link RowStore}: null bits in the first words, then one word for each number,
 * time or boolean; everything else is a reference. Columns that nobody reads may have no place: they are null.
 * Immutable.
 */
public final class RowLayout
{
    /** Kind of a column that is one word, equal when the word is. */
    static final byte WORD = 0;
    /** Kind of a column of floating numbers. */
    static final byte FLOATING = 1;
    /** Kind of a column of objects. */
    static final byte REFERENCE = 2;
    private static final int NO_PLACE = -1;

    private final CqlType[] types;
    private final int[] slots;
    private final byte[] kinds;
    private final int[] columns;
    private final int nullWords;
    private final int words;
    private final int references;

    /**
     * Lays columns out.
     *
     * @param types one a column
     */
    public RowLayout(final CqlType... types)
    {
        this(types, null);
    }

    /**
     * Lays out the columns that are kept.
     *
     * @param types one a column
     * @param kept  which columns have a place; {@code null} for all
     */
    public RowLayout(final CqlType[] types, final boolean[] kept)
    {
        this.types = types.clone();
        slots = new int[types.length];
        kinds = new byte[types.length];
        nullWords = (types.length + Long.SIZE - 1) / Long.SIZE;
        int nextWord = nullWords;
        int nextReference = 0;
        for (int i = 0; i < types.length; i++)
        {
            if (kept != null && !kept[i])
            {
                slots[i] = NO_PLACE;
                continue;
            }
            slots[i] = isReference(i) ? nextReference++ : nextWord++;
            kinds[i] = isReference(i) ? REFERENCE :
                types[i] == CqlType.FLOAT || types[i] == CqlType.DOUBLE ? FLOATING : WORD;
        }
        words = nextWord;
        references = nextReference;
        columns = IntStream.range(0, types.length).filter(this::isKept).toArray();
    }

    /**
     * Number of columns.
     *
     * @return at least 0
     */
    public int columnCount()
    {
        return types.length;
    }

    /**
     * Type of a column.
     *
     * @param column index from 0
     * @return its type
     */
    public CqlType type(final int column)
    {
        return types[column];
    }

    /**
     * Whether values of a column are objects.
     *
     * @param column index from 0
     * @return false for numbers but bigdecimal, times and booleans
     */
    public boolean isReference(final int column)
    {
        return switch (types[column])
        {
            case INT, BIGINT, FLOAT, DOUBLE, BOOLEAN, TIMESTAMP, INTERVAL -> false;
            case BIGDECIMAL, CHAR, BYTE, XMLTYPE, OBJECT -> true;
        };
    }

    /**
     * Place of a column among the words or the references of a row.
     *
     * @param column index from 0
     * @return offset from the base of the row, -1 when it is not kept
     */
    public int slot(final int column)
    {
        return slots[column];
    }

    /**
     * Whether values of a column are kept.
     *
     * @param column index from 0
     * @return false when it is always null and must not be set
     */
    public boolean isKept(final int column)
    {
        return slots[column] != NO_PLACE;
    }

    /** The columns whose values are kept, ascending; not to be changed. */
    int[] columns()
    {
        return columns;
    }

    /** How the values of each column compare; not to be changed. */
    byte[] kinds()
    {
        return kinds;
    }

    /** The places of all columns; not to be changed. */
    int[] slots()
    {
        return slots;
    }

    /**
     * Words at the start of a row that hold null bits.
     *
     * @return 0 without columns
     */
    public int nullWords()
    {
        return nullWords;
    }

    /**
     * Words of a row.
     *
     * @return null words and values
     */
    public int words()
    {
        return words;
    }

    /**
     * References of a row.
     *
     * @return at least 0
     */
    public int references()
    {
        return references;
    }
}
