package dev.millrace.tuning.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.h2.jdbcx.JdbcDataSource;

/** The databases that rows are stored in. */
public enum StoreKind
{
    /** A PostgreSQL server. */
    POSTGRESQL("postgresql", "double precision"),
    /** A MariaDB server. */
    MARIADB("mariadb", "double"),
    /** H2 in this process, in memory. */
    H2("h2", "double precision"),
    /** H2 in Oracle mode, with statements for Oracle. */
    H2_ORACLE("h2-oracle", "double precision"),
    /** H2 in Microsoft SQL Server mode, with statements for it. */
    H2_MSSQL("h2-mssql", "float");

    private final String variant;
    private final String number;

    StoreKind(final String variant, final String number)
    {
        this.variant = variant;
        this.number = number;
    }

    public String variant()
    {
        return variant;
    }

    /** Its name for a floating point column. */
    String number()
    {
        return number;
    }

    static StoreKind of(final String variant)
    {
        return Arrays.stream(values()).filter(kind -> kind.variant.equals(variant)).findFirst().orElseThrow();
    }

    /**
     * Starts an empty database.
     *
     * @throws NoClassDefFoundError when the server's programs are not on the class path
     */
    public StoreServer open() throws IOException
    {
        return switch (this)
        {
            case POSTGRESQL -> PostgresServer.start();
            case MARIADB -> MariaDbServer.start();
            case H2 -> h2("", null);
            case H2_ORACLE -> h2(";MODE=Oracle", "oracle");
            case H2_MSSQL -> h2(";MODE=MSSQLServer", "sqlserver");
        };
    }

    private static StoreServer h2(final String mode, final String dialect) throws IOException
    {
        final Path directory = StoreServer.newDirectory();
        final JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + directory.getFileName() + mode + ";DB_CLOSE_DELAY=-1");
        source.setUser("sa");
        return new StoreServer(directory, source, dialect, () -> shutdown(source));
    }

    private static void shutdown(final JdbcDataSource source) throws IOException
    {
        try (Connection connection = source.getConnection(); Statement statement = connection.createStatement())
        {
            statement.execute("shutdown");
        }
        catch (final SQLException e)
        {
            throw new IOException(e);
        }
    }
}
