package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;

/**
 * A {@code data-source} element.
 *
 * @param name            its name
 * @param jndiNames       other names that applications may use
 * @param url             JDBC URL
 * @param driver          class of the driver
 * @param properties      of the driver, among them {@code user} and {@code password}
 * @param initialCapacity connections that are kept
 * @param maxCapacity     connections at most
 * @param timeoutMs       how long somebody waits for a connection
 * @param position        of the element
 */
public record DataSourceSettings(String name, List<String> jndiNames, String url, String driver,
    Map<String, String> properties, int initialCapacity, int maxCapacity, int timeoutMs, SourcePosition position)
{
    /** Connections that are kept when nothing is said. */
    public static final int DEFAULT_INITIAL_CAPACITY = 1;
    /** Connections at most when nothing is said. */
    public static final int DEFAULT_MAX_CAPACITY = 15;
    /** How long somebody waits for a connection when nothing is said. */
    public static final int DEFAULT_TIMEOUT_MS = 5_000;

    /** Copies the collections. */
    public DataSourceSettings
    {
        jndiNames = List.copyOf(jndiNames);
        properties = Map.copyOf(properties);
    }

    /** Without the properties: a password is among them. */
    @Override
    public String toString()
    {
        return "DataSourceSettings[name=" + name + ", url=" + url + ", driver=" + driver + ']';
    }
}
