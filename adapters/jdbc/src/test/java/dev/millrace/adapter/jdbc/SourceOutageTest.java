package dev.millrace.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.IntStream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that is unavailable for some time while a source reads. */
@Tag("slow")
@Timeout(180)
class SourceOutageTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.INT);

    @TempDir
    private Path directory;

    private Server server;
    private int port;

    @BeforeEach
    void startDatabase() throws SQLException
    {
        server = Server.createTcpServer("-tcpPort", "0", "-baseDir", directory.toString(), "-ifNotExists").start();
        port = server.getPort();
        execute("create table rows_in(id int primary key)");
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

    private TestSource source()
    {
        return new TestSource(EVENT, url(), "sa", "", directory.resolve("positions"))
            .set(source -> source.setTable("rows_in")).set(source -> source.setPositionColumn("id")).stored(0);
    }

    @Test
    void shouldStartWithoutDatabaseAndReadWhenItComes() throws Exception
    {
        execute("insert into rows_in values (1)");
        server.stop();
        try (TestSource source = source().start())
        {
            assertThat(source.source.statistics().get("trouble").toString()).startsWith("JDB-0103");
            restart();
            assertThat(source.await(1).received).containsExactly("1");
            source.await("recovery", source.raised::isEmpty);
            assertThat(source.source.statistics()).containsEntry("trouble", "");
        }
    }

    @Test
    void shouldContinueAfterTheLastRowWhenTheDatabaseComesBack() throws Exception
    {
        execute("insert into rows_in select x from system_range(1, 1000)");
        try (TestSource source = source().set(each -> each.setPollRows(100)).start().await(1_000))
        {
            for (int outage = 1; outage <= 3; outage++)
            {
                server.stop();
                source.await("the outage", () -> source.raised.containsKey("JDB-0103"));
                restart();
                execute("insert into rows_in values (" + (1_000 + outage) + ")");
                source.await(1_000 + outage);
                source.await("recovery", source.raised::isEmpty);
            }
            assertThat(source.received).isEqualTo(IntStream.rangeClosed(1, 1_003).mapToObj(String::valueOf).toList());
            assertThat(source.numbers).doesNotHaveDuplicates();
            assertThat(source.figure("retried")).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void shouldShowThatTheTableDisappearsAndContinueWhenItIsBack() throws Exception
    {
        execute("insert into rows_in values (1)");
        try (TestSource source = source().start().await(1))
        {
            execute("drop table rows_in");
            source.await("the condition", () -> source.raised.containsKey("JDB-0105"));
            execute("create table rows_in(id int primary key)");
            execute("insert into rows_in values (2)");
            assertThat(source.await(2).received).containsExactly("1", "2");
            source.await("recovery", source.raised::isEmpty);
        }
    }
}
