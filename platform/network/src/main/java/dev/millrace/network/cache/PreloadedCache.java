package dev.millrace.network.cache;

import dev.millrace.api.cache.Cache;

/** A cache whose loader fills it before the first event. */
public interface PreloadedCache extends Cache
{
    /**
     * Loads all entries with the loader; called once by the network, before processors start.
     *
     * @throws Exception when the loader fails or returns more entries than fit; its message reaches the deployer
     */
    void preload() throws Exception;
}
