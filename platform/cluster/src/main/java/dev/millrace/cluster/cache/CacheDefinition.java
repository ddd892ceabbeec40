package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheSettings.Limits;
import dev.millrace.api.cache.EvictionPolicy;

/**
 * The properties of a cache that members must agree on.
 *
 * @param shape  description of key and value columns; the same on all members
 * @param limits of the member that attached last
 */
record CacheDefinition(String shape, Limits limits)
{
    void write(final WireWriter out)
    {
        out.text(shape).count(limits.maxSize()).one(limits.eviction().ordinal()).count(limits.timeToLiveNs());
    }

    static CacheDefinition read(final WireReader in)
    {
        final String shape = in.text();
        final int maxSize = (int)in.count();
        return new CacheDefinition(shape, new Limits(maxSize, EvictionPolicy.values()[in.one()], in.count()));
    }
}
