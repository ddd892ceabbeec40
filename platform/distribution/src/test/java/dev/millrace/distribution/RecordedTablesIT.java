package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.Driver;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records the ticks of the sample application in tables of a database that fails, and plays them back. */
@Timeout(300)
class RecordedTablesIT
{
    @TempDir
    private Path directory;

    private RunningInstance instance;

    private static String url(final int port)
    {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./events";
    }

    private static String configured(final int port)
    {
        return "<data-source><name>events</name><connection-pool-params><connection-reserve-timeout-seconds>1" +
            "</connection-reserve-timeout-seconds></connection-pool-params><driver-params><url>" + url(port) +
            "</url><driver-name>org.h2.Driver</driver-name><properties><element><name>user</name><value>sa</value>" +
            "</element></properties></driver-params></data-source><rdbms-event-store-provider><name>events</name>" +
            "<data-source-name>events</data-source-name></rdbms-event-store-provider></n1:config>";
    }

    private Server database(final int port) throws SQLException
    {
        return Server.createTcpServer("-tcpPort", Integer.toString(port), "-baseDir",
            directory.resolve("database").toString(), "-ifNotExists").start();
    }

    private Result millrace(final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(arguments));
        command.addAll(List.of("--domain", instance.domain.directory().toString()));
        return Product.millrace(command.toArray(new String[0]));
    }

    private Result done(final String... arguments) throws IOException, InterruptedException
    {
        final Result result = millrace(arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result;
    }

    private JsonObject only(final String... arguments) throws IOException, InterruptedException
    {
        return JsonParser.parseString(done(arguments).output()).getAsJsonArray().get(0).getAsJsonObject();
    }

    private void send(final String ticks) throws IOException
    {
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), instance.ports.loadgen()))
        {
            sender.getOutputStream().write(ticks.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static String prices(final int port)
    {
        try (Connection connection = DriverManager.getConnection(url(port), "sa", "");
            Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(
                "select lastPrice from millrace_ticks_stocktick where symbol = 'ORCL' order by batch_no, row_no"))
        {
            final List<String> all = new ArrayList<>();
            while (rows.next())
            {
                all.add(rows.getString(1));
            }
            return String.join(" ", all);
        }
        catch (final SQLException e)
        {
            return e.getMessage();
        }
    }

    private boolean isIn(final String state)
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

    private String playback(final String figure)
    {
        try
        {
            return only("playback", "status", "-A", APPLICATION, "--format", "json").get(figure).getAsString();
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldRecordInTablesWhenTheDatabaseFailsAndPlayThemBack() throws Exception
    {
        Server database = database(0);
        final int port = database.getPort();
        database.stop();
        instance = new RunningInstance(directory.resolve("tables"),
            config -> config.replace("</n1:config>", configured(port)));
        try
        {
            final Path driver =
                Path.of(Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            assertThat(instance.app("install", driver).exitCode()).isZero();
            done("app", "install", Product.changed(directory.resolve("application.jar"), Product.RULES,
                text -> text.replace("</wlevs:config>", RecordingIT.PARAMETERS + "</wlevs:config>")).toString());
            final Result unavailable = millrace("events", "list");
            assertThat(unavailable.exitCode()).isNotZero();
            assertThat(unavailable.output()).contains("SRV-0522").doesNotContain("Exception");
            done("record", "start", "-A", APPLICATION, "-S", "loadgenAdapter");
            send("ORCL,100\nORCL,103\n");
            Product.await("the outage shows", 60, () -> isIn("DEGRADED"));
            assertThat(millrace("app", "status", APPLICATION).output()).contains("EPN-0642", "dataset=ticks");
            database = database(port);
            Product.await("buffered rows", 60, () -> prices(port).equals("100.0 103.0"));
            Product.await("it recovers by itself", 60, () -> isIn("RUNNING"));
            send("ORCL,104\n");
            done("record", "stop", "-A", APPLICATION, "-S", "loadgenAdapter");
            Product.await("a further row", 60, () -> prices(port).equals("100.0 103.0 104.0"));
            assertThat(done("events", "list").output()).containsPattern("ticks +3 +- .* no +StockTick");
            done("playback", "start", "-A", APPLICATION, "-S", "StockTickStream", "--speed", "1000000");
            Product.await("end of playback", 60, () -> playback("state").equals("FINISHED"));
            assertThat(playback("rows")).isEqualTo("3");
            database.stop();
            final Result refused = millrace("playback", "start", "-A", APPLICATION, "-S", "StockTickStream");
            assertThat(refused.output()).contains("EPN-0526", "SRV-0522", "hint: ").doesNotContain("Exception");
            database = database(port);
            Product.await("deletion", 60, () -> isDeleted());
            assertThat(prices(port)).contains("not found");
        }
        finally
        {
            instance.close();
            database.stop();
        }
    }

    private boolean isDeleted()
    {
        try
        {
            return millrace("events", "delete", "ticks").exitCode() == 0;
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
