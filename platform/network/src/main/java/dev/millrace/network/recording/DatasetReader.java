package dev.millrace.network.recording;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.spi.DatasetRecords;

/**
 * Reads the records of a dataset in order. Confined to one thread.
 *
 * <p>Failure: {@link dev.millrace.network.spi.EventStoreException} if records are missing, were changed or cannot be
 * reached.
 */
final class DatasetReader implements AutoCloseable
{
    private final DatasetRecords reader;
    private final RecordDecoder decoder = new RecordDecoder();

    /** @param reader positioned before the first record; owned by this object */
    DatasetReader(final DatasetRecords reader)
    {
        this.reader = reader;
    }

    /**
     * Reads the next record.
     *
     * @return false at the end
     */
    boolean next()
    {
        if (!reader.next())
        {
            return false;
        }
        decoder.begin(reader.bytes(), reader.length());
        return true;
    }

    /** Whether the record describes a group; otherwise it contains rows. */
    boolean isDescription()
    {
        return decoder.kind() == RecordKind.GROUP;
    }

    /** Number of the group of the record. */
    int number()
    {
        return decoder.number();
    }

    GroupDescription group()
    {
        return decoder.group();
    }

    /** When the rows of the record were recorded. */
    long recordedNs()
    {
        return decoder.recordedNs();
    }

    /** Number of the rows of the record, which are not decoded. */
    int rowCount()
    {
        return decoder.rowCount();
    }

    /** The rows of the record, decoded once; valid until the next call. */
    EventBatch rows()
    {
        return decoder.rows();
    }

    @Override
    public void close()
    {
        reader.close();
    }
}
