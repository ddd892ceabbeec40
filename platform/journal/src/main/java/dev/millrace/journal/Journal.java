package dev.millrace.journal;

/**
 * An append-only sequence of records, stored in the files of one directory.
 *
 * <p>Thread-safe, except that only one thread at a time may append. Records that were appended
 * survive the death of the process; {@link SyncMode} decides what a crash of the machine may lose. Failure: {@link
 * JournalException}; after one that is not {@link JournalException#isFull()} the journal accepts no more records.
 */
public interface Journal extends AutoCloseable
{
    /** Position before the first record. Positions are positive and increase from record to record, with gaps. */
    long NONE = 0;
    /** Maximum number of bytes of a record. */
    int MAX_RECORD_BYTES = 8 << 20;

    /**
     * Appends a record.
     *
     * @param bytes  lent for the call
     * @param from   first byte
     * @param length number of bytes, at most {@link #MAX_RECORD_BYTES}
     * @return its position
     * @throws JournalException if there is no space, which leaves the journal unchanged, or if writing fails
     */
    long append(byte[] bytes, int from, int length);

    /** Position of the last record; {@link #NONE} if nothing was appended. */
    long lastPosition();

    /**
     * Writes all records to the disk.
     *
     * @return position of the last record that is on the disk
     */
    long sync();

    /** Position of the last record that is known to be on the disk. */
    long syncedPosition();

    /** Opens a reader of all records, positioned before the first one that exists. */
    JournalReader openReader();

    /** Deletes the files that contain only records before a position and that are not retained. */
    void deleteBefore(long position);

    /** Number of bytes of all files. */
    long sizeBytes();

    /**
     * Sets what to do when a file begins, so that each file can be read without the earlier ones. The calling thread of
     * {@link #append} runs it before it appends the first record of a file; it may append records itself.
     *
     * @param action for example, appends descriptions of types
     */
    void onFileStart(Runnable action);

    /** Writes all records to the disk, except with {@link SyncMode#NONE}, and releases the directory. */
    @Override
    void close();
}
