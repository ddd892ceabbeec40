package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.h2.Driver;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while it reads a table into which two connections insert: a durable processor sees every row
 * once and in the order of the table, and the table and the files below it contain every row of its output once.
 */
@Timeout(600)
class KilledReaderIT
{
    private static final int WRITERS = 2;
    private static final int SYMBOLS_PER_WRITER = 20;
    private static final int ROWS_PER_SYMBOL = 1_000;
    private static final long ALL = (long)WRITERS * SYMBOLS_PER_WRITER * ROWS_PER_SYMBOL;
    private static final int KILLS = Integer.getInteger("millrace.kills", 3);
    /** The n-th row of a symbol has the price n, and n is the number of its rows so far. */
    private static final String RULE = "IStream(select symbol, max(lastPrice) as lastPrice, sum(lastPrice*0 + 1) as " +
        "percLastPrice from StockTickStream group by symbol)";
    private static final String CONFIGURATION =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\">" +
        "<processor><name>processor1</name><durable>true</durable><rules><query id=\"perc\" " +
        "ordering-constraint=\"PARTITION_ORDERED\" partition-expression=\"symbol\"><![CDATA[" + RULE +
        "]]></query></rules></processor></wlevs:config>";

    @TempDir
    private Path directory;

    private static String url(final int port)
    {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./ticks";
    }

    private static String dataSource(final int port)
    {
        return "<data-source><name>ticks</name><driver-params><url>" + url(port) +
            "</url><driver-name>org.h2.Driver</driver-name><properties><element><name>user</name><value>sa</value>" +
            "</element></properties></driver-params></data-source>";
    }

    private static String property(final String name, final String value)
    {
        return "<wlevs:instance-property name=\"" + name + "\" value=\"" + value + "\"/>";
    }

    private Path application() throws IOException
    {
        return Product.changed(directory.resolve("reader.jar"), Map.of(
            ASSEMBLY, text -> text.replace("provider=\"loadgen\"", "provider=\"jdbc-inbound\"")
                .replace(property("port", "${loadgen.port}"), property("dataSource", "ticks") +
                    property("table", "ticks_in") + property("positionColumn", "at") + property("tieColumn", "id") +
                    property("pollMillis", "20") + property("pollRows", "1000") + property("lagMillis", "5000"))
                .replace("id=\"StockTickStream\"", "id=\"StockTickStream\" max-threads=\"2\"")
                .replace("<wlevs:listener ref=\"outputBean\"/>",
                    "<wlevs:listener ref=\"store\"/><wlevs:listener ref=\"archive\"/>")
                .replace("</beans>", "<wlevs:adapter id=\"store\" provider=\"jdbc\">" +
                    property("dataSource", "ticks") + property("table", "counts") +
                    property("positionTable", "positions") + "</wlevs:adapter>" +
                    "<wlevs:adapter id=\"archive\" provider=\"csv-outbound\">" +
                    property("file", "var/archive/counts.csv") + property("exactlyOnce", "true") +
                    "</wlevs:adapter></beans>"),
            RULES, text -> CONFIGURATION));
    }

    private static void execute(final int port, final String... statements) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement())
        {
            for (final String sql : statements)
            {
                statement.execute(sql);
            }
        }
    }

    private static List<Long> numbers(final int port, final String query)
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(query))
        {
            found.next();
            final List<Long> numbers = new ArrayList<>();
            for (int column = 1; column <= found.getMetaData().getColumnCount(); column++)
            {
                numbers.add(found.getLong(column));
            }
            return numbers;
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts rows in transactions of random size, whose rows have the time at which the transaction began. */
    private static void write(final int port, final int writer, final long seed)
    {
        final Random random = new Random(seed + writer);
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            PreparedStatement insert = connection.prepareStatement(
                "insert into ticks_in(at, symbol, lastPrice) values (localtimestamp, ?, ?)"))
        {
            connection.setAutoCommit(false);
            int rest = random.nextInt(100);
            for (int price = 1; price <= ROWS_PER_SYMBOL; price++)
            {
                for (int symbol = 0; symbol < SYMBOLS_PER_WRITER; symbol++)
                {
                    insert.setString(1, "S" + (writer * SYMBOLS_PER_WRITER + symbol));
                    insert.setDouble(2, price);
                    insert.executeUpdate();
                    if (rest-- == 0)
                    {
                        connection.commit();
                        rest = random.nextInt(100);
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)));
                    }
                }
            }
            connection.commit();
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static long rows(final RunningInstance instance)
    {
        try
        {
            for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
            {
                if (each.getAsJsonObject().get("id").getAsString().equals("loadgenAdapter"))
                {
                    return each.getAsJsonObject().getAsJsonObject("own").get("rows").getAsLong();
                }
            }
            throw new AssertionError("the application has no source");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> archived(final Path archive)
    {
        return Product.lines(archive.resolve("counts.csv"), "S\\d.*");
    }

    @Test
    void shouldProcessEveryRowOfATableOnceWhenTheServerIsKilledAgainAndAgain() throws Exception
    {
        final Random random = Product.random();
        final long seed = random.nextLong();
        final Server database = Server.createTcpServer("-tcpPort", "0", "-baseDir",
            directory.resolve("database").toString(), "-ifNotExists").start();
        final int port = database.getPort();
        // The table of results has no key: a row that is written twice is not refused.
        execute(port, "create table ticks_in(id bigint generated always as identity primary key, at timestamp(3) not " +
            "null, symbol varchar(16), lastPrice double precision)", "create index by_time on ticks_in(at, id)",
            "create table counts(symbol varchar(16), lastPrice double precision, percLastPrice double precision)",
            "create table positions(PRODUCER varchar(500) primary key, LAST_NUMBER bigint not null)");
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed"), config ->
            config.replace("</n1:config>", dataSource(port) + "</n1:config>")))
        {
            instance.client.install(Path.of(Driver.class.getProtectionDomain().getCodeSource()
                .getLocation().toURI()));
            instance.client.install(application());
            final List<CompletableFuture<Void>> writers = Stream.iterate(0, writer -> writer + 1).limit(WRITERS)
                .map(writer -> CompletableFuture.runAsync(() -> write(port, writer, seed))).toList();
            for (int kill = 0; kill < KILLS; kill++)
            {
                final long least = 1 + random.nextInt((int)ALL / (2 * KILLS));
                Product.await(least + " rows", 60, () -> rows(instance) >= least);
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            for (final CompletableFuture<Void> each : writers)
            {
                each.get(120, TimeUnit.SECONDS);
            }
            Product.await("the last row", 60, () -> numbers(port, "select count(*) from counts where percLastPrice = " +
                ROWS_PER_SYMBOL).equals(List.of((long)WRITERS * SYMBOLS_PER_WRITER)));
            assertThat(numbers(port, "select count(*), (select count(*) from (select distinct symbol, percLastPrice " +
                "from counts)), max(percLastPrice), (select count(*) from counts where lastPrice <> percLastPrice) " +
                "from counts")).containsExactly(ALL, ALL, (long)ROWS_PER_SYMBOL, 0L);
            final Path archive = instance.domain.directory().resolve("var/archive");
            Product.await("the last row in the files", 60, () -> archived(archive).size() >= ALL);
            assertThat(archived(archive)).hasSize((int)ALL).doesNotHaveDuplicates();
        }
        finally
        {
            database.stop();
        }
    }
}
