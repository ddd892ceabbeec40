package dev.millrace.adapter.jdbc;

import static dev.millrace.adapter.jdbc.TestSink.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.adapter.jdbc.buffer.RowBlock;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A database that fails and recovers, or does not recover, while rows arrive. */
@Tag("slow")
@Timeout(180)
class OutageTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.INT, "name", CqlType.CHAR);
    private static final int BLOCK = RowBlock.CAPACITY;

    @TempDir
    private Path directory;

    private Server server;
    private int port;

    @BeforeEach
    void startDatabase() throws SQLException
    {
        server = Server.createTcpServer("-tcpPort", "0", "-baseDir", directory.toString(), "-ifNotExists").start();
        port = server.getPort();
        execute("create table events(id int primary key, name varchar(300))");
    }

    @AfterEach
    void stopDatabase()
    {
        server.stop();
    }

    private void restart() throws SQLException
    {
        server = Server.createTcpServer("-tcpPort", Integer.toString(port), "-baseDir", directory.toString()).start();
    }

    private String url()
    {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./test";
    }

    private void execute(final String sql) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
            Statement statement = connection.createStatement())
        {
            statement.execute(sql);
        }
    }

    private List<Integer> ids() throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
            Statement statement = connection.createStatement();
            ResultSet found = statement.executeQuery("select id from events order by _rowid_"))
        {
            final List<Integer> ids = new ArrayList<>();
            while (found.next())
            {
                ids.add(found.getInt(1));
            }
            return ids;
        }
    }

    private TestSink sink(final String whenFull)
    {
        return new TestSink(EVENT, url(), "sa", "").set(sink -> sink.setTable("events"))
            .set(sink -> sink.setWhenFull(whenFull)).set(sink -> sink.setBufferRows(2 * BLOCK))
            .set(sink -> sink.setShutdownMillis(200));
    }

    private TestSink spilling() throws Exception
    {
        return sink("spill").set(sink -> sink.setSpillDirectory(spill().toString()));
    }

    private Path spill()
    {
        return directory.resolve("spill");
    }

    private static Object[][] rows(final int from, final int count)
    {
        return IntStream.range(from, from + count).mapToObj(id -> row(id, "name of " + id)).toArray(Object[][]::new);
    }

    private static List<Integer> range(final int from, final int to)
    {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void shouldStartWithoutDatabaseAndWriteWhenItComes() throws Exception
    {
        server.stop();
        try (TestSink sink = sink("block").start())
        {
            assertThat(sink.sink.statistics().get("trouble").toString()).startsWith("JDB-0103");
            sink.send(rows(0, 10));
            restart();
            sink.await();

            assertThat(sink.sink.statistics().get("trouble")).isEqualTo("");
        }
        assertThat(ids()).isEqualTo(range(0, 10));
    }

    @Test
    void shouldLogAndShowTheCauseOfAnOutageWheneverItChanges() throws Exception
    {
        execute("drop table events");
        server.stop();
        final Logger logger = (Logger)LoggerFactory.getLogger(Outage.class);
        final ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(lines);
        try (TestSink sink = sink("block").start())
        {
            sink.send(rows(0, 3));
            assertThat(sink.raised).containsOnlyKeys("JDB-0103");
            restart();
            await(() -> sink.raised.containsKey("JDB-0105"));
            assertThat(sink.raised).containsOnlyKeys("JDB-0105");
            execute("create table events(id int primary key, name varchar(300))");
            sink.await();
            assertThat(sink.raised).isEmpty();
        }
        finally
        {
            logger.detachAppender(lines);
            logger.setAdditive(true);
            logger.setLevel(null);
        }
        assertThat(ids()).isEqualTo(range(0, 3));
        final List<String> texts = List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertThat(texts.get(0)).startsWith("JDB-0103").doesNotContain("has changed");
        assertThat(texts.get(texts.size() - 1)).startsWith("JDB-0105").contains("the cause has changed");
        assertThat(texts).hasSizeLessThan(10);
        assertThat(lines.list).allMatch(line -> line.getThrowableProxy() == null);
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not in time");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void shouldKeepRowsInFilesInOrderUntilTheDatabaseIsBack() throws Exception
    {
        try (TestSink sink = spilling().start())
        {
            sink.send(rows(0, 10)).await();
            server.stop();
            for (int i = 10; i < 5_010; i += 100)
            {
                sink.send(rows(i, 100));
            }
            assertThat(sink.figure("waiting")).isEqualTo(5_000);
            assertThat(sink.figure("waitingInFiles")).isBetween(1_000L, 5_000L);
            restart();
            sink.send(rows(5_010, 100)).await();

            assertThat(sink.figure("written")).isEqualTo(5_110);
            assertThat(sink.figure("failed")).isZero();
            assertThat(sink.figure("rejected")).isZero();
        }
        assertThat(ids()).isEqualTo(range(0, 5_110));
        assertThat(files()).isEmpty();
    }

    private List<String> files() throws IOException
    {
        try (Stream<Path> files = Files.list(spill()))
        {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldKeepWhatIsLeftAtTheEndForTheNextStart() throws Exception
    {
        try (TestSink sink = spilling().start())
        {
            sink.send(rows(0, 10)).await();
            server.stop();
            for (int i = 10; i < 2_010; i += 100)
            {
                sink.send(rows(i, 100));
            }
            sink.send(rows(2_010, 7));
        }
        assertThat(files()).isNotEmpty();
        restart();
        try (TestSink sink = spilling().start())
        {
            assertThat(sink.figure("restored")).isEqualTo(2_007);
            sink.send(rows(2_017, 5)).await();

            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(ids()).isEqualTo(range(0, 2_022));
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldLeaveOutRowsThatWereBeingWrittenToAFileWhenTheProcessDied() throws Exception
    {
        server.stop();
        spilling().start().send(rows(0, 10)).close();
        final Path file = spill().resolve(files().get(0));
        Files.write(file, new byte[] {0, 0, 1, 0, 7}, StandardOpenOption.APPEND);
        restart();
        try (TestSink sink = spilling().start())
        {
            sink.await();
        }
        assertThat(ids()).isEqualTo(range(0, 10));
    }

    @Test
    void shouldRefuseFilesOfOthers() throws Exception
    {
        Files.createDirectories(spill());
        Files.writeString(spill().resolve("001000000.rows"), "something else that is long enough for a header");

        assertThatThrownBy(() -> spilling().start()).hasMessageStartingWith("JDB-0112")
            .hasMessageContaining("001000000.rows").hasMessageContaining("move it");
    }

    @Test
    void shouldRejectWholeBatchesWhenFilesAreFullAsWell() throws Exception
    {
        server.stop();
        try (TestSink sink = spilling().set(made -> made.setSpillMaxBytes(40_000)).start())
        {
            int sent = 0;
            try
            {
                for (; sent < 100_000; sent += 100)
                {
                    sink.send(rows(sent, 100));
                }
            }
            catch (final EventRejectedException e)
            {
                assertThat(e).hasMessageStartingWith("JDB-0111").hasMessageContaining("spillMaxBytes=40000");
            }
            assertThat(sink.figure("rejected")).isEqualTo(100);
            assertThat(sink.figure("waiting")).isEqualTo(sent);
            restart();
            sink.await();

            assertThat(ids()).isEqualTo(range(0, sent));
        }
    }

    @Test
    void shouldRejectRowsWhenMemoryIsFull() throws Exception
    {
        server.stop();
        try (TestSink sink = sink("reject").start())
        {
            sink.send(rows(0, BLOCK)).send(rows(BLOCK, BLOCK)).send(rows(2 * BLOCK, BLOCK));

            assertThatThrownBy(() -> sink.send(rows(3 * BLOCK, BLOCK)).send(rows(4 * BLOCK, BLOCK)))
                .isInstanceOf(EventRejectedException.class).hasMessageStartingWith("JDB-0111")
                .hasMessageContaining("JDB-0103");
            restart();
            sink.await();
            assertThat(ids()).hasSize((int)sink.figure("received"));
        }
    }

    @Test
    void shouldMakeTheChannelWaitOnlyWhenAskedTo() throws Exception
    {
        server.stop();
        try (TestSink sink = sink("block").start())
        {
            final CountDownLatch sent = new CountDownLatch(2);
            final CompletableFuture<Void> sender = CompletableFuture.runAsync(() ->
            {
                for (int i = 0; i < 10; i++)
                {
                    try
                    {
                        sink.send(rows(i * BLOCK, BLOCK));
                        sent.countDown();
                    }
                    catch (final EventRejectedException e)
                    {
                        throw new IllegalStateException(e);
                    }
                }
            });
            assertThat(sent.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(sender).isNotDone();
            restart();
            sender.get(60, TimeUnit.SECONDS);
            sink.await();

            assertThat(sink.figure("rejected")).isZero();
        }
        assertThat(ids()).isEqualTo(range(0, 10 * BLOCK));
    }

    @Test
    void shouldCountWhatIsLostWithoutDirectory() throws Exception
    {
        server.stop();
        final TestSink sink = sink("reject").start();
        sink.send(rows(0, 20));
        sink.close();

        assertThat(sink.figure("lost")).isEqualTo(20);
    }

    @Test
    void shouldWaitForATableThatIsGoneMeanwhile() throws Exception
    {
        try (TestSink sink = sink("block").start())
        {
            sink.send(rows(0, 3)).await();
            execute("alter table events rename to other");
            sink.send(rows(3, 3));
            while (sink.sink.statistics().get("trouble").equals(""))
            {
                Thread.onSpinWait();
            }
            assertThat(sink.sink.statistics().get("trouble").toString()).matches("(?s)JDB-01(05|14) .*");
            execute("alter table other rename to events");
            sink.await();

            assertThat(sink.figure("failed")).isZero();
        }
        assertThat(ids()).isEqualTo(range(0, 6));
    }

    @Test
    void shouldWriteWhatIsThereWhenItEnds() throws Exception
    {
        try (TestSink sink = sink("block").set(made -> made.setBatchMillis(60_000))
            .set(made -> made.setShutdownMillis(10_000)).start())
        {
            sink.send(rows(0, 7));
        }
        assertThat(ids()).isEqualTo(range(0, 7));
    }
}
