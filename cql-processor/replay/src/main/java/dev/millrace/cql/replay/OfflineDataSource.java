package dev.millrace.cql.replay;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Replaces the data sources of an application that is only planned. It refuses connections. */
record OfflineDataSource(String name) implements DataSource
{
    @Override
    public Connection getConnection() throws SQLException
    {
        throw new SQLException("a replay does not connect to databases, data-source=" + name);
    }

    @Override
    public Connection getConnection(final String user, final String password) throws SQLException
    {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter()
    {
        return null;
    }

    @Override
    public void setLogWriter(final PrintWriter to)
    {
        // Nothing is logged.
    }

    @Override
    public int getLoginTimeout()
    {
        return 0;
    }

    @Override
    public void setLoginTimeout(final int seconds)
    {
        // No connection is opened.
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException
    {
        throw new SQLFeatureNotSupportedException("nothing is logged, data-source=" + name);
    }

    @Override
    public <T> T unwrap(final Class<T> type) throws SQLException
    {
        throw new SQLException("nothing is wrapped, data-source=" + name);
    }

    @Override
    public boolean isWrapperFor(final Class<?> type)
    {
        return false;
    }
}
