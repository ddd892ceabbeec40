package dev.millrace.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of real databases that become events. */
@Tag("slow")
@Timeout(120)
class JdbcSourceTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.BIGINT, "name", CqlType.CHAR);

    @TempDir
    private Path positions;

    private TestSource table(final Store store, final String columns)
    {
        store.table("rows_in", columns);
        return TestSource.of(EVENT, store, positions).set(source -> source.setTable("rows_in"))
            .set(source -> source.setPositionColumn("id"));
    }

    private TestSource idAndName(final Store store)
    {
        return table(store, "id bigint primary key, name varchar(300)");
    }

    private static void insert(final Store store, final String... values)
    {
        for (final String row : values)
        {
            store.execute("insert into rows_in values (" + row + ")");
        }
    }

    private static List<String> names(final long from, final long to)
    {
        return LongStream.rangeClosed(from, to).mapToObj(id -> id + ",n" + id).toList();
    }

    private static void insertRange(final Store store, final long from, final long to) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(store.url(), store.user, store.password);
            PreparedStatement insert = connection.prepareStatement("insert into rows_in values (?, ?)"))
        {
            for (long id = from; id <= to; id++)
            {
                insert.setLong(1, id);
                insert.setString(2, "n" + id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void shouldReadEveryTypeOfColumnAndNulls(final Store store) throws Exception
    {
        final EventType all = TestSink.type("id", CqlType.INT, "b", CqlType.BIGINT, "f", CqlType.FLOAT, "d",
            CqlType.DOUBLE, "m", CqlType.BIGDECIMAL, "c", CqlType.CHAR, "x", CqlType.XMLTYPE, "y", CqlType.BYTE, "o",
            CqlType.BOOLEAN, "t", CqlType.TIMESTAMP);
        store.table("rows_in", "id int primary key, b bigint, f real, d " + store.number + ", m " + store.decimal +
            ", c varchar(20), x varchar(20), y " + store.bytes + ", o " + store.flag + ", t " + store.timestamp);
        try (Connection connection = DriverManager.getConnection(store.url(), store.user, store.password);
            PreparedStatement insert =
                connection.prepareStatement("insert into rows_in values (?,?,?,?,?,?,?,?,?,?)"))
        {
            insert.setInt(1, 1);
            insert.setLong(2, Long.MAX_VALUE);
            insert.setFloat(3, 1.5f);
            insert.setDouble(4, -0.1);
            insert.setBigDecimal(5, new BigDecimal("12.3456"));
            insert.setString(6, "Zürich");
            insert.setString(7, "<a/>");
            insert.setBytes(8, new byte[] {'h', 'i'});
            insert.setBoolean(9, true);
            insert.setTimestamp(10, Timestamp.valueOf("2026-03-01 12:30:00.123456"));
            insert.executeUpdate();
        }
        insert(store, "2, null, null, null, null, null, null, null, null, null");
        final long timeNs = Timestamp.valueOf("2026-03-01 12:30:00").getTime() * 1_000_000 + 123_456_000;
        try (TestSource source = TestSource.of(all, store, positions).set(each -> each.setTable("rows_in"))
            .set(each -> each.setPositionColumn("ID")).start().await(2))
        {
            assertThat(source.received).containsExactly("1," + Long.MAX_VALUE + ",1.5,-0.1,12.3456,Zürich,<a/>,hi," +
                "true," + timeNs, "2,null,null,null,null,null,null,null,null,null");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void shouldReadRowsOfOneTimestampOnceInTheOrderOfTheTieColumn(final Store store) throws Exception
    {
        store.table("rows_in", "at " + store.timestamp + " not null, id bigint primary key");
        // 7 timestamps, 100 rows each, in no order; queries and batches end between rows of one timestamp.
        store.execute(IntStream.range(0, 700).map(i -> i * 311 % 700).mapToObj(i ->
            "insert into rows_in values ('2026-01-01 00:00:0" + i % 7 + ".25', " + i + ")").toArray(String[]::new));
        final EventType type = TestSink.type("id", CqlType.BIGINT);
        try (TestSource source = TestSource.of(type, store, positions).set(each -> each.setTable("rows_in"))
            .set(each -> each.setPositionColumn("at")).set(each -> each.setTieColumn("id"))
            .set(each -> each.setTimeColumn("at")).set(each -> each.setPollRows(64)).set(each -> each.setFetchSize(10))
            .start().await(700))
        {
            source.awaitPolls(2);
            // A row of the last timestamp that is added later is not lost either, because its tie is greater.
            store.execute("insert into rows_in values ('2026-01-01 00:00:06.25', 1000)");
            source.await(701);
            final List<String> expected = IntStream.range(0, 7).boxed().flatMap(time -> IntStream.range(0, 100)
                .mapToObj(n -> String.valueOf(n * 7 + time))).toList();
            assertThat(source.received.subList(0, 700)).isEqualTo(expected);
            assertThat(source.received).hasSize(701).endsWith("1000");
            assertThat(source.timesNs.get(0)).isEqualTo(Timestamp.valueOf("2026-01-01 00:00:00.25").getTime() *
                1_000_000);
            assertThat(source.source.statistics()).containsEntry("position", "2026-01-01T00:00:06.250")
                .containsEntry("rejected", 0L);
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, timestamptz", "H2, timestamp(9) with time zone"})
    void shouldOrderTimestampsWithTimeZone(final Store store, final String sqlType) throws Exception
    {
        store.table("rows_in", "at " + sqlType + " not null, id bigint primary key");
        insert(store, "'2026-01-01 12:00:00+02:00', 1", "'2026-01-01 11:00:00+00:00', 2",
            "'2026-01-01 09:00:00+00:00', 3");
        try (TestSource source = TestSource.of(TestSink.type("id", CqlType.BIGINT), store, positions)
            .set(each -> each.setTable("rows_in")).set(each -> each.setPositionColumn("at"))
            .set(each -> each.setTieColumn("id")).set(each -> each.setStartAt("2026-01-01T09:00:00Z")).start().await(2))
        {
            source.awaitPolls(2);
            assertThat(source.received).containsExactly("1", "2");
            assertThat(source.source.statistics()).containsEntry("position", "2026-01-01T11:00:00Z");
        }
    }

    @Test
    void shouldReadAQueryWithAPlaceholderAndMapColumnsToProperties() throws Exception
    {
        Store.H2.table("rows_in", "no decimal(18) primary key, label varchar(20), kind char(1)");
        insert(Store.H2, "1, 'one', 'a'", "2, 'two', 'b'", "3, 'three', 'a'");
        try (TestSource source = TestSource.of(EVENT, Store.H2, positions)
            .set(each -> each.setQuery("select no as number_of, upper(label) as label from rows_in /* ? */ " +
                "where kind = 'a' and no > ? order by no"))
            .set(each -> each.setPositionColumn("Number_Of")).set(each -> each.setColumns("NAME=label"))
            .set(each -> each.setEventTypeName("Row")).start().await(2))
        {
            insert(Store.H2, "5, 'five', 'a'");
            source.await(3);
            assertThat(source.received).containsExactly("null,ONE", "null,THREE", "null,FIVE");
        }
    }

    @Test
    void shouldReadAQueryWithTieAndHorizonAndLag() throws Exception
    {
        Store.H2.table("rows_in", "at timestamp, id bigint primary key");
        insert(Store.H2, "'2026-01-01 00:00:00', 1", "'2026-01-01 00:00:00', 2", "'2026-01-01 00:00:01', 3");
        try (TestSource source = TestSource.of(TestSink.type("id", CqlType.BIGINT), Store.H2, positions)
            .set(each -> each.setQuery("select at, id from rows_in where at >= :position and (at > :position or " +
                "id > :tie) and at <= :horizon order by at, id")).set(each -> each.setPositionColumn("at"))
            .set(each -> each.setTieColumn("id")).set(each -> each.setLagMillis(20)).set(each -> each.setPollRows(1))
            .start().await(3))
        {
            source.awaitPolls(3);
            assertThat(source.received).containsExactly("1", "2", "3");
        }
    }

    @Test
    void shouldReadRowsInTheirOrderAlthoughTheirTransactionsCommitInAnother() throws Exception
    {
        final TestSource source = idAndName(Store.H2).set(each -> each.setLagMillis(6_000));
        try (Connection first = DriverManager.getConnection(Store.H2.url(), "sa", "");
            Statement statement = first.createStatement())
        {
            first.setAutoCommit(false);
            statement.execute("insert into rows_in values (1, 'n1')");
            insertRange(Store.H2, 2, 3);
            source.start().awaitPolls(3);
            assertThat(source.received).isEmpty();
            first.commit();
            source.await(3);
            assertThat(source.received).isEqualTo(names(1, 3));
        }
        finally
        {
            source.close();
        }
    }

    @Test
    void shouldRejectRowsThatAreNoEventsAndPassTheOthers() throws Exception
    {
        Store.H2.table("rows_in", "pos bigint, id bigint, name varchar(300), at timestamp");
        insert(Store.H2, "null, 1, 'without position', now()", "1, 1, 'first', now()", "1, 2, 'same', now()",
            "2, 5000000000, 'too large', now()", "3, 3, 'without time', null", "4, 4, repeat('x', 257), now()",
            "5, null, null, now()");
        final EventType type = EventType.tuple("Row", new EventProperty("id", CqlType.INT),
            new EventProperty("name", CqlType.CHAR));
        try (TestSource source = TestSource.of(type, Store.H2, positions)
            .set(each -> each.setQuery("select * from rows_in where pos > ? or pos is null and ? < 1 order by pos"))
            .set(each -> each.setPositionColumn("pos")).set(each -> each.setTimeColumn("at")).start().await(2))
        {
            source.awaitPolls(3);
            // Also after more queries, because the position has passed the rows.
            assertThat(source.received).containsExactly("1,first", "null,null");
            assertThat(source.rejected).extracting(each -> each.substring(0, each.indexOf(':'))).containsExactly(
                "null-position", "position-not-increasing", "out-of-range", "null-time", "text-too-long");
            assertThat(source.rejected.get(2)).contains("JDB-0116", "stage=app/in", "after=2", "column=ID",
                "value=5000000000");
            assertThat(source.figure("rejected")).isEqualTo(5);
            assertThat(source.figure("rows")).isEqualTo(2);
        }
    }

    @Test
    void shouldRejectARowWhosePropertyPrecedesAnInvalidOne() throws Exception
    {
        Store.H2.table("rows_in", "pos bigint primary key, a int, b bigint");
        insert(Store.H2, "1, null, 5000000000", "2, 2, 2", "3, null, 3");
        final EventType type = TestSink.type("a", CqlType.INT, "b", CqlType.INT);
        try (TestSource source = TestSource.of(type, Store.H2, positions).set(each -> each.setTable("rows_in"))
            .set(each -> each.setPositionColumn("pos")).start().await(2))
        {
            // The null of the rejected row does not remain in the batch.
            assertThat(source.received).containsExactly("2,2", "null,3");
        }
    }

    @Test
    void shouldReadColumnsOfATableInAnyOrder() throws Exception
    {
        Store.H2.table("rows_in", "other int, name varchar(20), at timestamp, id bigint primary key");
        insert(Store.H2, "null, 'n1', '2026-01-01 00:00:00', 1");
        try (TestSource source = TestSource.of(EVENT, Store.H2, positions).set(each -> each.setTable("rows_in"))
            .set(each -> each.setPositionColumn("at")).set(each -> each.setTieColumn("id"))
            .set(each -> each.setTimeColumn("at")).start())
        {
            assertThat(source.await(1).received).containsExactly("1,n1");
        }
    }

    private void refused(final String columns, final Consumer<JdbcSource> setting, final String... message)
    {
        final TestSource source = table(Store.H2, columns).set(setting);
        assertThatThrownBy(source::start).hasMessageContainingAll(message);
    }

    @Test
    void shouldRefuseAtDeploymentWhatCannotWork()
    {
        final String good = "id bigint primary key, name varchar(20)";
        final Consumer<JdbcSource> none = source ->
        {
        };
        refused(good, source -> source.setTable("missing"), "JDB-0105", "table=missing");
        refused(good, source -> source.setPositionColumn("no"), "JDB-0106", "column=no", "columns=[ID, NAME]");
        refused("id bigint primary key, label varchar(20)", none, "JDB-0106", "column=name");
        refused(good, source -> source.setTimeColumn("name"), "JDB-0107", "timeColumn=NAME");
        refused("id bigint primary key, name int", none, "JDB-0107", "column=NAME", "property-type=char");
        refused(good, source -> source.setColumns("price=id"), "JDB-0113", "property=price");
        refused(good, source -> source.setEventTypeName("Other"), "JDB-0113", "eventTypeName=Other");
        refused(good, source -> source.setPositionColumn("name"), "JDB-0117", "positionColumn=NAME");
        refused("id bigint, name varchar(20)", none, "JDB-0117", "several rows may have the same position");
        refused("id decimal(10, 2) primary key, name varchar(20)", none, "JDB-0117", "positionColumn=ID");
        refused("id bigint, name varchar(20), other bigint", source -> source.setTieColumn("other"), "JDB-0117",
            "unique index");
        refused(good, source -> source.setStartAt("now"), "JDB-0101", "name=startAt", "value=now");
        refused(good, source -> source.setStartAt(" "), "JDB-0101", "name=startAt");
        refused(good, source -> source.setMode("twice"), "JDB-0101", "name=mode");
        refused(good, source -> source.setPollMillis(0), "JDB-0101", "name=pollMillis");
        refused(good, source -> source.setDataSource("none"), "JDB-0102", "known=[db]");
        refused(good, source -> source.setQuery("select 1"), "JDB-0101", "either table or query");
        refused(good, source -> query(source, "select * from rows_in"), "JDB-0101", "name=query", "placeholder");
        refused(good, source -> query(source, "select * from rows_in where id > ? and id > :tie"), "JDB-0101",
            "tieColumn");
        refused(good, source -> query(source, "select no from rows_in where id > ?"), "JDB-0105", "NO");
        refused("id bigint, name varchar(20), at timestamp", source ->
        {
            query(source, "select * from rows_in where at > ? order by at");
            source.setPositionColumn("at");
        }, "JDB-0117", "set tieColumn");
    }

    private static void query(final JdbcSource source, final String query)
    {
        source.setTable(null);
        source.setQuery(query);
    }

    @Test
    void shouldAcceptAUniqueIndexOfPositionAndTie() throws Exception
    {
        try (TestSource source = table(Store.H2, "id bigint not null, name varchar(20), part bigint not null, " +
            "unique(part, id)").set(each -> each.setTieColumn("part")))
        {
            insert(Store.H2, "1, 'n1', 2", "1, 'n0', 1");
            assertThat(source.start().await(2).received).containsExactly("1,n0", "1,n1");
        }
    }

    @Test
    void shouldStartAtTheEndOrAtAPosition() throws Exception
    {
        try (TestSource source = idAndName(Store.H2).set(each -> each.setStartAt("end")))
        {
            insertRange(Store.H2, 1, 10);
            source.start().awaitPolls(1);
            insertRange(Store.H2, 11, 12);
            assertThat(source.await(2).received).isEqualTo(names(11, 12));
        }
        try (TestSource source = idAndName(Store.H2).set(each -> each.setStartAt("5"))
            .set(each -> each.setPositionDirectory(positions.resolve("other").toString())))
        {
            insertRange(Store.H2, 1, 10);
            assertThat(source.start().await(5).received).isEqualTo(names(6, 10));
        }
    }

    @Test
    void shouldEndAfterTheRowsThatExistAtTheStartInModeOnce() throws Exception
    {
        for (final int lagMillis : new int[] {0, 50})
        {
            try (TestSource source = idAndName(Store.H2).set(each -> each.setMode("once"))
                .set(each -> each.setLagMillis(lagMillis)).set(each -> each.setPollRows(7))
                .set(each -> each.setPositionDirectory(positions.resolve("lag" + lagMillis).toString())))
            {
                insertRange(Store.H2, 1, 1_000);
                source.start().awaitEnd();
                assertThat(source.received).isEqualTo(names(1, 1_000));
                assertThat(source.source.statistics()).containsEntry("finished", true);
            }
        }
        try (TestSource empty = idAndName(Store.H2).set(each -> each.setMode("once"))
            .set(each -> each.setLagMillis(50)).set(each -> each.setPositionDirectory(
            positions.resolve("empty").toString())).start())
        {
            empty.awaitEnd();
            assertThat(empty.received).isEmpty();
        }
    }

    @Test
    void shouldContinueAfterASuspensionWithoutLossOrRepetition() throws Exception
    {
        try (TestSource source = idAndName(Store.H2))
        {
            insertRange(Store.H2, 1, 1_000);
            source.set(each -> each.setPollRows(100)).start().await(100);
            source.suspend();
            final int before = source.received.size();
            insertRange(Store.H2, 1_001, 1_100);
            source.resume();
            source.await(1_100);
            assertThat(source.received).isEqualTo(names(1, 1_100));
            assertThat(before).isBetween(100, 1_000);
        }
    }

    /** The stage below accepts nothing: the source does not read on, and can nevertheless be suspended. */
    @Test
    void shouldWaitWithTheNextRowsWhileTheStageBelowIsFull() throws Exception
    {
        try (TestSource source = idAndName(Store.H2))
        {
            insertRange(Store.H2, 1, 2_000);
            source.room.drainPermits();
            source.room.release(2);
            source.start().await(512);
            source.await("the source waits", source.room::hasQueuedThreads);
            assertThat(source.received).hasSize(512);
            assertThat(source.figure("rows")).isEqualTo(512);
            assertThat(source.figure("polls")).isZero();
            source.room.release(1_000);
            assertThat(source.await(2_000).received).isEqualTo(names(1, 2_000));
        }
    }
}
