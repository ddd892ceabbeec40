package dev.millrace.server.datasource;

import dev.millrace.server.config.DataSourceSettings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Function;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Creates connections with a driver, whose class is looked up for the first connection. Thread-safe. */
final class DriverDataSource implements DataSource
{
    private final DataSourceSettings settings;
    private final Function<String, Class<?>> classes;
    private Driver driver;
    /** Held strongly, because java.util.logging may garbage-collect unreferenced loggers. */
    private Logger log;

    /**
     * @param settings driver, URL and properties
     * @param classes  finds the driver; returns {@code null} when it is currently missing
     */
    DriverDataSource(final DataSourceSettings settings, final Function<String, Class<?>> classes)
    {
        this.settings = settings;
        this.classes = classes;
    }

    private synchronized Driver driver() throws SQLException
    {
        if (driver == null)
        {
            final Class<?> found = classes.apply(settings.driver());
            if (found == null)
            {
                throw new SQLException("SRV-0118: no bundle of the server contains the driver, data-source=" +
                    settings.name() + " driver-name=" + settings.driver() +
                    "; install the driver's jar as a bundle, or correct driver-name");
            }
            try
            {
                driver = (Driver)found.getDeclaredConstructor().newInstance();
                log = DriverLog.attach(driver);
            }
            catch (final ReflectiveOperationException | ClassCastException | LinkageError failure)
            {
                throw new SQLException("SRV-0118: the class is not a JDBC driver, data-source=" + settings.name() +
                    " driver-name=" + settings.driver() + " reason=" + failure, failure);
            }
        }
        return driver;
    }

    @Override
    public Connection getConnection() throws SQLException
    {
        final Properties properties = new Properties();
        properties.putAll(settings.properties());
        final Connection connection = driver().connect(settings.url(), properties);
        if (connection == null)
        {
            throw new SQLException("SRV-0118: the driver does not accept this URL, data-source=" + settings.name() +
                " driver-name=" + settings.driver() + " url=" + settings.url());
        }
        return connection;
    }

    @Override
    public Connection getConnection(final String user, final String password) throws SQLException
    {
        throw new SQLException("user and password are configured in config.xml, data-source=" + settings.name());
    }

    @Override
    public PrintWriter getLogWriter()
    {
        return null;
    }

    @Override
    public void setLogWriter(final PrintWriter out)
    {
        // Drivers write their own logs.
    }

    @Override
    public void setLoginTimeout(final int seconds)
    {
        // The pool does not wait longer than its own timeout.
    }

    @Override
    public int getLoginTimeout()
    {
        return 0;
    }

    @Override
    public Logger getParentLogger()
    {
        return log == null ? Logger.getLogger(DriverDataSource.class.getName()) : log;
    }

    @Override
    public <T> T unwrap(final Class<T> type) throws SQLException
    {
        throw new SQLException("this data source wraps no other, type=" + type.getName());
    }

    @Override
    public boolean isWrapperFor(final Class<?> type)
    {
        return false;
    }
}
