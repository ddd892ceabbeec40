package dev.millrace.adapter.common.decode;

/**
 * Decodes records to the columns of a batch. Confined to one thread; keeps the result of the last record.
 *
 * <p>The same bytes give the same records, wherever a buffer ends: positions depend on that.
 */
public interface RowDecoder
{
    /** The record does not end in the given bytes. */
    int INCOMPLETE = -1;

    /** The kinds of records. */
    enum Outcome
    {
        /** A row, which the batch contains. */
        ROW,
        /** A blank line. */
        BLANK,
        /** Not a row: {@link #reason} and {@link #detail} describe why. */
        REJECTED
    }

    /** Whether each file begins with a header. */
    boolean hasHeader();

    /**
     * Reads the header of a file.
     *
     * @param isEnd whether no more bytes follow
     * @return index after it, or {@link #INCOMPLETE}
     */
    int header(byte[] bytes, int from, int to, boolean isEnd);

    /**
     * Decodes a record into a row of the batch.
     *
     * @param isEnd whether no more bytes follow, so that the last record may lack a line end
     * @return index after the record and its line end, or {@link #INCOMPLETE}
     */
    int decode(byte[] bytes, int from, int to, boolean isEnd, int row);

    /** The kind of the last record. */
    Outcome outcome();

    /** Number of line ends in the last record. */
    int lines();

    /** Whether the rest of the first line of the last record is to be skipped, because its end is unknown. */
    boolean isUnbounded();

    /** Why the last record was rejected. */
    RejectReason reason();

    /** The column and value, or what else helps to find the cause. */
    String detail();
}
