package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.loadgen.GeneratorException;
import dev.millrace.loadgen.GeneratorSettings;
import dev.millrace.loadgen.LoadGenerator;
import dev.millrace.loadgen.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.Driver;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while a generator sends: a durable processor sees every row once, and the table below it
 * contains every row of its output once.
 */
@Timeout(600)
class KilledServerIT
{
    private static final int SYMBOLS = 40;
    private static final int ROWS_PER_SYMBOL = 2_000;
    private static final int KILLS = 3;
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
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./counts";
    }

    private static String dataSource(final int port)
    {
        return "<data-source><name>counts</name><driver-params><url>" + url(port) +
            "</url><driver-name>org.h2.Driver</driver-name><properties><element><name>user</name><value>sa</value>" +
            "</element></properties></driver-params></data-source>";
    }

    private Path application(final int port) throws IOException
    {
        return Product.changed(directory.resolve("counts.jar"), Map.of(
            ASSEMBLY, text -> text.replace("${loadgen.port}", Integer.toString(port))
                .replace("id=\"StockTickStream\"", "id=\"StockTickStream\" max-threads=\"2\"")
                .replace("<wlevs:listener ref=\"outputBean\"/>",
                    "<wlevs:listener ref=\"store\"/><wlevs:listener ref=\"archive\"/>")
                .replace("</beans>", "<wlevs:adapter id=\"store\" provider=\"jdbc\">" +
                    "<wlevs:instance-property name=\"dataSource\" value=\"counts\"/>" +
                    "<wlevs:instance-property name=\"table\" value=\"counts\"/>" +
                    "<wlevs:instance-property name=\"positionTable\" value=\"positions\"/></wlevs:adapter>" +
                    "<wlevs:adapter id=\"archive\" provider=\"csv-outbound\">" +
                    "<wlevs:instance-property name=\"file\" value=\"var/archive/counts.csv\"/>" +
                    "<wlevs:instance-property name=\"rotateSize\" value=\"200k\"/>" +
                    "<wlevs:instance-property name=\"exactlyOnce\" value=\"true\"/></wlevs:adapter></beans>"),
            RULES, text -> CONFIGURATION));
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

    private static void createTables(final int port) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement())
        {
            // No key: a row that is written twice is not refused.
            statement.execute("create table counts(symbol varchar(16), lastPrice double precision, " +
                "percLastPrice double precision)");
            statement.execute("create table positions(PRODUCER varchar(500) primary key, LAST_NUMBER bigint not null)");
        }
    }

    /** The rows of all files of the file sink, without their headers. */
    private static List<String> archived(final Path archive)
    {
        return Product.linesOfAll(archive, "S\\d.*");
    }

    private LoadGenerator generator(final int port) throws Exception
    {
        final Path data = directory.resolve("rows.csv");
        Files.writeString(data, IntStream.rangeClosed(1, ROWS_PER_SYMBOL).boxed().flatMap(price ->
            IntStream.range(0, SYMBOLS).mapToObj(symbol -> "S" + symbol + ',' + price + ".0\n"))
            .collect(Collectors.joining()));
        return new LoadGenerator(GeneratorSettings.of("kills", directory, Map.of("test.csvDataFile", "rows.csv",
            "test.packetType", "CSV", "test.port", Integer.toString(port), "test.senders", "2", "test.secs", "20",
            "test.rate", "5000", "test.ticksPerPacket", "7", "test.stream", "kills", "test.maxEvents",
            Integer.toString(SYMBOLS * ROWS_PER_SYMBOL))));
    }

    private static long figure(final RunningInstance instance, final String stage, final String name)
    {
        try
        {
            for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
            {
                if (each.getAsJsonObject().get("id").getAsString().equals(stage))
                {
                    return each.getAsJsonObject().getAsJsonObject("own").get(name).getAsLong();
                }
            }
            throw new AssertionError("the application has no stage " + stage);
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldCountAndStoreEveryRowOnceWhenTheServerIsKilledAgainAndAgain() throws Exception
    {
        final Random random = Product.random();
        final int port = FreePorts.range(1);
        final Server database = Server.createTcpServer("-tcpPort", "0", "-baseDir",
            directory.resolve("database").toString(), "-ifNotExists").start();
        createTables(database.getPort());
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed"), config ->
            config.replace("</n1:config>", dataSource(database.getPort()) + "</n1:config>")))
        {
            instance.client.install(Path.of(Driver.class.getProtectionDomain().getCodeSource()
                .getLocation().toURI()));
            instance.client.install(application(port));
            final LoadGenerator generator = generator(port);
            final CompletableFuture<RunSummary> sending = CompletableFuture.supplyAsync(() -> run(generator));
            for (int kill = 0; kill < KILLS; kill++)
            {
                final int rows = 1 + random.nextInt(SYMBOLS * ROWS_PER_SYMBOL / (2 * KILLS));
                Product.await(rows + " rows", 60, () -> sending.isDone() ||
                    figure(instance, "loadgenAdapter", "rows") >= rows);
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            final RunSummary summary = sending.get(120, TimeUnit.SECONDS);
            assertThat(summary.connections()).as("connections that a kill has interrupted")
                .allMatch(connection -> connection.reconnects() > 0);
            assertThat(summary.drained()).isTrue();
            final long all = SYMBOLS * (long)ROWS_PER_SYMBOL;
            assertThat(summary.sent()).isEqualTo(all);
            Product.await("the last row", 60, () -> numbers(database.getPort(), "select count(*) from counts where " +
                "percLastPrice = " + ROWS_PER_SYMBOL).equals(List.of((long)SYMBOLS)));
            assertThat(numbers(database.getPort(), "select count(*), (select count(*) from (select distinct symbol, " +
                "percLastPrice from counts)), max(percLastPrice), (select count(*) from counts where lastPrice <> " +
                "percLastPrice) from counts")).containsExactly(all, all, (long)ROWS_PER_SYMBOL, 0L);
            final Path archive = instance.domain.directory().resolve("var/archive");
            Product.await("the last row in the files", 60, () -> archived(archive).size() >= all);
            assertThat(archived(archive)).hasSize((int)all).doesNotHaveDuplicates().allMatch(row ->
                row.split(",")[1].equals(row.split(",")[2]));
        }
        finally
        {
            database.stop();
        }
    }

    private static RunSummary run(final LoadGenerator generator)
    {
        try
        {
            return generator.run(progress ->
            {
            });
        }
        catch (final GeneratorException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
