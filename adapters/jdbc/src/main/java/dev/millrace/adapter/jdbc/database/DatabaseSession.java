package dev.millrace.adapter.jdbc.database;

import dev.millrace.adapter.jdbc.buffer.BlockRange;
import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.RowBlock;
import dev.millrace.adapter.jdbc.buffer.RowLayout;
import dev.millrace.adapter.jdbc.buffer.RowOperation;
import dev.millrace.adapter.jdbc.buffer.SinkMode;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.api.event.Producers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with its statements, kept while it works. Confined to the writer thread, except {@link #abort}. Failure:
 * {@code SQLException}; the caller then rolls back or closes the session.
 */
public final class DatabaseSession implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseSession.class);
    private static final int VALID_S = 2;

    private final SinkSettings settings;
    private final RowLayout layout;
    private final Connection connection;
    private final TableMetadata shape;
    private final Dialect dialect;
    /** {@code null} unless numbers of rows are stored. */
    private final PositionTable positions;
    private final Map<RowOperation, StatementBinder> binders = new EnumMap<>(RowOperation.class);

    /**
     * Result of writing rows.
     *
     * @param missed  updates and deletes that found no row
     * @param refused rows without a statement; they were skipped
     */
    public record Done(long missed, int refused)
    {
        /** All rows were written. */
        public static final Done NOTHING = new Done(0, 0);
    }

    private DatabaseSession(final SinkSettings settings, final RowLayout layout, final Connection connection)
        throws SQLException, JdbcAdapterException
    {
        this.settings = settings;
        this.layout = layout;
        this.connection = connection;
        connection.setAutoCommit(false);
        pooled().limitAnswers(settings.answerMillis());
        positions =
            settings.positionTable() == null ? null : new PositionTable(connection, settings.positionTable());
        shape = TableMetadata.read(connection, settings, layout);
        dialect = settings.dialect() == null ? Dialect.ofProduct(shape.product()) :
            Dialect.byName(settings.dialect());
        if (settings.mode() == SinkMode.UPSERT_ROWS && dialect == Dialect.OTHER)
        {
            throw new JdbcAdapterException(JdbcErrorCode.DIALECT,
                "no upsert statement is known for this database, stage=" +
                settings.stage() + " mode=upsert product=" + shape.product(),
                "set instance property dialect to one of " + Dialect.names() + ", or use another mode", null);
        }
        connection.commit();
    }

    /**
     * Opens a session and checks the table.
     *
     * @param source   of the connection
     * @param settings contain the table
     * @param layout   columns to write; {@code null} only to check the table
     * @return session
     * @throws SQLException   when there is no connection
     * @throws JdbcAdapterException when the table does not match
     */
    public static DatabaseSession open(final DataSource source, final SinkSettings settings, final RowLayout layout)
        throws SQLException, JdbcAdapterException
    {
        final Connection connection = source.getConnection();
        try
        {
            return new DatabaseSession(settings, layout, connection);
        }
        catch (final SQLException | JdbcAdapterException | RuntimeException e)
        {
            new PooledConnection(connection, settings.stage()).close();
            throw e;
        }
    }

    public Dialect dialect()
    {
        return dialect;
    }

    /**
     * The number of the last row of a producer that is in the table; 0 for a new one.
     *
     * @throws SQLException also when there is no table of positions
     */
    public long position(final String producer) throws SQLException
    {
        final long number = positions.read(producer);
        connection.commit();
        return number;
    }

    /** Whether a transaction has already written rows, as their numbers in the table show. */
    public boolean isCommitted(final BlockRange batch, final int from, final int to) throws SQLException
    {
        final Map<Integer, Long> last = batch.lastNumbers(from, to);
        for (final Map.Entry<Integer, Long> each : last.entrySet())
        {
            if (position(Producers.name(each.getKey())) < each.getValue())
            {
                return false;
            }
        }
        return !last.isEmpty();
    }

    /** Writes rows in one transaction, in order. */
    public Done execute(final BlockRange batch, final int from, final int to) throws SQLException
    {
        RowOperation current = null;
        StatementBinder binder = null;
        long missed = 0;
        int refused = 0;
        batch.seek(from);
        RowBlock block = batch.block();
        int row = batch.row();
        for (int index = from; index < to; index++, row++)
        {
            if (row == block.size())
            {
                batch.seek(index);
                block = batch.block();
                row = batch.row();
                open(binder, block);
            }
            final RowOperation operation = block.operation(row);
            if (operation == RowOperation.REFUSED)
            {
                refused++;
                continue;
            }
            if (operation != current)
            {
                missed += flush(current, binder);
                current = operation;
                binder = binder(operation);
                open(binder, block);
            }
            binder.add(row);
        }
        missed += flush(current, binder);
        if (positions != null)
        {
            positions.write(batch.lastNumbers(from, to));
        }
        connection.commit();
        return new Done(missed, refused);
    }

    private static void open(final StatementBinder binder, final RowBlock block)
    {
        if (binder != null)
        {
            binder.open(block);
        }
    }

    private StatementBinder binder(final RowOperation operation) throws SQLException
    {
        StatementBinder binder = binders.get(operation);
        if (binder == null)
        {
            final StatementText text = switch (operation)
            {
                case INSERT -> StatementText.insert(shape);
                case UPDATE -> StatementText.update(shape);
                case DELETE -> StatementText.delete(shape);
                case UPSERT -> dialect.upsert(shape);
                case REFUSED -> throw new IllegalStateException("internal error: no statement for a refused row");
            };
            binder = new StatementBinder(connection.prepareStatement(text.sql()), text.parameters(), layout, shape);
            binders.put(operation, binder);
        }
        return binder;
    }

    private static long flush(final RowOperation operation, final StatementBinder binder) throws SQLException
    {
        if (binder == null)
        {
            return 0;
        }
        long missed = 0;
        for (final int count : binder.statement().executeBatch())
        {
            missed += count == 0 && (operation == RowOperation.UPDATE || operation == RowOperation.DELETE) ? 1 : 0;
        }
        return missed;
    }

    /**
     * Rolls back the transaction.
     *
     * @return whether the connection still works
     */
    public boolean rollback()
    {
        try
        {
            for (final StatementBinder binder : binders.values())
            {
                binder.statement().clearBatch();
            }
            connection.rollback();
            return connection.isValid(VALID_S);
        }
        catch (final SQLException | RuntimeException broken)
        {
            LOG.debug("the connection no longer works, stage={}", settings.stage(), broken);
            return false;
        }
    }

    private PooledConnection pooled()
    {
        return new PooledConnection(connection, settings.stage());
    }

    /** Aborts a database call that does not return. Thread-safe. */
    public void abort()
    {
        pooled().abort();
    }

    @Override
    public void close()
    {
        pooled().close();
    }
}
