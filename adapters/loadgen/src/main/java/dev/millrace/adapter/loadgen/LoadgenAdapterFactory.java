package dev.millrace.adapter.loadgen;

import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.AdapterFactory;

/** Creates {@link LoadgenAdapter}s, for {@code socket}, {@code loadgen} and {@code csvgen}. Thread-safe. */
public final class LoadgenAdapterFactory implements AdapterFactory
{
    private final NamedSecrets secrets;

    /**
     * Creates a factory.
     *
     * @param secrets source of the secrets that adapter properties name
     */
    public LoadgenAdapterFactory(final NamedSecrets secrets)
    {
        this.secrets = secrets;
    }

    @Override
    public Adapter create()
    {
        return new LoadgenAdapter(secrets);
    }
}
