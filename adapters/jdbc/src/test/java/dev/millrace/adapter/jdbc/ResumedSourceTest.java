package dev.millrace.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A source that starts again: every row has one number, whatever the stages below have stored. */
@Tag("slow")
@Timeout(120)
class ResumedSourceTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.BIGINT);

    @TempDir
    private Path directory;

    @BeforeEach
    void createTable()
    {
        Store.H2.table("rows_in", "at bigint not null, id bigint primary key");
    }

    private Path positions()
    {
        return directory.resolve("positions");
    }

    private TestSource source()
    {
        return TestSource.of(EVENT, Store.H2, positions()).set(each -> each.setTable("rows_in"))
            .set(each -> each.setPositionColumn("at")).set(each -> each.setTieColumn("id"));
    }

    /** Rows from 1; two rows have the same position each. */
    private static void insert(final long from, final long to) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(Store.H2.url(), "sa", "");
            PreparedStatement insert = connection.prepareStatement("insert into rows_in values (?, ?)"))
        {
            for (long id = from; id <= to; id++)
            {
                insert.setLong(1, id / 2);
                insert.setLong(2, id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Restarts at random numbers, while rows are added and removed in the range that is repeated. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGiveARowTheSameNumberWheneverItIsSent(final long seed) throws Exception
    {
        final Random random = new Random(seed);
        final Map<Long, String> byNumber = new HashMap<>();
        final List<String> stored = new ArrayList<>();
        long last = 0;
        for (int run = 0; run < 6; run++)
        {
            final long added = last + 1 + random.nextInt(1_500);
            insert(last + 1, added);
            last = added;
            try (TestSource source = source().stored(stored.size()).set(each -> each.setPollRows(
                1 + random.nextInt(700))).start())
            {
                final long end = last;
                source.await("the last row", () -> source.received.contains(Long.toString(end)));
                for (int i = 0; i < source.received.size(); i++)
                {
                    final String before = byNumber.putIfAbsent(source.numbers.get(i), source.received.get(i));
                    assertThat(source.received.get(i)).as("row %s", source.numbers.get(i))
                        .isEqualTo(before == null ? source.received.get(i) : before);
                }
                // The stage below has stored only a part of what was sent before it was killed.
                final int storedNow = stored.size() + random.nextInt(byNumber.size() - stored.size() + 1);
                for (long number = stored.size() + 1; number <= storedNow; number++)
                {
                    stored.add(byNumber.get(number));
                }
            }
            // A transaction that commits after the lag: its row is before rows that were sent.
            Store.H2.execute("insert into rows_in values (" + (last / 2 - 1) + ", " + (1_000_000 + run) + ")");
        }
        final List<String> expected = Stream.iterate(1L, id -> id + 1).limit(stored.size()).map(String::valueOf)
            .toList();
        assertThat(stored).isEqualTo(expected);
    }

    @Test
    void shouldPassOverRowsThatWereDeletedBeforeTheyAreRepeated() throws Exception
    {
        insert(1, 10);
        try (TestSource source = source().stored(0).start().await(10))
        {
            assertThat(source.numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        }
        Store.H2.execute("delete from rows_in where id in (5, 10)");
        insert(11, 12);
        Store.H2.execute("insert into rows_in values (2, 99)");
        try (TestSource source = source().stored(3).start().await(7))
        {
            assertThat(source.received).containsExactly("4", "6", "7", "8", "9", "11", "12");
            assertThat(source.numbers).containsExactly(4L, 6L, 7L, 8L, 9L, 11L, 12L);
            assertThat(source.figure("repeated")).isEqualTo(5);
            assertThat(source.figure("skipped")).isEqualTo(1);
        }
    }

    @Test
    void shouldContinueAfterTheLastRowIfNoStageStoresNumbers() throws Exception
    {
        insert(1, 300);
        try (TestSource source = source().start().await(300))
        {
            assertThat(source.numbers).containsOnly(0L);
        }
        insert(301, 310);
        try (TestSource source = source().set(each -> each.setStartAt("end")).start().await(10))
        {
            source.awaitPolls(2);
            assertThat(source.received).hasSize(10).startsWith("301").endsWith("310");
        }
    }

    @Test
    void shouldBeginAgainIfTheStateOfTheStagesBelowWasDeletedAndStartAtHasChanged() throws Exception
    {
        insert(1, 10);
        source().stored(0).start().await(10).close();
        try (TestSource source = source().stored(0).set(each -> each.setStartAt("3")).start().await(3))
        {
            // Positions greater than 3: ids from 8.
            assertThat(source.received).containsExactly("8", "9", "10");
            assertThat(source.numbers).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void shouldKeepTheEndAtWhichTheFirstStartBeganUntilARowIsStored() throws Exception
    {
        insert(1, 10);
        final TestSource first = source().stored(0).set(each -> each.setStartAt("end")).start();
        first.awaitPolls(1);
        insert(12, 13);
        first.await(2).close();
        try (TestSource source = source().stored(0).set(each -> each.setStartAt("end")).start().await(2))
        {
            assertThat(source.received).containsExactly("12", "13");
        }
    }

    @Test
    void shouldReportLostPositionsAndWaitForThem() throws Exception
    {
        insert(1, 10);
        source().stored(0).start().await(10).close();
        final Path saved = directory.resolve("saved");
        Files.move(positions(), saved);
        try (TestSource source = source().stored(4).start())
        {
            source.await("the condition", () -> source.raised.containsKey("JDB-0119"));
            assertThat(source.raised.get("JDB-0119")).contains("stored=4", "restore the directory");
            assertThat(source.received).isEmpty();
            try (Stream<Path> files = Files.list(saved))
            {
                for (final Path file : files.filter(each -> each.toString().endsWith(".positions")).toList())
                {
                    Files.copy(file, positions().resolve(file.getFileName()));
                }
            }
            assertThat(source.await(6).received).containsExactly("5", "6", "7", "8", "9", "10");
            source.await("recovery", source.raised::isEmpty);
        }
    }

    @Test
    void shouldRefusePositionsOfAnotherColumn() throws Exception
    {
        insert(1, 10);
        source().stored(0).start().await(10).close();
        try (TestSource source = TestSource.of(EVENT, Store.H2, positions()).stored(4)
            .set(each -> each.setTable("rows_in")).set(each -> each.setPositionColumn("id")).start())
        {
            source.await("the condition", () -> source.raised.containsKey("JDB-0119"));
            assertThat(source.raised.get("JDB-0119")).contains("positionColumn=AT", "positionColumn=ID");
            assertThat(source.received).isEmpty();
        }
    }

    @Test
    void shouldWaitForTheDirectoryWhileAnotherSourceUsesIt() throws Exception
    {
        insert(1, 10);
        final TestSource first = source().start().await(10);
        try (TestSource second = source().start())
        {
            second.await("the condition", () -> second.raised.containsKey("JDB-0118"));
            assertThat(second.raised.get("JDB-0118")).contains("another source of this process");
            first.close();
            insert(11, 12);
            assertThat(second.await(2).received).containsExactly("11", "12");
            second.await("recovery", second.raised::isEmpty);
        }
    }
}
