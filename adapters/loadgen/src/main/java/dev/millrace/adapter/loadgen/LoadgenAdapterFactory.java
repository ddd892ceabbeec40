package dev.millrace.adapter.loadgen;

import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.AdapterFactory;

/** Makes {@link LoadgenAdapter}s for {@code provider="csvgen"} and {@code provider="loadgen"}. Safe for all threads. */
public final class LoadgenAdapterFactory implements AdapterFactory
{
    @Override
    public Adapter create()
    {
        return new LoadgenAdapter();
    }
}
