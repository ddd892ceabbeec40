package dev.millrace.adapter.jdbc;

import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.AdapterFactory;

/** Makes {@link JdbcSink}s for {@code provider="jdbc"}. Safe for all threads. */
public final class JdbcAdapterFactory implements AdapterFactory
{
    private final DataSources dataSources;

    /**
     * Makes a factory.
     *
     * @param dataSources finds the data sources of the server by name
     */
    public JdbcAdapterFactory(final DataSources dataSources)
    {
        this.dataSources = dataSources;
    }

    @Override
    public Adapter create()
    {
        return new JdbcSink(dataSources);
    }
}
