package dev.millrace.network.spi;

/**
 * Reads the records of a dataset in order, which may be appended to in the meantime. Confined to one thread.
 *
 * <p>Failure: {@link EventStoreException} if records are missing, were changed or cannot be reached.
 */
public interface DatasetRecords extends AutoCloseable
{
    /**
     * Reads the next record.
     *
     * @return false at the end
     */
    boolean next();

    /** The bytes of the record, from index 0; valid until the next call. */
    byte[] bytes();

    /** Number of bytes of the record. */
    int length();

    @Override
    void close();
}
