package dev.millrace.adapter.jdbc;

import static dev.millrace.adapter.jdbc.TestSink.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.SequencedSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sink that stores the numbers of rows with the rows. */
@Tag("slow")
@Timeout(120)
class PositionTableTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.INT, "name", CqlType.CHAR);

    private static TestSink sink(final Store store) throws Exception
    {
        return TestSink.of(EVENT, store, "events").set(sink -> sink.setWhenFull(null))
            .set(sink -> sink.setPositionTable("positions")).start();
    }

    private static void tables(final Store store)
    {
        store.table("events", "id int primary key, name varchar(20)");
        store.table("positions", "PRODUCER varchar(500) primary key, LAST_NUMBER bigint not null");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void shouldWriteEachNumberedRowOnceOverSeveralRuns(final Store store) throws Exception
    {
        tables(store);
        final String one = "one/" + store;
        final String two = "two/" + store;
        try (TestSink sink = sink(store))
        {
            assertThat(sink.sink.receivedFrom(one)).isZero();
            assertThat(sink.sink.receivedFrom(two)).isZero();
            sink.sendNumbered(one, 1, row(1, "a"), row(2, "b")).sendNumbered(two, 1, row(11, "x")).await();
            // The second time only the third row is new.
            sink.sendNumbered(one, 1, row(1, "a"), row(2, "b"), row(3, "c")).sendNumbered(one, 2, row(2, "b")).await();
            assertThat(sink.sink.receivedFrom(one)).isEqualTo(3);
            assertThat(sink.sink.receivedFrom(two)).isEqualTo(1);
        }
        assertThat(store.rows("select LAST_NUMBER from positions order by LAST_NUMBER")).containsExactly("1", "3");
        try (TestSink sink = sink(store))
        {
            assertThat(sink.sink.receivedFrom(one)).isEqualTo(3);
            sink.sendNumbered(one, 2, row(2, "b"), row(3, "c"), row(4, "d")).send(row(5, "without number")).await();
            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(store.rows("select id from events order by id")).containsExactly("1", "2", "3", "4", "5", "11");
        assertThat(store.rows("select LAST_NUMBER from positions order by LAST_NUMBER")).containsExactly("1", "4");
    }

    /** A number is in the table only if its row is: both are written by one transaction. */
    @Test
    void shouldStoreNoNumberOfARowThatIsNotWrittenYet() throws Exception
    {
        tables(Store.H2);
        final String producer = "rolled back";
        try (TestSink sink = sink(Store.H2))
        {
            assertThat(sink.sink.receivedFrom(producer)).isZero();
            // The second row violates the primary key, and everything after it is written in other transactions.
            sink.sendNumbered(producer, 1, row(1, "a"), row(1, "again"), row(2, "b")).await();
            assertThat(sink.figure("failed")).isEqualTo(1);
            assertThat(sink.sink.receivedFrom(producer)).isEqualTo(3);
        }
        assertThat(Store.H2.rows("select id, name from events order by id")).containsExactly("1,a", "2,b");
        assertThat(Store.H2.rows("select LAST_NUMBER from positions")).containsExactly("3");
    }

    @Test
    void shouldNameTheStatementThatCreatesTheTableIfItIsMissing() throws Exception
    {
        Store.H2.table("events", "id int primary key, name varchar(20)");
        try (TestSink sink = TestSink.of(EVENT, Store.H2, "events").set(each -> each.setPositionTable("missing"))
            .start())
        {
            assertThatThrownBy(() -> sink.sink.receivedFrom("anyone")).hasMessageContaining("JDB-0115")
                .hasMessageContaining("create table missing (PRODUCER varchar(500) primary key");
        }
    }

    @Test
    void shouldStoreNumbersOnlyWithTableAndWithoutFiles() throws Exception
    {
        tables(Store.H2);
        try (TestSink sink = TestSink.of(EVENT, Store.H2, "events").start())
        {
            assertThat(sink.sink.receivedFrom("anyone")).isEqualTo(SequencedSink.NOT_STORED);
        }
        assertThatThrownBy(() -> TestSink.of(EVENT, Store.H2, "events").set(each -> each.setPositionTable("positions"))
            .set(each -> each.setWhenFull("spill")).start()).hasMessageContaining("name=whenFull")
            .hasMessageContaining("positionTable");
    }
}
