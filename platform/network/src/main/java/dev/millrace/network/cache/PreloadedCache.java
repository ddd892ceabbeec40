package dev.millrace.network.cache;

import dev.millrace.api.cache.Cache;

/** A cache whose loader fills it before the first event. */
public interface PreloadedCache extends Cache
{
    /**
     * Asks the loader for everything; called once by the network, before processors start.
     *
     * @throws Exception when the loader fails or gives more than fits; its message reaches the deployer
     */
    void preload() throws Exception;
}
