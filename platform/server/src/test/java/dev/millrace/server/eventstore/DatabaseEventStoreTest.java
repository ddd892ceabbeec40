package dev.millrace.server.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import dev.millrace.network.spi.DatasetLog;
import dev.millrace.network.spi.DatasetRecords;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStoreException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes records to tables of a real database on loopback, reads them with SQL, and reads them back. */
@Tag("slow")
@Timeout(180)
class DatabaseEventStoreTest
{
    private static final long BIG_BUFFER = 16 << 20;
    private static final EventType TICK = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("order", CqlType.BIGINT));
    private static final EventType ALL = EventType.tuple("All", new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("b", CqlType.BOOLEAN),
        new EventProperty("s", CqlType.CHAR), new EventProperty("t", CqlType.TIMESTAMP),
        new EventProperty("v", CqlType.INTERVAL), new EventProperty("n", CqlType.BIGDECIMAL),
        new EventProperty("y", CqlType.BYTE), new EventProperty("x", CqlType.XMLTYPE));

    @TempDir
    private Path directory;

    private Server server;
    private HikariDataSource source;
    private DatabaseEventStore store;

    @BeforeEach
    void open() throws SQLException
    {
        server = Server.createTcpServer("-tcpPort", "0", "-baseDir", directory.toString(), "-ifNotExists").start();
        final HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./test");
        config.setUsername("sa");
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(300);
        config.setValidationTimeout(250);
        config.setInitializationFailTimeout(-1);
        source = new HikariDataSource(config);
        store = store(100, BIG_BUFFER);
    }

    private DatabaseEventStore store(final int batchSize, final long bufferBytes)
    {
        return new DatabaseEventStore(new DatabaseSettings("events", "ev_", batchSize, bufferBytes), source);
    }

    @AfterEach
    void close()
    {
        source.close();
        server.stop();
    }

    /** Stops the database; {@link #restart} starts it at the same port. */
    private void stopDatabase()
    {
        server.stop();
        source.getHikariPoolMXBean().softEvictConnections();
    }

    private void restart() throws SQLException
    {
        final int port = server.getPort();
        server = Server.createTcpServer("-tcpPort", String.valueOf(port), "-baseDir", directory.toString(),
            "-ifNotExists").start();
    }

    private static void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as(what).isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** What a stage sends to the store for one lane. */
    private static final class Lane
    {
        private final DatasetLog log;
        private final EventBatch batch;
        private final int number;

        Lane(final DatasetLog log, final int number, final String name, final EventType type)
        {
            this.log = log;
            this.number = number;
            batch = new EventBatch(new BatchSchema(type));
            final byte[] text = GroupDescription.of(name, batch.schema(), column -> true).text()
                .getBytes(StandardCharsets.UTF_8);
            final byte[] record = ByteBuffer.allocate(5 + text.length).order(ByteOrder.LITTLE_ENDIAN)
                .put(RecordKind.GROUP).putInt(number).put(text).array();
            log.append(record, record.length);
        }

        void send(final long recordedNs)
        {
            final ByteBuffer start = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN)
                .put(RecordKind.RECORDED_ROWS).putInt(number).putLong(recordedNs);
            final ByteBuffer record = RowEncoder.forJournal(batch.schema(), column -> true).encode(batch, start);
            log.append(record.array(), record.position());
        }

        void ticks(final long recordedNs, final int rows, final long first)
        {
            batch.clear();
            for (int row = 0; row < rows; row++)
            {
                batch.texts(0).set(row, "S" + (first + row));
                batch.doubles(1)[row] = first + row + 0.25;
                batch.longs(2)[row] = first + row;
            }
            batch.size(rows);
            batch.baseTimestampNs(recordedNs - 100);
            send(recordedNs);
        }
    }

    /** A record in words: its type and time, and the values, times and kinds of its rows. */
    private List<String> read(final String dataset, final TimeRange period)
    {
        final List<String> all = new ArrayList<>();
        final RecordDecoder decoder = new RecordDecoder();
        try (DatasetRecords records = store.openReader(dataset, period))
        {
            while (records.next())
            {
                decoder.begin(records.bytes(), records.length());
                if (decoder.kind() == RecordKind.GROUP)
                {
                    all.add("GROUP " + decoder.group().name());
                    continue;
                }
                final EventBatch rows = decoder.rows();
                final StringBuilder text = new StringBuilder(decoder.group().name()).append('@')
                    .append(decoder.recordedNs());
                for (int row = 0; row < rows.size(); row++)
                {
                    text.append(" | ").append(rows.timestampNs(row))
                        .append(rows.hasKinds() ? "k" + rows.kind(row) : "");
                    for (int column = 0; column < rows.schema().columnCount(); column++)
                    {
                        final Object value = rows.value(column, row);
                        text.append(' ').append(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) :
                            String.valueOf(value));
                    }
                }
                all.add(text.toString());
            }
        }
        return all;
    }

    private List<String> query(final String text) throws SQLException
    {
        final List<String> rows = new ArrayList<>();
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement();
            ResultSet result = statement.executeQuery(text))
        {
            while (result.next())
            {
                final List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++)
                {
                    row.add(result.getString(i));
                }
                rows.add(String.join(",", row));
            }
        }
        return rows;
    }

    @Test
    void shouldStoreRowsInATableThatUsersCanQuery() throws Exception
    {
        try (DatasetLog log = store.open("monday", "app/in"))
        {
            new Lane(log, 0, "Tick", TICK).ticks(1_500_000_000L, 3, 7);
            assertThat(store.summary("monday").recordedBy()).isEqualTo("app/in");
        }
        assertThat(read("monday", TimeRange.ALL)).containsExactly("GROUP Tick", "Tick@1500000000 | 1499999900 S7 " +
            "7.25 7 | 1499999901 S8 8.25 8 | 1499999902 S9 9.25 9");
        assertThat(query("SELECT symbol, price, \"ORDER\" FROM ev_monday_tick WHERE price > 8 ORDER BY price"))
            .containsExactly("S8,8.25,8", "S9,9.25,9");
        assertThat(query("SELECT batch_no, row_no, recorded_ns, recorded_at, event_ns, row_kind FROM ev_monday_tick " +
            "WHERE row_no = 2")).containsExactly("1,2,1500000000,1970-01-01 00:00:01.5,1499999902,null");
        final DatasetSummary summary = store.summary("monday");
        assertThat(summary.rows()).isEqualTo(3);
        assertThat(summary.types()).containsExactly("Tick");
        assertThat(summary.tables()).containsExactly("EV_MONDAY_TICK");
        assertThat(summary.firstNs()).isEqualTo(1_500_000_000L).isEqualTo(summary.lastNs());
        assertThat(summary.recordedBy()).isNull();
    }

    @Test
    void shouldKeepValuesOfAllTypesKindsAndNulls() throws Exception
    {
        try (DatasetLog log = store.open("d", "app/in"))
        {
            final Lane lane = new Lane(log, 0, "All", ALL);
            final EventBatch batch = lane.batch;
            batch.size(2);
            batch.ints(0)[0] = Integer.MIN_VALUE;
            batch.longs(1)[0] = Long.MAX_VALUE;
            batch.floats(2)[0] = 0.1f;
            batch.doubles(3)[0] = Double.MIN_VALUE;
            batch.bits(4)[0] = 1;
            batch.texts(5).set(0, "Zürich '\"\\ 日本");
            batch.longs(6)[0] = 1_764_460_800_123_456_789L;
            batch.longs(7)[0] = -1;
            batch.references(8)[0] = new BigDecimal("12345678901234567890.1200");
            batch.references(9)[0] = new byte[] {0, -1, 7};
            batch.references(10)[0] = "<a>b</a>";
            for (int column = 0; column < ALL.properties().size(); column++)
            {
                batch.setNull(column, 1);
            }
            batch.useTimestampPerRow()[0] = 5;
            batch.useTimestampPerRow()[1] = 3;
            batch.useKinds()[0] = EventBatch.UPDATE;
            batch.useKinds()[1] = EventBatch.DELETE;
            lane.send(9);
        }
        assertThat(read("d", TimeRange.ALL)).containsExactly("GROUP All", "All@9 | 5k2 -2147483648 " +
            "9223372036854775807 0.1 4.9E-324 true Zürich '\"\\ 日本 1764460800123456789 -1 " +
            "12345678901234567890.1200 00ff07 <a>b</a> | 3k1" + " null".repeat(ALL.properties().size()));
        assertThat(query("SELECT row_kind, i, f FROM ev_d_all ORDER BY row_no"))
            .containsExactly("UPDATE,-2147483648,0.10000000149011612", "DELETE,null,null");
    }

    @Test
    void shouldReadBatchesOfAllTablesInTheirOrderOverManyPagesAndByTime() throws Exception
    {
        final int batches = 120;
        final List<String> expected = new ArrayList<>();
        try (DatasetLog log = store.open("d", "app/in"))
        {
            final Lane ticks = new Lane(log, 0, "Tick", TICK);
            final Lane results = new Lane(log, 1, "Tick query=q", TICK);
            for (int i = 0; i < batches; i++)
            {
                final boolean isResult = i % 10 == 3;
                (isResult ? results : ticks).ticks(1_000L * i, isResult ? 2 : 100, i);
                expected.add((isResult ? "Tick query=q@" : "Tick@") + 1_000L * i);
            }
        }
        final List<String> found = read("d", TimeRange.ALL).stream().filter(text -> !text.startsWith("GROUP"))
            .map(text -> text.substring(0, text.indexOf(" |"))).toList();
        assertThat(found).isEqualTo(expected);
        assertThat(read("d", TimeRange.ALL).stream()
            .mapToLong(text -> text.chars().filter(c -> c == '|').count()).sum()).isEqualTo(12 * 2 + 108 * 100);
        assertThat(read("d", new TimeRange(10_000, 12_000)).stream()
            .map(text -> text.replaceFirst(" \\|.*", ""))).containsExactly("GROUP Tick", "Tick@10000", "Tick@11000");
        assertThat(read("d", new TimeRange(13_000, 13_001)).stream()
            .map(text -> text.replaceFirst(" \\|.*", ""))).containsExactly("GROUP Tick query=q", "Tick query=q@13000");
        assertThat(read("d", new TimeRange(-5, 0))).isEmpty();
        assertThat(store.summary("d").tables()).containsExactly("EV_D_TICK", "EV_D_TICK_Q");
    }

    @Test
    void shouldContinueADatasetAndStoreChangedTypesInANewTable() throws Exception
    {
        final EventType changed = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR));
        try (DatasetLog log = store.open("d", "app/in"))
        {
            new Lane(log, 0, "Tick", TICK).ticks(1, 1, 1);
        }
        // Another recording may begin before the database contains the rows of the one before.
        try (DatasetLog log = store.open("d", "app/in"))
        {
            final Lane lane = new Lane(log, 0, "Tick", changed);
            lane.batch.texts(0).set(0, "X");
            lane.batch.size(1);
            lane.send(2);
        }
        assertThat(read("d", TimeRange.ALL)).containsExactly("GROUP Tick", "Tick@1 | -99 S1 1.25 1", "GROUP Tick",
            "Tick@2 | 0 X");
        assertThat(store.summary("d").tables()).containsExactly("EV_D_TICK", "EV_D_TICK_2");
        assertThat(store.datasets()).containsExactly("d");
        store.delete("d");
        assertThat(store.datasets()).isEmpty();
        assertThat(query("SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'EV_D%' ORDER BY 1"))
            .containsExactly("EV_DATASET", "EV_DATASET_COLUMN", "EV_DATASET_TABLE");
    }

    @Test
    void shouldBufferRowsWhileTheDatabaseIsDownAndStoreEachOnce() throws Exception
    {
        stopDatabase();
        final DatasetLog log = store.open("d", "app/in");
        final Lane lane = new Lane(log, 0, "Tick", TICK);
        lane.ticks(1, 100, 0);
        await("problem", () -> log.problem() != null);
        assertThat(log.problem()).contains("Connection");
        assertThatThrownBy(store::datasets).isInstanceOf(EventStoreException.class)
            .hasMessageContainingAll("SRV-0522", "cannot be used");
        restart();
        await("stored rows", () -> log.problem() == null);
        lane.ticks(2, 100, 100);
        assertThat(read("d", TimeRange.ALL)).hasSize(3);
        stopDatabase();
        for (int i = 2; i < 10; i++)
        {
            lane.ticks(i + 1, 100, 100L * i);
        }
        await("problem", () -> log.problem() != null);
        log.close();
        restart();
        assertThat(read("d", TimeRange.ALL)).hasSize(11);
        assertThat(query("SELECT COUNT(*), COUNT(DISTINCT symbol), MAX(batch_no) FROM ev_d_tick"))
            .containsExactly("1000,1000,10");
        assertThat(log.lostRows()).isZero();
    }

    @Test
    void shouldRefuseRowsWithoutWaitingWhenTheBufferIsFull() throws Exception
    {
        stopDatabase();
        store = store(100, 1 << 14);
        final DatasetLog log = store.open("d", "app/in");
        final Lane lane = new Lane(log, 0, "Tick", TICK);
        final long start = System.nanoTime();
        assertThatThrownBy(() ->
        {
            for (int i = 0; i < 100; i++)
            {
                lane.ticks(i, 100, i);
            }
        }).isInstanceOf(EventStoreException.class).hasMessageContainingAll("SRV-0521", "is full", "dataset=d");
        assertThat(System.nanoTime() - start).as("would wait for the database")
            .isLessThan(TimeUnit.SECONDS.toNanos(50));
        log.close();
        restart();
        // A reader waits for the rest.
        await("stored rows", () -> store.summary("d").rows() > 0);
        read("d", TimeRange.ALL);
        assertThat(store.summary("d").rows()).isLessThan(1_000);
    }

    @Test
    void shouldEndARecordingWhoseRowsTheDatabaseRefuses() throws Exception
    {
        final DatasetLog log = store.open("d", "app/in");
        final Lane lane = new Lane(log, 0, "Tick", TICK);
        lane.ticks(1, 1, 1);
        assertThat(read("d", TimeRange.ALL)).hasSize(2);
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("ALTER TABLE ev_d_tick ADD CONSTRAINT few CHECK (price < 100)");
        }
        lane.ticks(2, 5, 99);
        await("failure", () -> log.problem() != null);
        assertThat(log.problem()).contains("SRV-0522", "refuses", "dataset=d", "FEW");
        assertThat(log.lostRows()).isEqualTo(5);
        assertThatThrownBy(() -> lane.ticks(3, 1, 1)).hasMessageContaining("SRV-0522");
        log.close();
        try (DatasetLog next = store.open("d", "app/in"))
        {
            new Lane(next, 0, "Tick", TICK).ticks(4, 1, 4);
        }
        assertThat(read("d", TimeRange.ALL).stream().map(text -> text.replaceFirst(" \\|.*", "")))
            .containsExactly("GROUP Tick", "Tick@1", "Tick@4");
    }

    @Test
    void shouldRefuseASecondRecordingAndDeletionWhileAStageRecords() throws Exception
    {
        try (DatasetLog log = store.open("d", "app/in"))
        {
            new Lane(log, 0, "Tick", TICK).ticks(1, 1, 1);
            assertThatThrownBy(() -> store.open("d", "app/other")).hasMessageContainingAll("SRV-0520", "stage=app/in");
            assertThatThrownBy(() -> store.delete("d")).hasMessageContainingAll("SRV-0520", "by=app/in", "stop that");
        }
    }

    @Test
    void shouldStoreBufferedRowsBeforeItCloses() throws Exception
    {
        final Lane lane = new Lane(store.open("d", "app/in"), 0, "Tick", TICK);
        for (int i = 0; i < 50; i++)
        {
            lane.ticks(i, 200, 200L * i);
        }
        store.close();
        assertThat(query("SELECT COUNT(*), COUNT(DISTINCT \"ORDER\") FROM ev_d_tick")).containsExactly("10000,10000");
    }

    @Test
    void shouldReportADatabaseThatFailsBetweenPages() throws Exception
    {
        try (DatasetLog log = store.open("d", "app/in"))
        {
            final Lane lane = new Lane(log, 0, "Tick", TICK);
            for (int i = 0; i < 30; i++)
            {
                lane.ticks(i, 200, i);
            }
        }
        try (DatasetRecords records = store.openReader("d", TimeRange.ALL))
        {
            assertThat(records.next()).isTrue();
            assertThat(records.next()).isTrue();
            stopDatabase();
            assertThatThrownBy(() ->
            {
                while (records.next())
                {
                    assertThat(Arrays.copyOf(records.bytes(), records.length())).isNotEmpty();
                }
            }).hasMessageContainingAll("SRV-0522", "cannot be read", "dataset=d");
        }
    }
}
