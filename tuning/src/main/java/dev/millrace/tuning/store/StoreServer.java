package dev.millrace.tuning.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A database of a benchmark: a real server on loopback, or embedded in this process, with its own directory, which is
 * deleted on close. Not thread-safe.
 */
public final class StoreServer implements AutoCloseable
{
    private final Path directory;
    private final DataSource source;
    private final String dialect;
    private final Ending ending;

    /** Stops a server. */
    @FunctionalInterface
    interface Ending
    {
        void close() throws IOException;
    }

    StoreServer(final Path directory, final DataSource source, final String dialect, final Ending ending)
    {
        this.directory = directory;
        this.source = source;
        this.dialect = dialect;
        this.ending = ending;
    }

    /**
     * Creates a directory for {@link #StoreServer}; absolute, since databases are processes with other working
     * directories.
     */
    static Path newDirectory() throws IOException
    {
        return Files.createTempDirectory("millrace-store").toAbsolutePath().normalize();
    }

    public DataSource source()
    {
        return source;
    }

    /** The dialect to configure for the sink; {@code null} when the driver reports it. */
    String dialect()
    {
        return dialect;
    }

    public void execute(final List<String> statements) throws SQLException
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            for (final String sql : statements)
            {
                statement.execute(sql);
            }
        }
    }

    /** The only row of a query of numbers. */
    public long[] numbers(final String query) throws SQLException
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(query))
        {
            row.next();
            final long[] numbers = new long[row.getMetaData().getColumnCount()];
            for (int i = 0; i < numbers.length; i++)
            {
                numbers[i] = row.getLong(i + 1);
            }
            return numbers;
        }
    }

    @Override
    public void close() throws IOException
    {
        ending.close();
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
    }
}
