package dev.millrace.server.eventstore;

import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Writes records of a dataset to its tables, each call in a transaction. Confined to one thread.
 *
 * <p>Failure: {@link SQLException}; the call may be repeated with the same records, of which none is written twice.
 */
final class RowWriter
{
    private final DataSource source;
    private final DatasetCatalog catalog;
    private final String dataset;
    private final String id = UUID.randomUUID().toString();
    private final Map<GroupDescription, EventTable> tables = new HashMap<>();
    private final RecordDecoder decoder = new RecordDecoder();
    private Database database;
    private long transactions;
    /** A transaction whose commit has failed: the database may have committed it. {@code null} for none. */
    private String uncertain;

    RowWriter(final DataSource source, final DatasetCatalog catalog, final String dataset)
    {
        this.source = source;
        this.catalog = catalog;
        this.dataset = dataset;
    }

    /** Number of rows of a record; 0 for descriptions. */
    static int rowCount(final RecordDecoder decoder, final byte[] bytes)
    {
        decoder.begin(bytes, bytes.length);
        return decoder.kind() == RecordKind.RECORDED_ROWS ? decoder.rowCount() : 0;
    }

    /** Writes rows, before which descriptions of their groups may stand. */
    void write(final List<byte[]> records) throws SQLException
    {
        final DatasetCatalog.Extent extent = extent(records);
        if (extent.batches() == 0)
        {
            return;
        }
        try (Connection connection = source.getConnection())
        {
            prepare(connection, records);
            connection.setAutoCommit(false);
            try
            {
                if (uncertain == null || !uncertain.equals(catalog.lastWrite(connection, dataset)))
                {
                    insert(connection, records, extent);
                }
                connection.commit();
                uncertain = null;
            }
            catch (final SQLException e)
            {
                tables.clear();
                rollBack(connection, e);
                throw e;
            }
        }
    }

    private static void rollBack(final Connection connection, final SQLException cause)
    {
        try
        {
            connection.rollback();
        }
        catch (final SQLException e)
        {
            // The connection is broken: the database rolls back.
            cause.addSuppressed(e);
        }
    }

    private DatasetCatalog.Extent extent(final List<byte[]> records)
    {
        long batches = 0;
        long rows = 0;
        long firstNs = Long.MIN_VALUE;
        long lastNs = Long.MIN_VALUE;
        for (final byte[] bytes : records)
        {
            final int count = rowCount(decoder, bytes);
            if (count > 0)
            {
                batches++;
                rows += count;
                lastNs = decoder.recordedNs();
                firstNs = batches == 1 ? lastNs : firstNs;
            }
        }
        return new DatasetCatalog.Extent(batches, rows, firstNs, lastNs);
    }

    /** Creates what is missing, each statement in its own transaction: some databases commit at such statements. */
    private void prepare(final Connection connection, final List<byte[]> records) throws SQLException
    {
        connection.setAutoCommit(true);
        if (tables.isEmpty())
        {
            database = Database.of(connection);
            catalog.create(connection, database);
            catalog.add(connection, dataset);
            catalog.tables(connection, database, dataset).forEach(table -> tables.put(table.group(), table));
        }
        for (final byte[] bytes : records)
        {
            if (rowCount(decoder, bytes) > 0 && !tables.containsKey(decoder.group()))
            {
                tables.put(decoder.group(), catalog.add(connection, database, dataset, decoder.group()));
            }
        }
    }

    private void insert(final Connection connection, final List<byte[]> records, final DatasetCatalog.Extent extent)
        throws SQLException
    {
        final String write = id + ':' + ++transactions;
        final Map<EventTable, PreparedStatement> insertions = new LinkedHashMap<>();
        long batch = catalog.reserve(connection, dataset, extent, write);
        try
        {
            for (final byte[] bytes : records)
            {
                if (rowCount(decoder, bytes) > 0)
                {
                    final EventTable table = tables.get(decoder.group());
                    table.add(insertion(connection, insertions, table), decoder.rows(), batch++,
                        decoder.recordedNs());
                }
            }
            for (final PreparedStatement insertion : insertions.values())
            {
                insertion.executeBatch();
            }
        }
        finally
        {
            for (final PreparedStatement insertion : insertions.values())
            {
                insertion.close();
            }
        }
        uncertain = write;
    }

    private PreparedStatement insertion(final Connection connection, final Map<EventTable, PreparedStatement> open,
        final EventTable table) throws SQLException
    {
        PreparedStatement insertion = open.get(table);
        if (insertion == null)
        {
            insertion = connection.prepareStatement(table.insertion(database));
            open.put(table, insertion);
        }
        return insertion;
    }
}
