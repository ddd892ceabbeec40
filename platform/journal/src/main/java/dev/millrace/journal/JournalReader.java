package dev.millrace.journal;

/**
 * Reads the records of a journal in order, also while records are appended. Confined to one thread.
 *
 * <p>Failure: {@link JournalException} if bytes are missing or were changed; the reader stays before that record.
 */
public interface JournalReader extends AutoCloseable
{
    /**
     * Positions the reader so that {@link #next()} reads the first record after a position.
     *
     * @param position of a record, or {@link Journal#NONE} for the beginning
     * @throws JournalException if the position lies before the oldest file
     */
    void moveAfter(long position);

    /**
     * Positions the reader before the first record; {@link #next()} fails if files before the oldest one were deleted.
     */
    void moveToStart();

    /**
     * Positions the reader before the first record of the file that contains a position.
     *
     * @param position of a record, or {@link Journal#NONE} for the oldest file
     * @throws JournalException if the position lies before the oldest file
     */
    void moveToFileOf(long position);

    /**
     * Reads the next record.
     *
     * @return false at the end; more records may be appended later
     */
    boolean next();

    /** Position of the record. */
    long position();

    /** The bytes of the record, from index 0; valid until the next call, and owned by the reader. */
    byte[] bytes();

    /** Number of bytes of the record. */
    int length();

    @Override
    void close();
}
