package dev.millrace.adapter.jdbc;

import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.AdapterFactory;

/** Creates {@link JdbcSink}s for {@code provider="jdbc"}. Thread-safe. */
public final class JdbcAdapterFactory implements AdapterFactory
{
    private final DataSources dataSources;

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
