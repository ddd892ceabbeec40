package dev.millrace.cql.processor.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.cql.processor.LogLines;
import dev.millrace.cql.processor.ObjectApplication;
import dev.millrace.cql.processor.Waiting;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.lane.Rejections;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of a real database on loopback, which is stopped and started during the test, joined with a stream. */
@Tag("slow")
@Timeout(180)
class TablesTest
{
    private static final String DECLARATION =
        "<wlevs:table id=\"prices\" event-type=\"Price\" data-source=\"db\" table-name=\"NAME\"/>" +
        "<wlevs:event-type-repository><wlevs:event-type type-name=\"Price\"><wlevs:properties type=\"map\">" +
        "<wlevs:property name=\"symbol\" type=\"char\"/><wlevs:property name=\"day\" type=\"int\"/>" +
        "<wlevs:property name=\"price\" type=\"double\"/><wlevs:property name=\"since\" type=\"timestamp\"/>" +
        "<wlevs:property name=\"live\" type=\"boolean\"/><wlevs:property name=\"amount\" type=\"bigdecimal\"/>" +
        "<wlevs:property name=\"number\" type=\"bigint\"/><wlevs:property name=\"rate\" type=\"float\"/>" +
        "</wlevs:properties></wlevs:event-type></wlevs:event-type-repository>";

    @TempDir
    private Path directory;

    private final JdbcDataSource source = new JdbcDataSource();
    private Server server;

    @BeforeEach
    void startDatabase() throws SQLException
    {
        server = server("0").start();
        source.setURL("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./test");
        source.setUser("sa");
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("create table prices(number bigint, symbol varchar(9), \"DAY\" int, price double, " +
                "since timestamp(9), live boolean, amount decimal(9, 2), rate real, unused int)");
            statement.execute("insert into prices values(7, 'a', 1, 1.5, timestamp '1970-01-01 00:00:01.000000007', " +
                "true, 2.25, 0.5, 0), (8, 'a', 2, 2.5, null, false, null, null, 0), " +
                "(null, 'b', 1, null, null, null, 3.00, 1.5, 0)");
        }
    }

    private Server server(final String port) throws SQLException
    {
        return Server.createTcpServer("-tcpPort", port, "-baseDir", directory.toString(), "-ifNotExists");
    }

    @AfterEach
    void stopDatabase()
    {
        server.stop();
    }

    private ObjectApplication.Builder with(final String query, final String... out)
    {
        return ObjectApplication.with().out(out.length == 0 ? new String[] {"x", "double"} : out)
            .objects("<wlevs:table-source ref=\"prices\"/>").beans(DECLARATION.replace("NAME", "PRICES"))
            .dataSource(source).query(query);
    }

    @Test
    void shouldFindRowsByEqualityWithEachType() throws Exception
    {
        try (ObjectApplication application = with("RStream(select p.number as n, p.symbol as s, p.day as d, " +
            "p.price as p, p.live as l, p.amount as a, p.rate as r from S[now] as s, prices as p " +
            "where p.symbol = s.k and p.day <= s.v)", "n", "bigint", "s", "char", "d", "int", "p", "double",
            "l", "boolean", "a", "bigdecimal", "r", "float").start())
        {
            application.send(1, "a", 1).send(2, "a", 2).send(3, "b", 1).send(4, "c", 1).send(5, null, 1);

            assertThat(application.rows()).containsExactly("+7,a,1,1.5,true,2.25,0.5", "+7,a,1,1.5,true,2.25,0.5",
                "+8,a,2,2.5,false,null,null", "+null,b,1,null,null,3.00,1.5");
        }
    }

    @Test
    void shouldCompareSeveralColumnsAndAskOneTableInSeveralWays() throws Exception
    {
        try (ObjectApplication application = with("RStream(select p.price + q.price as x " +
            "from S[now] as s, prices as p, prices as q " +
            "where p.symbol = s.k and p.day = s.v and q.number = p.number + 1)").start())
        {
            application.send(1, "a", 1).send(2, "a", 2).send(3, "b", 1);

            assertThat(application.rows()).containsExactly("+4.0");
        }
    }

    @Test
    void shouldHandTimesOver() throws Exception
    {
        try (ObjectApplication application = with("RStream(select p.since as x from S[now] as s, prices as p " +
            "where p.symbol = s.k)", "x", "timestamp").start())
        {
            application.send(1, "a", 1);

            final long offsetNs = java.util.TimeZone.getDefault().getOffset(1_000) * 1_000_000L;
            assertThat(application.rows()).containsExactly("+" + (1_000_000_007L - offsetNs), "+null");
        }
    }

    @Test
    void shouldRejectRowsWhileTheDatabaseIsDownAndComeBackWithIt() throws Exception
    {
        try (LogLines log = new LogLines(Rejections.class); ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.number = s.v)").start())
        {
            application.send(1, "a", 7);
            assertThat(application.rows()).containsExactly("+1.5");

            final int port = server.getPort();
            server.stop();
            application.send(2, "a", 7).send(3, "a", 7);
            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(2);
            assertThat(log.lines()).filteredOn(line -> line.contains("CQL-8103")).hasSize(1).first().asString()
                .contains("table=prices", "table-name=PRICES", " because ", "when the database is available");

            server = server(Integer.toString(port)).start();
            final long[] at = {4};
            Waiting.until("lookups resume", () ->
            {
                application.send(at[0]++, "a", 8);
                return application.rows().contains("+2.5");
            });

            // A restarted database leaves a dead connection behind: no row is lost because of it.
            final long rejected = application.rejected(TableLookup.FAILED);
            server.stop();
            server = server(Integer.toString(port)).start();
            application.send(at[0], "a", 7);
            assertThat(application.rows()).endsWith("+1.5");
            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(rejected);
        }
    }

    @Test
    void shouldGiveTheRowsOfTheQueryBesideWhileTheDatabaseIsDown() throws Exception
    {
        try (ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.number = s.v)")
            .rules("<query id=\"beside\">select v + 0.25 as x from S</query>").start())
        {
            final int port = server.getPort();
            server.stop();
            application.send(1, "a", 7).send(2, "a", 7);
            assertThat(application.rows()).containsExactly("+7.25", "+7.25");
            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(2);

            server = server(Integer.toString(port)).start();
            final long[] at = {3};
            Waiting.until("lookups resume", () ->
            {
                application.send(at[0]++, "a", 7);
                return application.rows().contains("+1.5");
            });
            assertThat(application.rows().stream().filter("+7.25"::equals)).hasSize((int)at[0] - 1);
        }
    }

    @Test
    void shouldStartWhileTheDatabaseIsDown() throws Exception
    {
        server.stop();
        try (ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.number = s.v)").start())
        {
            application.send(1, "a", 7);

            assertThat(application.rows()).isEmpty();
            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(1);
        }
    }

    @Test
    void shouldSayWhatTheTableLacks() throws Exception
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("alter table prices drop column rate");
        }
        try (LogLines log = new LogLines(Rejections.class); ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.number = s.v)").start())
        {
            application.send(1, "a", 7);

            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(1);
            assertThat(log.lines()).anyMatch(line -> line.contains("property=rate") && line.contains("PRICE"));
        }
    }

    @Test
    void shouldRejectARowThatFindsTooManyRows() throws Exception
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("insert into prices select x, 'many', 1, 1, null, true, 1, 1, 0 from system_range(1, " +
                (TableLookup.MAX_ROWS + 1) + ")");
        }
        try (ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.symbol = s.k and p.day = 1)").start())
        {
            application.send(1, "many", 7).send(2, "a", 7);

            assertThat(application.rows()).containsExactly("+1.5");
            assertThat(application.rejected(TableLookup.FAILED)).isEqualTo(1);
        }
    }

    @Test
    void shouldGiveItsConnectionBackWhenTheApplicationStops() throws Exception
    {
        try (ObjectApplication application = with(
            "RStream(select p.price as x from S[now] as s, prices as p where p.number = s.v)").start())
        {
            application.send(1, "a", 7);
            assertThat(sessions()).isEqualTo(2);
        }
        Waiting.until("only the querying session is left", () -> sessions() == 1);
    }

    private int sessions()
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement();
            var found = statement.executeQuery("select count(*) from information_schema.sessions"))
        {
            found.next();
            return found.getInt(1);
        }
        catch (final SQLException failure)
        {
            throw new IllegalStateException(failure);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select p.price as x from prices as p|CQL-4022|cannot be read alone|join it",
        "RStream(select p.price as x from S[now] as s, prices[now] as p where p.number = s.v)|CQL-4023|" +
            "cannot have a window|remove",
        "select p.price as x from S[rows 2] as s, prices as p where p.number = s.v|CQL-4021|needs the window [now]|now",
        "RStream(select p.price as x from S[now] as s, prices as p where p.number > s.v)|CQL-4020|by equality|add"})
    void shouldRefuseWrongUses(final String query, final String code, final String text, final String hint)
    {
        final Problem problem = refused(with(query));

        assertThat(problem.code()).as(problem.format()).isEqualTo(code);
        assertThat(problem.text()).contains(text);
        assertThat(problem.hint()).contains(hint);
        assertThat(problem.excerpt()).isNotEmpty();
    }

    @Test
    void shouldRefuseNamesThatAreNone()
    {
        final Problem problem = refused(with("select v as x from S").beans(
            DECLARATION.replace("NAME", "prices; drop table prices")));
        assertThat(problem.code()).isEqualTo("CQL-8007");
        assertThat(problem.text()).contains("table-name=prices; drop table prices");
        assertThat(problem.position().file()).isEqualTo(ObjectApplication.ASSEMBLY_FILE);

        assertThat(TableLookup.isName("a.\"b c\".d$1")).isTrue();
        assertThat(TableLookup.isName("a.")).isFalse();
    }

    private static Problem refused(final ObjectApplication.Builder files)
    {
        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> files.start().close());
        assertThat(refused).as("the application must be refused").isNotNull();
        return refused.problems().get(0);
    }
}
