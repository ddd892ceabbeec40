package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ReplicatedBlobStore;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CachePeekMode;

/**
 * A replicated off-heap cache. A joining member receives all of it, as with a {@link IgniteReplicatedMap}: bundles that
 * only a history refers to exist nowhere else. Lost values are logged and missing; unlike the map, this class has no
 * copy to restore them from. Thread-safe.
 */
final class IgniteBlobStore implements ReplicatedBlobStore, NodeBound
{
    private final IgniteReplicatedCache cache;

    IgniteBlobStore(final String name, final String member)
    {
        cache = new IgniteReplicatedCache("bytes", name, member, Map::of);
    }

    @Override
    public void open(final Ignite ignite)
    {
        cache.open(ignite);
        cache.giveLost();
    }

    @Override
    public void close()
    {
        cache.close();
    }

    @Override
    public byte[] get(final String key)
    {
        return cache.with(here -> cache.await(here.getAsync(key)));
    }

    @Override
    public boolean contains(final String key)
    {
        return cache.with(here -> cache.await(here.containsKeyAsync(key)));
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        cache.with(here -> cache.await(here.putAsync(key, value)));
    }

    @Override
    public void remove(final String key)
    {
        cache.with(here -> cache.await(here.removeAsync(key)));
    }

    /** Iterates over the entries of this process and keeps only their names. */
    @Override
    public Set<String> names()
    {
        return cache.with(here ->
        {
            final Set<String> names = new TreeSet<>();
            here.localEntries(CachePeekMode.ALL).forEach(entry -> names.add(entry.getKey()));
            return names;
        });
    }
}
