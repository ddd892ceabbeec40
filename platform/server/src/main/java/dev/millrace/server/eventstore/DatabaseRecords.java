package dev.millrace.server.eventstore;

import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.EventStoreException;
import java.sql.SQLException;
import java.util.List;

/** The records of a dataset: those of its tables, in the order of the batches. Confined to one thread. */
final class DatabaseRecords implements DatasetRecords
{
    private final String dataset;
    private final List<TableReader> tables;
    /** The table whose batch follows its description; {@code null} for none. */
    private TableReader pending;
    private byte[] record;

    DatabaseRecords(final String dataset, final List<TableReader> tables)
    {
        this.dataset = dataset;
        this.tables = tables;
    }

    @Override
    public boolean next()
    {
        if (pending != null)
        {
            record = pending.take();
            pending = null;
            return true;
        }
        final TableReader first = first();
        if (first == null)
        {
            return false;
        }
        final byte[] description = first.description();
        pending = description == null ? null : first;
        record = description == null ? first.take() : description;
        return true;
    }

    private TableReader first()
    {
        TableReader first = null;
        long least = Long.MAX_VALUE;
        try
        {
            for (final TableReader table : tables)
            {
                final long number = table.next();
                if (number < least)
                {
                    least = number;
                    first = table;
                }
            }
        }
        catch (final SQLException e)
        {
            throw new EventStoreException(EventStoreErrorCode.DATABASE, "the dataset cannot be read, dataset=" +
                dataset + " reason=" + Database.reason(e), e);
        }
        return first;
    }

    @Override
    public byte[] bytes()
    {
        return record;
    }

    @Override
    public int length()
    {
        return record.length;
    }

    @Override
    public void close()
    {
        // Connections are open only while a page is read.
    }
}
