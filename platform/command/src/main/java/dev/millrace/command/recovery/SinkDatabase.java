package dev.millrace.command.recovery;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.Processes;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** An H2 server in a separate process, which stores the output. Not thread-safe; another thread may close it. */
final class SinkDatabase implements AutoCloseable
{
    private static final long START_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long STOP_SECONDS = 5;
    private static final int ROWS_PER_READ = 20_000;
    private static final String USER = "sa";

    private final Process process;
    private final Path console;
    private final int port;
    private final Map<SinkTable, Long> read = new HashMap<>();
    private Connection connection;

    private SinkDatabase(final Process process, final Path console, final int port)
    {
        this.process = process;
        this.console = console;
        this.port = port;
    }

    /** Returns the driver, which is also a bundle that an instance can install. */
    static Path driver(final Home home) throws IOException
    {
        final Path libraries = home.directory().resolve("lib/tuning");
        try (Stream<Path> files = Files.list(libraries))
        {
            return files.filter(file -> file.getFileName().toString().matches("h2-[0-9.]+\\.jar")).findFirst()
                .orElseThrow(() -> new CommandException(ExitCode.FAILED, "CMD-0207", "the database of the benchmarks " +
                "is missing, file=" + libraries.resolve("h2-*.jar"), "unpack the product again"));
        }
    }

    /**
     * Starts the process; it accepts connections after {@link #connect}.
     *
     * @param directory of its files
     */
    static SinkDatabase start(final Home home, final Path directory) throws IOException
    {
        final int port = FreePorts.range(1);
        final Path console = Files.createDirectories(directory).resolve("h2.log");
        final Process process = new ProcessBuilder(InstanceProcess.javaHome(null) + "/bin/java", "-Xmx256m",
            "-XX:+UseSerialGC", "-cp", driver(home).toString(), "org.h2.tools.Server", "-tcp", "-tcpPort",
            Integer.toString(port), "-baseDir", directory.toString(), "-ifNotExists").redirectErrorStream(true)
            .redirectOutput(console.toFile()).start();
        return new SinkDatabase(process, console, port);
    }

    private String url()
    {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./sink";
    }

    /** Returns the element of {@code config.xml}. */
    String dataSource()
    {
        return "  <data-source><name>sink</name><driver-params><url>" + url() + "</url><driver-name>org.h2.Driver" +
            "</driver-name><properties><element><name>user</name><value>" + USER + "</value></element></properties>" +
            "</driver-params></data-source>\n";
    }

    /** Waits until the process accepts connections, and creates tables. */
    void connect(final List<SinkTable> tables) throws IOException
    {
        final long deadlineNs = System.nanoTime() + START_NS;
        while (connection == null)
        {
            try
            {
                connection = DriverManager.getConnection(url(), USER, "");
            }
            catch (final SQLException e)
            {
                if (!process.isAlive() || System.nanoTime() - deadlineNs > 0)
                {
                    throw failed(e);
                }
                LockSupport.parkNanos(this, POLL_NS);
            }
        }
        try (Statement statement = connection.createStatement())
        {
            statement.execute(SinkTable.CREATE_POSITIONS);
            for (final SinkTable table : tables)
            {
                statement.execute(table.create());
            }
        }
        catch (final SQLException e)
        {
            throw failed(e);
        }
    }

    private CommandException failed(final SQLException reason) throws IOException
    {
        return new CommandException(ExitCode.FAILED, "CMD-0208", "the database of the sink failed, reason=" + reason,
            "its output:\n" + Files.readString(console));
    }

    /**
     * Passes on rows that were stored since the last call, and deletes them.
     *
     * @return number of rows
     */
    long read(final SinkTable table, final ExpectedRows.Receiver to) throws IOException
    {
        final long before = read.getOrDefault(table, 0L);
        long last = before;
        long rows = 0;
        try (PreparedStatement select = connection.prepareStatement(table.select());
            PreparedStatement delete = connection.prepareStatement("delete from " + table.name() + " where ID <= ?"))
        {
            long more = ROWS_PER_READ;
            while (more == ROWS_PER_READ)
            {
                select.setLong(1, last);
                select.setLong(2, ROWS_PER_READ);
                more = 0;
                try (ResultSet found = select.executeQuery())
                {
                    while (found.next())
                    {
                        final double[] values = new double[table.values().size()];
                        for (int i = 0; i < values.length; i++)
                        {
                            values[i] = found.getDouble(i + 3);
                        }
                        last = found.getLong(1);
                        to.row(found.getString(2), values);
                        more++;
                    }
                }
                rows += more;
            }
            delete.setLong(1, last);
            delete.executeUpdate();
        }
        catch (final SQLException e)
        {
            throw failed(e);
        }
        read.put(table, last);
        return rows;
    }

    /** Returns the highest ID of a table; 0 if no row was ever stored. */
    long last(final SinkTable table) throws IOException
    {
        try (Statement statement = connection.createStatement();
            ResultSet found = statement.executeQuery("select coalesce(max(ID), 0) from " + table.name()))
        {
            found.next();
            return found.getLong(1);
        }
        catch (final SQLException e)
        {
            throw failed(e);
        }
    }

    @Override
    public void close()
    {
        Processes.end(process, STOP_SECONDS);
    }
}
