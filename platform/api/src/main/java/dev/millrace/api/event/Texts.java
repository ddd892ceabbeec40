package dev.millrace.api.event;

/**
 * The values of a char column of a batch. Whoever reads or writes texts asks the column, so that how they are held
 * stays its own affair.
 *
 * <p>Threads and ownership: those of the batch. A view shares the column of its source.
 */
public final class Texts
{
    private final Dictionary dictionary;
    private final int[] codes = new int[EventBatch.CAPACITY];

    Texts(final Dictionary dictionary)
    {
        this.dictionary = dictionary;
    }

    /**
     * Equal ints for equal texts: ids of the column's {@link BatchSchema#dictionary dictionary}, what state and keys
     * are made of. Whoever only carries or compares texts does not need them.
     *
     * @return one a row, {@value Dictionary#NULL_ID} for null; the array itself
     */
    public int[] codes()
    {
        return codes;
    }

    /**
     * Whether a row has no text. The empty string is null.
     *
     * @param row index from 0
     * @return true when null
     */
    public boolean isNull(final int row)
    {
        return codes[row] == Dictionary.NULL_ID;
    }

    /**
     * A text as an object, for the edge.
     *
     * @param row index from 0
     * @return the text, {@code null} for null
     */
    public String string(final int row)
    {
        return dictionary.string(codes[row]);
    }

    /**
     * The length of a text.
     *
     * @param row index from 0
     * @return in bytes of UTF-8, 0 for null
     */
    public int length(final int row)
    {
        return isNull(row) ? 0 : dictionary.bytes(codes[row]).length;
    }

    /**
     * Copies the UTF-8 bytes of a text.
     *
     * @param row index from 0
     * @param to  takes the bytes; must have room for {@link #length(int)}
     * @param at  of the first byte
     * @return how many were copied, 0 for null
     */
    public int copy(final int row, final byte[] to, final int at)
    {
        if (isNull(row))
        {
            return 0;
        }
        final byte[] bytes = dictionary.bytes(codes[row]);
        System.arraycopy(bytes, 0, to, at, bytes.length);
        return bytes.length;
    }

    /**
     * Writes a text.
     *
     * @param row  index from 0
     * @param text {@code null} and the empty string are null
     * @return false when the column has no room for another text; the row must not be sent then
     */
    public boolean set(final int row, final String text)
    {
        codes[row] = dictionary.idOf(text);
        return codes[row] != Dictionary.FULL;
    }
}
