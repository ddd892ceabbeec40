package dev.millrace.adapter.jdbc;

import java.util.Collection;
import javax.sql.DataSource;

/** The data sources that the server's {@code config.xml} declares. Safe for all threads. */
public interface DataSources
{
    /**
     * Finds a data source.
     *
     * @param name its name or one of its JNDI names
     * @return the pool, {@code null} when there is none of that name now
     */
    DataSource find(String name);

    /**
     * Names that {@link #find} knows; only for messages.
     *
     * @return names in order
     */
    Collection<String> names();
}
