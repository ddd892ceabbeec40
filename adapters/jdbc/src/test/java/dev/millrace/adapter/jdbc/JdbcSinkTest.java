package dev.millrace.adapter.jdbc;

import static dev.millrace.adapter.jdbc.TestSink.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows in tables of real databases: every mode, type and dialect, and errors of rows and tables. */
@Tag("slow")
@Timeout(120)
class JdbcSinkTest
{
    private static final EventType EVENT =
        TestSink.type("id", CqlType.INT, "name", CqlType.CHAR, "amount", CqlType.BIGINT);
    private static final EventType WIDE = TestSink.type("id", CqlType.INT, "big", CqlType.BIGINT, "rate",
        CqlType.FLOAT, "price", CqlType.DOUBLE, "total", CqlType.BIGDECIMAL, "name", CqlType.CHAR, "raw", CqlType.BYTE,
        "live", CqlType.BOOLEAN, "at", CqlType.TIMESTAMP, "took", CqlType.INTERVAL, "since", CqlType.TIMESTAMP);
    private static final String KEYED = "id int primary key, name varchar(20) not null, amount bigint";

    private static TestSink sink(final Store store, final String mode) throws Exception
    {
        store.table("events", KEYED);
        return TestSink.of(EVENT, store, "events").set(sink -> sink.setMode(mode)).set(sink -> sink.setKeys("id"))
            .start();
    }

    private static List<String> events(final Store store)
    {
        return store.rows("select id, name, amount from events order by id");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldInsertEveryTypeAndNulls(final Store store) throws Exception
    {
        store.table("wide", "id int, big bigint, rate real, price " + store.number + ", total " + store.decimal +
            ", name varchar(20), raw " + store.bytes + ", live " + store.flag + ", at " + store.timestamp +
            ", took bigint, since bigint");
        try (TestSink sink = TestSink.of(WIDE, store, "wide").set(made -> made.setEventTypeName("Row")).start())
        {
            sink.send(row(1, Long.MAX_VALUE, 0.5f, -1.25, new BigDecimal("12.5001"), "h\u00fcgel",
                "ab".getBytes(StandardCharsets.UTF_8), true, 1_600_000_000_123_456_000L, 7L, 1_000_000_007L),
                row(2, null, null, null, null, null, null, null, null, null, null),
                row(3, -1L, 1.5f, 0.0, new BigDecimal("-0.0001"), "", new byte[0], false, 0L, 0L, -1L)).await();

            assertThat(sink.figure("written")).isEqualTo(3);
            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(store.rows("select id, big, took, since from wide order by id")).containsExactly(
            "1,9223372036854775807,7,1000000007", "2,null,null,null", "3,-1,0,-1");
        assertThat(store.rows("select rate, price, total, name from wide where id in (1, 2) order by id"))
            .containsExactly("0.5,-1.25,12.5001,h\u00fcgel", "null,null,null,null");
        assertThat(store.rows("select id from wide where live = " +
            (store.flag.equals("boolean") ? "true" : "1"))).containsExactly("1");
        assertThat(store.rows("select at from wide where id = 1"))
            .containsExactly(new java.sql.Timestamp(1_600_000_000_123L) + "456");
    }

    @Test
    void shouldNotTakeNullsOfEarlierRowsForItsOwnWhenMemoryIsUsedAgain() throws Exception
    {
        Store.H2.table("numbers", "id int, amount bigint");
        try (TestSink sink = TestSink.of(EVENT, Store.H2, "numbers").set(made -> made.setColumns("id, amount"))
            .set(made -> made.setBufferRows(256)).start())
        {
            for (int round = 0; round < 4; round++)
            {
                final boolean isNull = round % 2 == 0;
                for (int i = 0; i < 300; i++)
                {
                    sink.send(row(round, "", isNull || i == 70 ? null : (Object)(long)i));
                }
                sink.await();
            }
        }
        assertThat(Store.H2.rows("select id, count(*), count(amount), sum(amount) from numbers group by id " +
            "order by id")).containsExactly("0,300,0,null", "1,300,299,44780", "2,300,0,null", "3,300,299,44780");
    }

    @Test
    void shouldGiveTextToColumnsOfTypesOfOneProduct() throws Exception
    {
        Store.POSTGRESQL.table("documents", "id int, name jsonb, amount bigint");
        Store.POSTGRESQL.table("pages", "id int, name xml, amount bigint");
        for (final String table : List.of("documents", "pages"))
        {
            try (TestSink sink = TestSink.of(EVENT, Store.POSTGRESQL, table).start())
            {
                sink.send(row(1, table.equals("pages") ? "<p>a</p>" : "{\"k\": 7}", 1L), row(2, null, 2L)).await();

                assertThat(sink.figure("written")).isEqualTo(2);
                assertThat(sink.figure("failed")).isZero();
            }
        }
        assertThat(Store.POSTGRESQL.rows("select id, name ->> 'k' from documents order by id"))
            .containsExactly("1,7", "2,null");
        assertThat(Store.POSTGRESQL.rows("select id, xmlserialize(content name as text) from pages order by id"))
            .containsExactly("1,<p>a</p>", "2,null");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldUpdateRowsByKeyAndCountThoseThatAreNotThere(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "update"))
        {
            store.execute("insert into events values (1, 'a', 1), (2, 'b', 2)");
            sink.send(row(1, "c", 3L), row(9, "d", 4L), row(2, "b", null)).await();

            assertThat(sink.figure("missed")).isEqualTo(1);
            assertThat(sink.figure("written")).isEqualTo(3);
        }
        assertThat(events(store)).containsExactly("1,c,3", "2,b,null");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldInsertOrUpdate(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "upsert"))
        {
            store.execute("insert into events values (1, 'a', 1)");
            sink.send(row(1, "b", 2L), row(2, "c", 3L), row(2, "d", null), row(3, "e", 5L)).await();

            assertThat(sink.figure("written")).isEqualTo(4);
            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(events(store)).containsExactly("1,b,2", "2,d,null", "3,e,5");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldInsertOrLeaveRowsOfKeysOnly(final Store store) throws Exception
    {
        store.table("pairs", "id int, name varchar(20), primary key (id, name)");
        try (TestSink sink = TestSink.of(EVENT, store, "pairs").set(made -> made.setMode("upsert"))
            .set(made -> made.setKeys("id, name")).set(made -> made.setColumns("id, name")).start())
        {
            sink.send(row(1, "a", 0L), row(1, "a", 0L), row(1, "b", 0L)).await();

            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(store.rows("select id, name from pairs order by name")).containsExactly("1,a", "1,b");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldDeleteRowsByKey(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "delete"))
        {
            store.execute("insert into events values (1, 'a', 1), (2, 'b', 2)");
            sink.send(row(2, null, null), row(7, null, null)).await();

            assertThat(sink.figure("missed")).isEqualTo(1);
        }
        assertThat(events(store)).containsExactly("1,a,1");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldFollowARelation(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "insert"))
        {
            sink.send(row(1, "a", 1L), row(2, "b", 2L)).send(EventBatch.UPDATE, row(1, "c", 3L))
                .send(EventBatch.DELETE, row(2, "b", 2L)).send(row(2, "d", 4L)).await();

            assertThat(sink.figure("missed")).isZero();
        }
        assertThat(events(store)).containsExactly("1,c,3", "2,d,4");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldLeaveOutTheRowsThatAreWrongAndNoOthers(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "insert"))
        {
            store.execute("insert into events values (77, 'there', 0)");
            final List<Object[]> rows = new ArrayList<>();
            for (int i = 0; i < 200; i++)
            {
                rows.add(row(i, i == 150 ? null : i == 199 ? "longer than twenty characters" : "n" + i, 0L));
            }
            sink.send(rows.toArray(new Object[0][])).await();

            assertThat(sink.figure("failed")).isEqualTo(3);
            assertThat(sink.figure("written")).isEqualTo(197);
        }
        assertThat(store.rows("select count(*), sum(id) from events")).containsExactly(
            "198," + (199 * 200 / 2 - 150 - 199));
        assertThat(store.rows("select name from events where id = 77")).containsExactly("there");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldRefuseTablesThatDoNotFit(final Store store)
    {
        store.table("narrow", "id int, name varchar(20)");
        store.table("other", "id int, name int, amount bigint");

        assertThatThrownBy(() -> TestSink.of(EVENT, store, "no_table").start())
            .hasMessageStartingWith("JDB-0105").hasMessageContaining("no_table").hasMessageContaining("create it");
        assertThatThrownBy(() -> TestSink.of(EVENT, store, "narrow").set(sink -> sink.setEventTypeName("Row")).start())
            .hasMessageStartingWith("JDB-0106").hasMessageContaining("property=amount");
        assertThatThrownBy(() -> TestSink.of(EVENT, store, "other").set(sink -> sink.setEventTypeName("Row")).start())
            .hasMessageStartingWith("JDB-0107").hasMessageContaining("property=name property-type=char");
        assertThatThrownBy(() -> TestSink.of(EVENT, store, "narrow").set(sink -> sink.setColumns("id=number")).start())
            .hasMessageStartingWith("JDB-0106").hasMessageContaining("column=number");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void shouldRefuseAWrongPassword(final Store store)
    {
        final boolean isTrusting = store == Store.POSTGRESQL;
        // This PostgreSQL accepts every existing user from this host.
        assertThatThrownBy(() -> new TestSink(EVENT, store.url(), isTrusting ? "nobody" : store.user, "wrong")
            .set(sink -> sink.setTable("events")).start())
            .hasMessageStartingWith("JDB-0104").hasMessageContaining("correct them in the data-source");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldGoOnWhenConnectionsAreCut(final Store store) throws Exception
    {
        try (TestSink sink = sink(store, "insert"))
        {
            sink.send(row(1, "a", 1L)).await();
            cutConnections(store);
            sink.send(row(2, "b", 2L)).await();

            assertThat(sink.figure("failed")).isZero();
            assertThat(sink.figure("lost")).isZero();
        }
        assertThat(events(store)).containsExactly("1,a,1", "2,b,2");
    }

    private static void cutConnections(final Store store)
    {
        switch (store)
        {
            case POSTGRESQL -> store.execute("select pg_terminate_backend(pid) from pg_stat_activity " +
                "where pid <> pg_backend_pid() and datname = current_database()");
            case MARIADB -> store.rows("select id from information_schema.processlist where id <> connection_id() " +
                "and user = 'app'").forEach(id -> store.execute("kill connection " + id));
            default -> store.rows("select session_id from information_schema.sessions where session_id <> session_id()")
                .forEach(id -> store.rows("call abort_session(" + id + ")"));
        }
    }

    @Test
    void shouldWriteChosenPropertiesIntoOtherColumns() throws Exception
    {
        Store.H2.table("renamed", "\"Key\" int, \"order\" bigint");
        try (TestSink sink = TestSink.of(EVENT, Store.H2, "renamed")
            .set(made -> made.setColumns("id=key, amount=ORDER")).start())
        {
            sink.send(row(1, "a", 5L)).await();
        }
        assertThat(Store.H2.rows("select * from renamed")).containsExactly("1,5");
    }

    @Test
    void shouldCountRowsOfKindsWithoutStatement() throws Exception
    {
        Store.H2.table("events", KEYED);
        try (TestSink sink = TestSink.of(EVENT, Store.H2, "events").start())
        {
            sink.send(row(1, "a", 1L)).send(EventBatch.DELETE, row(1, "a", 1L)).send(row(2, "b", 2L)).await();

            assertThat(sink.figure("failed")).isEqualTo(1);
            assertThat(sink.figure("written")).isEqualTo(2);
        }
        assertThat(events(Store.H2)).hasSize(2);
    }

    @Test
    void shouldNameTheDataSourcesThatAreThere()
    {
        assertThatThrownBy(() -> TestSink.of(EVENT, Store.H2, "events")
            .set(sink -> sink.setDataSource("other")).start())
            .hasMessageStartingWith("JDB-0102").hasMessageContaining("known=[db]");
    }
}
