package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import java.util.Collection;
import javax.sql.DataSource;

/** The data sources declared in the server's {@code config.xml}. Thread-safe. */
public interface DataSources
{
    /**
     * Finds a data source.
     *
     * @param name its name or one of its JNDI names
     * @return the pool, {@code null} when there is currently none with this name
     */
    DataSource find(String name);

    /**
     * Names that {@link #find} accepts; for messages only.
     *
     * @return names in order
     */
    Collection<String> names();

    /**
     * Returns the data source of an instance property.
     *
     * @param property its name, or the data source itself
     * @param known    finds names
     * @param stage    for the message
     * @throws IllegalArgumentException if no data source has this name
     */
    static DataSource resolve(final Object property, final DataSources known, final String stage)
    {
        if (property instanceof final DataSource given)
        {
            return given;
        }
        final String name = property.toString().strip();
        final DataSource found = known.find(name);
        if (found == null)
        {
            throw new IllegalArgumentException(
                JdbcErrorCode.DATA_SOURCE.message("the server has no such data source, " +
                "stage=" + stage + " dataSource=" + name + " known=" + known.names(),
                "add a data-source element with this name to config.xml and restart the server, which reads the file " +
                "only at startup; or correct the name"));
        }
        return found;
    }
}
