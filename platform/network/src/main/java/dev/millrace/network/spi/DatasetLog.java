package dev.millrace.network.spi;

/**
 * A dataset that is open for appending. Thread-safe, except that only one thread at a time may append.
 *
 * <p>Failure: {@link EventStoreException}; after one, no more records are accepted.
 */
public interface DatasetLog extends AutoCloseable
{
    /**
     * Appends a record in the form of {@link dev.millrace.network.durable}. Does not wait for a remote store.
     *
     * @param bytes  lent for the call
     * @param length number of bytes, from index 0
     */
    void append(byte[] bytes, int length);

    /**
     * Sets what to do when a file begins, so that each file can be read without the earlier ones: {@link #append} runs
     * it, and it may append records itself. A store without files ignores it.
     */
    void onFileStart(Runnable action);

    /** Why appended rows cannot be stored at present; {@code null} if they can. Any thread. */
    default String problem()
    {
        return null;
    }

    /** Number of appended rows that could not be stored. Any thread. */
    default long lostRows()
    {
        return 0;
    }

    /** Ends appending; does not wait for a remote store. */
    @Override
    void close();
}
