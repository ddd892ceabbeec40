package dev.millrace.tuning.store;

import com.sun.management.ThreadMXBean;
import dev.millrace.adapter.jdbc.DataSources;
import dev.millrace.adapter.jdbc.JdbcSink;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Samples;
import dev.millrace.tuning.harness.ResultSink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Events of 180 bytes that are stored: through a channel and the JDBC sink, and by direct JDBC batches of the same rows
 * with equal sizes of batches and transactions. Elapsed time from the first event until the last one is committed;
 * rounds alternate. After each round, number and sums of the rows in the table are compared.
 *
 * <pre>
 *   insert   into an empty table with a primary key
 *   update   by key in random order, of a filled table that has a further index
 * </pre>
 */
public final class StoreExperiment implements Experiment
{
    private static final int ROWS = 131_072;
    private static final int SHORT_ROWS = 16_384;
    private static final int BATCH_ROWS = 1_024;
    private static final String BY_SINK = "events_sink";
    private static final String BY_HAND = "events_bare";
    private static final long AWAIT_S = 300;
    private static final int WARM_UPS = 2;

    private final boolean isUpdate;

    /** The sink in a network, as in a server. */
    private static final class Network implements DataSources, AutoCloseable
    {
        private final JdbcSink sink = new JdbcSink(this);
        private final BenchNetwork network = new BenchNetwork(Clock.SYSTEM);
        private final BenchNetwork.Feed feed;
        private final DataSource source;
        private final EventBatch batch;
        private final StoreRows rows;

        Network(final StoreServer server, final StoreRows rows, final boolean isUpdate) throws DeploymentException
        {
            this.rows = rows;
            source = server.source();
            sink.setDataSource("store");
            sink.setTable(BY_SINK);
            sink.setDialect(server.dialect());
            sink.setEventTypeName(StoreRows.EVENT.name());
            sink.setBatchRows(BATCH_ROWS);
            sink.setWhenFull("block");
            if (isUpdate)
            {
                sink.setMode("update");
                sink.setKeys("id");
                sink.setColumns(StoreRows.UPDATED);
            }
            feed = network.feed("pump", "events");
            network.channel("events", StoreRows.EVENT, ChannelStage.Queue.PASS_THROUGH, "store");
            network.bean("store", sink);
            network.start();
            batch = new EventBatch(feed.sender().schema());
        }

        void run() throws InterruptedException
        {
            for (int done = 0; done < rows.count(); done += batch.size())
            {
                rows.fill(batch, done, Math.min(EventBatch.CAPACITY, rows.count() - done));
                feed.sender().send(batch);
            }
            if (!sink.awaitWritten(AWAIT_S, TimeUnit.SECONDS) || network.rejectedRows() > 0)
            {
                throw new IllegalStateException("the sink has not written all rows: " + sink.statistics());
            }
        }

        @Override
        public DataSource find(final String name)
        {
            return source;
        }

        @Override
        public Collection<String> names()
        {
            return List.of("store");
        }

        @Override
        public void close()
        {
            network.close();
        }
    }

    /**
     * @param isUpdate whether rows are updated, not inserted
     */
    public StoreExperiment(final boolean isUpdate)
    {
        this.isUpdate = isUpdate;
    }

    private String workload()
    {
        return isUpdate ? "store-update" : "store-insert";
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final StoreKind kind = StoreKind.of(variant);
        setting.progress().showWithSeconds(workload() + ' ' + variant + ": starting the database");
        final StoreServer opened;
        try
        {
            opened = kind.open();
        }
        catch (final NoClassDefFoundError missing)
        {
            results.line(new BenchResult(workload(), variant).with("leftOut",
                "the programs of this database are not shipped; run ./millrace in the sources, which loads them"));
            return;
        }
        catch (final IOException e)
        {
            results.line(new BenchResult(workload(), variant).with("leftOut",
                "the database did not start: " + e.getMessage().lines().findFirst().orElse(e.toString())));
            return;
        }
        final StoreRows rows = new StoreRows(setting.isShort() ? SHORT_ROWS : ROWS, BenchContext.SEED, isUpdate);
        try (StoreServer server = opened)
        {
            prepare(server, kind, rows);
            try (Network network = new Network(server, rows, isUpdate))
            {
                measure(new BenchResult(workload(), variant), setting, results, server, network);
            }
        }
        catch (final SQLException e)
        {
            throw new IOException("the database fails, workload=" + workload() + " variant=" + variant, e);
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the network of the benchmark cannot be built: " + e.getMessage(), e);
        }
    }

    private void prepare(final StoreServer server, final StoreKind kind, final StoreRows rows) throws SQLException
    {
        for (final String table : List.of(BY_SINK, BY_HAND))
        {
            server.execute(List.of("create table " + table + StoreRows.columns(kind.number())));
            if (isUpdate)
            {
                server.execute(List.of("create index host_of_" + table + " on " + table + " (host)"));
                byHand(server, rows, "insert into " + table + " values (?, ?, ?, ?, ?, ?, ?, ?, ?)", false);
            }
        }
    }

    private void measure(final BenchResult result, final BenchContext setting, final ResultSink results,
        final StoreServer server,
        final Network network) throws SQLException, InterruptedException, IOException
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final double[] sink = new double[setting.rounds()];
        final double[] hand = new double[setting.rounds()];
        final double[] ratios = new double[setting.rounds()];
        final StoreRows rows = network.rows;
        long allocated = 0;
        for (int round = -WARM_UPS; round < setting.rounds(); round++)
        {
            setting.progress().showWithSeconds(workload() + ' ' + result.variant() + ": round " + (round + 1));
            rows.nextRound();
            empty(server);
            final boolean sinkFirst = (round & 1) == 0;
            double bare = sinkFirst ? 0 : bare(server, rows);
            final long before = threads.getCurrentThreadAllocatedBytes();
            final long startNs = System.nanoTime();
            network.run();
            final double through = (double)(System.nanoTime() - startNs) / rows.count();
            allocated += round < 0 ? 0 : threads.getCurrentThreadAllocatedBytes() - before;
            bare = sinkFirst ? bare(server, rows) : bare;
            check(server, rows);
            if (round >= 0)
            {
                sink[round] = through;
                hand[round] = bare;
                ratios[round] = through / bare;
            }
        }
        results.line(result.events((long)rows.count() * setting.rounds()).nsPerEvent(Samples.median(sink))
            .limitNsPerEvent(Samples.median(hand)).ratioToLimit(Samples.median(ratios))
            .bytesPerEvent((double)allocated / rows.count() / setting.rounds())
            .with("rounds", (long)setting.rounds()).with("rowsOfATransaction", (long)BATCH_ROWS)
            .with("ratioMin", Arrays.stream(ratios).min().orElse(0))
            .with("ratioMax", Arrays.stream(ratios).max().orElse(0)));
    }

    private void empty(final StoreServer server) throws SQLException
    {
        if (!isUpdate)
        {
            server.execute(List.of("truncate table " + BY_SINK, "truncate table " + BY_HAND));
        }
    }

    private double bare(final StoreServer server, final StoreRows rows) throws SQLException
    {
        return byHand(server, rows, isUpdate ?
            "update " + BY_HAND + " set at = ?, memory = ?, cpu = ?, message = ? where id = ?" :
            "insert into " + BY_HAND + " values (?, ?, ?, ?, ?, ?, ?, ?, ?)", isUpdate);
    }

    /** Nanoseconds per event; the connection is opened before. */
    private static double byHand(final StoreServer server, final StoreRows rows, final String sql,
        final boolean isUpdate) throws SQLException
    {
        try (Connection connection = server.source().getConnection();
            PreparedStatement statement = connection.prepareStatement(sql))
        {
            connection.setAutoCommit(false);
            final long startNs = System.nanoTime();
            for (int i = 0; i < rows.count(); i++)
            {
                if (isUpdate)
                {
                    rows.bindUpdate(statement, i);
                }
                else
                {
                    rows.bindInsert(statement, i);
                }
                statement.addBatch();
                if ((i + 1) % BATCH_ROWS == 0 || i + 1 == rows.count())
                {
                    statement.executeBatch();
                    connection.commit();
                }
            }
            return (double)(System.nanoTime() - startNs) / rows.count();
        }
    }

    private void check(final StoreServer server, final StoreRows rows) throws SQLException
    {
        for (final String table : List.of(BY_SINK, BY_HAND))
        {
            final long[] found = server.numbers(StoreRows.check(table));
            if (!Arrays.equals(found, rows.expected()))
            {
                throw new IllegalStateException("the table does not have the rows, workload=" + workload() + " table=" +
                    table + " count, ids, memory=" + Arrays.toString(found) + " expected=" +
                    Arrays.toString(rows.expected()));
            }
        }
    }
}
