package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance whose application writes to a table, with the driver as a bundle and the database on loopback. */
@Timeout(300)
class StoreIT
{
    @TempDir
    private Path directory;

    private static String dataSource(final int port)
    {
        return "<data-source><name>trades</name><connection-pool-params><connection-reserve-timeout-seconds>1" +
            "</connection-reserve-timeout-seconds></connection-pool-params><driver-params><url>" + url(port) +
            "</url><driver-name>org.h2.Driver</driver-name><properties><element><name>user</name><value>sa</value>" +
            "</element></properties></driver-params></data-source>";
    }

    private static String url(final int port)
    {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./trades";
    }

    private static String withStore(final String assembly, final String table)
    {
        return assembly.replace("${loadgen.port}", "0").replaceFirst("<wlevs:listener ref=\"processor1\"/>",
            "<wlevs:listener ref=\"processor1\"/><wlevs:listener ref=\"store\"/>").replace("</beans>",
            "<wlevs:adapter id=\"store\" provider=\"jdbc\">" +
            "<wlevs:instance-property name=\"dataSource\" value=\"trades\"/>" +
            "<wlevs:instance-property name=\"table\" value=\"" + table + "\"/>" +
            "<wlevs:instance-property name=\"eventTypeName\" value=\"StockTick\"/></wlevs:adapter></beans>");
    }

    private Server server(final int port) throws SQLException
    {
        return Server.createTcpServer("-tcpPort", Integer.toString(port), "-baseDir",
            directory.resolve("database").toString(), "-ifNotExists").start();
    }

    private static void createTable(final int port) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement())
        {
            statement.execute("create table ticks(symbol varchar(16), lastPrice double precision)");
        }
    }

    private static long rows(final int port)
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement();
            ResultSet count = statement.executeQuery("select count(*) from ticks where symbol = 'ORCL'"))
        {
            count.next();
            return count.getLong(1);
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static JsonObject own(final RunningInstance instance, final String stage) throws InterruptedException
    {
        for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
        {
            if (each.getAsJsonObject().get("id").getAsString().equals(stage))
            {
                return each.getAsJsonObject().getAsJsonObject("own");
            }
        }
        throw new AssertionError("no such stage: " + stage);
    }

    private static boolean isIn(final RunningInstance instance, final String state)
    {
        try
        {
            return state.equals(instance.state(APPLICATION));
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void send(final RunningInstance instance, final String rows) throws IOException, InterruptedException
    {
        final int port = own(instance, "loadgenAdapter").get("port").getAsInt();
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port))
        {
            sender.getOutputStream().write(rows.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void shouldWriteWhatComesIntoTheTableAndKeepItWhileTheDatabaseIsAway() throws Exception
    {
        Server database = server(0);
        final int port = database.getPort();
        createTable(port);
        try (RunningInstance instance = new RunningInstance(directory.resolve("store"),
            config -> config.replace("</n1:config>", dataSource(port) + "</n1:config>")))
        {
            final Path driver =
                Path.of(org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            assertThat(instance.app("install", driver).exitCode()).isZero();
            final Result refused = instance.app("install", Product.changed(directory.resolve("wrong.jar"), ASSEMBLY,
                text -> withStore(text, "no_table")));
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).contains("JDB-0105").contains("no_table").contains("create it");

            final Result installed = instance.app("install", Product.changed(directory.resolve("good.jar"), ASSEMBLY,
                text -> withStore(text, "ticks")));
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            send(instance, "ORCL,10.5\nORCL,11.0\n");
            Product.await("two rows in the table", 60, () -> rows(port) == 2);
            database.stop();
            send(instance, "ORCL,11.5\n");
            Product.await("the application to report the outage", 60, () -> isIn(instance, "DEGRADED"));
            final Result status = instance.app("status", APPLICATION);
            assertThat(status.exitCode()).as(status.output()).isEqualTo(2);
            assertThat(status.output()).contains("DEGRADED", "cause: JDB-0103 stage=store since=20");
            assertThat(instance.app("list").output()).contains("DEGRADED");
            database = server(port);
            Product.await("the row that was sent during the outage", 60, () -> rows(port) == 3);
            Product.await("the application to run again", 60, () -> isIn(instance, "RUNNING"));
            assertThat(own(instance, "store").get("failed").getAsLong()).isZero();
            final String log = Files.readString(instance.domain.directory().resolve("logs/server.log"));
            assertThat(log).contains("JDB-0103", "the database accepts rows again")
                .doesNotContain("\tat org.h2.").doesNotContain("\tat com.zaxxer.");
        }
        finally
        {
            database.stop();
        }
    }
}
