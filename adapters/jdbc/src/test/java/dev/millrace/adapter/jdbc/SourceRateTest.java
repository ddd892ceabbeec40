package dev.millrace.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads a table by the source and by a plain loop with the same queries, in turns, both on one thread with H2 in this
 * process. Both must read the same. {@code -Drows=1000000 -Drounds=7} measures; the figures, rows per second of
 * processor time, are printed.
 */
@Tag("slow")
@Timeout(600)
class SourceRateTest
{
    private static final int ROWS = Integer.getInteger("rows", 20_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 2);
    private static final int POLL_ROWS = 50_000;
    /** The time of the thread, so that other work of the machine does not count. */
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
    private static final EventType EVENT = TestSink.type("id", CqlType.BIGINT, "symbol", CqlType.CHAR, "price",
        CqlType.DOUBLE, "volume", CqlType.INT, "at", CqlType.TIMESTAMP);

    @TempDir
    private Path directory;

    /** Adds up what it receives. */
    private static final class Sums implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(EVENT);
        private long rows;
        private double sum;
        private long chars;

        @Override
        public void send(final EventBatch batch)
        {
            for (int row = 0; row < batch.size(); row++)
            {
                sum += batch.longs(0)[row] + batch.doubles(2)[row] + batch.ints(3)[row] + batch.longs(4)[row];
                chars += batch.texts(1).length(row);
            }
            rows += batch.size();
        }

        @Override
        public void reject(final int count, final String reason, final String detail)
        {
            throw new AssertionError(reason + ' ' + detail);
        }

        /** As if nothing was stored before, so that the numbers are written. */
        @Override
        public long receivedFrom(final String producer)
        {
            return 0;
        }

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public EventBatchSender another()
        {
            throw new UnsupportedOperationException();
        }
    }

    private static JdbcDataSource database() throws SQLException
    {
        final JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:rate;DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("create table ticks(id bigint primary key, symbol varchar(16), price double precision, " +
                "volume int, at timestamp(9))");
            statement.execute("insert into ticks select x, 'S' || mod(x, 1000), x / 7.0, mod(x, 900), " +
                "dateadd(second, x, timestamp '2026-01-01 00:00:00') from system_range(1, " + ROWS + ")");
        }
        return source;
    }

    private Sums bySource(final JdbcDataSource database, final int round) throws Exception
    {
        final Sums sums = new Sums();
        final JdbcSource source = new JdbcSource(null);
        source.setDataSource(database);
        source.setTable("ticks");
        source.setPositionColumn("id");
        source.setMode("once");
        source.setLagMillis(0);
        source.setPollRows(POLL_ROWS);
        source.setPositionDirectory(directory.resolve("round" + round).toString());
        source.setBatchSender(sums);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
        source.run();
        source.destroy();
        return sums;
    }

    private static Sums byLoop(final JdbcDataSource database) throws SQLException
    {
        final Sums sums = new Sums();
        try (Connection connection = database.getConnection();
            PreparedStatement select = connection.prepareStatement(
                "select id, symbol, price, volume, at from ticks where id > ? order by id"))
        {
            select.setFetchSize(1_000);
            select.setMaxRows(POLL_ROWS);
            long last = 0;
            long before = -1;
            while (last > before)
            {
                before = last;
                select.setLong(1, last);
                try (ResultSet rows = select.executeQuery())
                {
                    while (rows.next())
                    {
                        last = rows.getLong(1);
                        sums.sum += last + rows.getDouble(3) + rows.getInt(4) +
                            rows.getTimestamp(5).getTime() * 1_000_000;
                        sums.chars += rows.getString(2).length();
                        sums.rows++;
                    }
                }
            }
        }
        return sums;
    }

    @Test
    void shouldReadTheSameAsAPlainLoop() throws Exception
    {
        final JdbcDataSource database = database();
        for (int round = 0; round < ROUNDS; round++)
        {
            final long startNs = CPU.getCurrentThreadCpuTime();
            final Sums loop = byLoop(database);
            final long middleNs = CPU.getCurrentThreadCpuTime();
            final Sums source = bySource(database, round);
            final long endNs = CPU.getCurrentThreadCpuTime();
            assertThat(source.rows).isEqualTo(loop.rows).isEqualTo(ROWS);
            assertThat(source.sum).isEqualTo(loop.sum);
            assertThat(source.chars).isEqualTo(loop.chars);
            System.out.printf("rows/s of the source %,d, of the plain loop %,d%n", rate(endNs - middleNs),
                rate(middleNs - startNs));
        }
        try (Connection connection = database.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("shutdown");
        }
    }

    private static long rate(final long timeNs)
    {
        return ROWS * TimeUnit.SECONDS.toNanos(1) / timeNs;
    }
}
