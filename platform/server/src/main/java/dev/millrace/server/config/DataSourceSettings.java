package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;

/**
 * A {@code data-source} element.
 *
 * @param jndiNames       other names that applications may use
 * @param url             JDBC URL
 * @param driver          class of the driver
 * @param properties      properties of the driver, including {@code user} and {@code password}
 * @param initialCapacity connections kept open
 * @param maxCapacity     maximum connections
 * @param timeoutMs       maximum wait for a connection
 */
public record DataSourceSettings(String name, List<String> jndiNames, String url, String driver,
    Map<String, String> properties, int initialCapacity, int maxCapacity, int timeoutMs, SourcePosition position)
{
    /** Default number of connections kept open. */
    public static final int DEFAULT_INITIAL_CAPACITY = 1;
    /** Default maximum number of connections. */
    public static final int DEFAULT_MAX_CAPACITY = 15;
    /** Default maximum wait for a connection. */
    public static final int DEFAULT_TIMEOUT_MS = 5_000;

    public DataSourceSettings
    {
        jndiNames = List.copyOf(jndiNames);
        properties = Map.copyOf(properties);
    }

    /** Excludes the properties, which include a password. */
    @Override
    public String toString()
    {
        return "DataSourceSettings[name=" + name + ", url=" + url + ", driver=" + driver + ']';
    }
}
