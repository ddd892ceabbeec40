package dev.millrace.tuning.burst;

import dev.millrace.adapter.jdbc.DataSources;
import dev.millrace.adapter.jdbc.JdbcSink;
import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.store.StoreKind;
import dev.millrace.tuning.store.StoreServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The events of bursts in a table of an embedded H2 in memory: through the JDBC sink, and by direct batches into a
 * second table. Both have the same number of rows per transaction. The number of rows in the tables is compared after
 * each burst, and both are emptied.
 */
public final class H2BurstStore implements BurstStore, DataSources
{
    private static final int BATCH_ROWS = 1_024;
    private static final long AWAIT_S = 60;
    private static final String COLUMNS = "(symbol varchar(16), lastPrice double precision)";
    private static final String BY_SINK = "ticks_sink";
    private static final String BY_HAND = "ticks_bare";

    private final StoreServer server;
    private final JdbcSink sink = new JdbcSink(this);
    private final Connection connection;
    private final PreparedStatement statement;
    private int inBatch;

    private H2BurstStore(final StoreServer server) throws SQLException
    {
        this.server = server;
        server.execute(List.of("create table " + BY_SINK + COLUMNS, "create table " + BY_HAND + COLUMNS));
        sink.setDataSource("store");
        sink.setTable(BY_SINK);
        sink.setEventTypeName(BenchQueries.TICK.name());
        sink.setBatchRows(BATCH_ROWS);
        sink.setWhenFull("block");
        connection = server.source().getConnection();
        connection.setAutoCommit(false);
        statement = connection.prepareStatement("insert into " + BY_HAND + " values (?, ?)");
    }

    public static H2BurstStore open() throws IOException
    {
        final StoreServer server = StoreKind.H2.open();
        try
        {
            return new H2BurstStore(server);
        }
        catch (final SQLException e)
        {
            server.close();
            throw new IOException(e);
        }
    }

    @Override
    public Object sink()
    {
        return sink;
    }

    @Override
    public long awaitStored(final long rows) throws InterruptedException
    {
        if (!sink.awaitWritten(AWAIT_S, TimeUnit.SECONDS))
        {
            throw new IllegalStateException("the sink has not written all rows: " + sink.statistics());
        }
        final long endNs = System.nanoTime();
        if (((Number)sink.statistics().get("written")).longValue() != rows)
        {
            throw new IllegalStateException("rows were lost, sent=" + rows + ' ' + sink.statistics());
        }
        return endNs;
    }

    @Override
    public void storeBare(final EventBatch batch) throws IOException
    {
        try
        {
            for (int i = 0; i < batch.size(); i++)
            {
                statement.setString(1, batch.texts(0).string(i));
                statement.setDouble(2, batch.doubles(1)[i]);
                statement.addBatch();
                if (++inBatch == BATCH_ROWS)
                {
                    finishBare();
                }
            }
        }
        catch (final SQLException e)
        {
            throw new IOException(e);
        }
    }

    @Override
    public void finishBare() throws IOException
    {
        if (inBatch == 0)
        {
            return;
        }
        try
        {
            statement.executeBatch();
            connection.commit();
            inBatch = 0;
        }
        catch (final SQLException e)
        {
            throw new IOException(e);
        }
    }

    @Override
    public void empty(final long rows) throws IOException
    {
        try
        {
            for (final String table : List.of(BY_SINK, BY_HAND))
            {
                final long found = server.numbers("select count(*) from " + table)[0];
                if (found != rows)
                {
                    throw new IllegalStateException("the table does not have the rows of the burst, table=" + table +
                        " found=" + found + " expected=" + rows);
                }
                server.execute(List.of("truncate table " + table));
            }
        }
        catch (final SQLException e)
        {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            connection.close();
        }
        catch (final SQLException e)
        {
            throw new IOException(e);
        }
        finally
        {
            server.close();
        }
    }

    @Override
    public DataSource find(final String name)
    {
        return server.source();
    }

    @Override
    public Collection<String> names()
    {
        return List.of("store");
    }
}
