package dev.millrace.server.config;

import java.nio.file.Path;

/**
 * The {@code event-store} or {@code rdbms-event-store-provider} element: where events are recorded.
 *
 * @param directory    absolute; {@code null} for tables
 * @param maxBytes     maximum size of a dataset
 * @param minFreeBytes free space that is left on the disk
 * @param tables       tables of a database; {@code null} for files
 */
public record EventStoreSettings(String name, Path directory, long maxBytes, long minFreeBytes, Tables tables)
{
    /**
     * Events are recorded in tables.
     *
     * @param dataSource  name of a data source
     * @param prefix      of the names of all tables
     * @param batchSize   rows in a transaction
     * @param bufferBytes maximum number of bytes that are buffered for a dataset
     */
    public record Tables(String dataSource, String prefix, int batchSize, long bufferBytes)
    {
    }
}
