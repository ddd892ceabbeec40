package dev.millrace.server.eventstore;

import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.recording.GroupName;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * An event store in a database. Thread-safe.
 *
 * <p>Failure: {@link EventStoreException}; recordings buffer rows while the database is unavailable.
 */
public final class DatabaseEventStore implements EventStore, AutoCloseable
{
    /** Maximum time in which the database stores buffered rows, before a reader opens and at the end. */
    private static final long FLUSH_MS = TimeUnit.SECONDS.toMillis(10);

    private final DatabaseSettings settings;
    private final DataSource source;
    private final DatasetCatalog catalog;
    /** Recordings whose rows are written. Guarded by this. */
    private final Map<String, DatasetBuffer> buffers = new HashMap<>();

    /** @param source of connections; closed by the caller after this object */
    public DatabaseEventStore(final DatabaseSettings settings, final DataSource source)
    {
        this.settings = settings;
        this.source = source;
        catalog = new DatasetCatalog(settings.tablePrefix());
    }

    /** Reads or changes the catalog. */
    @FunctionalInterface
    private interface Work<T>
    {
        T run(Connection connection, Database database) throws SQLException;
    }

    private <T> T call(final String what, final Work<T> work)
    {
        try (Connection connection = source.getConnection())
        {
            connection.setAutoCommit(true);
            return work.run(connection, Database.of(connection));
        }
        catch (final SQLException e)
        {
            throw new EventStoreException(EventStoreErrorCode.DATABASE, "the event store cannot be used, " + what +
                " reason=" + Database.reason(e), e);
        }
    }

    @Override
    public String name()
    {
        return settings.name();
    }

    @Override
    public synchronized DatasetLog open(final String dataset, final String holder)
    {
        final DatasetBuffer before = buffers.get(dataset);
        if (before != null && before.holder() != null)
        {
            throw new EventStoreException(EventStoreErrorCode.IN_USE, "another stage records into the dataset, " +
                "dataset=" + dataset + " stage=" + before.holder() +
                "; record into another one, or stop that recording", null);
        }
        if (before != null && before.reopen(holder))
        {
            return before;
        }
        final DatasetBuffer[] opened = new DatasetBuffer[1];
        opened[0] = new DatasetBuffer(settings, dataset, new RowWriter(source, catalog, dataset), holder,
            () -> finished(dataset, opened[0]));
        buffers.put(dataset, opened[0]);
        opened[0].start();
        return opened[0];
    }

    private synchronized void finished(final String dataset, final DatasetBuffer buffer)
    {
        buffers.remove(dataset, buffer);
    }

    private synchronized DatasetBuffer buffer(final String dataset)
    {
        return buffers.get(dataset);
    }

    @Override
    public DatasetRecords openReader(final String dataset, final TimeRange period)
    {
        final DatasetBuffer buffer = buffer(dataset);
        if (buffer != null && !buffer.flush(FLUSH_MS))
        {
            throw new EventStoreException(EventStoreErrorCode.PENDING, "recorded rows are not stored yet, dataset=" +
                dataset + " waitedMs=" + FLUSH_MS + " cause=" + buffer.problem(), null);
        }
        return call("dataset=" + dataset, (connection, database) ->
        {
            final List<TableReader> readers = new ArrayList<>();
            for (final EventTable table : catalog.tables(connection, database, dataset))
            {
                readers.add(new TableReader(source, connection, database, table, readers.size(), period));
            }
            return new DatabaseRecords(dataset, readers);
        });
    }

    @Override
    public List<String> datasets()
    {
        final Set<String> all = new TreeSet<>(call("store=" + name(), catalog::list).stream()
            .map(DatasetCatalog.Dataset::name).toList());
        synchronized (this)
        {
            all.addAll(buffers.keySet());
        }
        return List.copyOf(all);
    }

    @Override
    public DatasetSummary summary(final String dataset)
    {
        final DatasetBuffer buffer = buffer(dataset);
        return call("dataset=" + dataset, (connection, database) ->
        {
            final DatasetCatalog.Dataset known = catalog.list(connection, database).stream()
                .filter(each -> each.name().equals(dataset)).findFirst()
                .orElse(new DatasetCatalog.Dataset(dataset, 0, Long.MIN_VALUE, Long.MIN_VALUE));
            final Set<String> types = new TreeSet<>();
            final Set<String> tables = new TreeSet<>();
            for (final EventTable table : catalog.tables(connection, database, dataset))
            {
                types.addAll(GroupName.parse(table.group().name()).types());
                tables.add(table.name());
            }
            return new DatasetSummary(types, 0, -1, known.rows(), known.firstNs(), known.lastNs(), tables,
                buffer == null ? null : buffer.holder(), buffer == null ? null : buffer.problem());
        });
    }

    @Override
    public void delete(final String dataset)
    {
        final DatasetBuffer buffer = buffer(dataset);
        if (buffer != null && buffer.holder() != null)
        {
            throw new EventStoreException(EventStoreErrorCode.IN_USE, "a stage records into the dataset, dataset=" +
                dataset + " by=" + buffer.holder() + "; stop that recording first", null);
        }
        if (buffer != null && !buffer.flush(FLUSH_MS))
        {
            throw new EventStoreException(EventStoreErrorCode.PENDING, "recorded rows are not stored yet, dataset=" +
                dataset + " cause=" + buffer.problem() + "; delete it when they are", null);
        }
        call("dataset=" + dataset, (connection, database) ->
        {
            catalog.drop(connection, database, dataset);
            return null;
        });
    }

    /** Waits for the database to store all rows, for a limited time; the others are counted as lost. */
    @Override
    public void close()
    {
        final List<DatasetBuffer> open;
        synchronized (this)
        {
            open = List.copyOf(buffers.values());
        }
        open.forEach(DatasetBuffer::close);
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FLUSH_MS);
        for (final DatasetBuffer buffer : open)
        {
            buffer.flush(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
            buffer.abandon();
        }
    }
}
