package dev.millrace.adapter.jdbc;

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
}
