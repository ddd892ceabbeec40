package dev.millrace.cluster.ignite;

import dev.millrace.cluster.SharedBytes;
import dev.millrace.cluster.SharedMap.FencedException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import javax.cache.CacheException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CachePeekMode;

/** A replicated cache beside the heap. Safe for all threads. */
final class ReplicatedBytes implements SharedBytes, Replicated
{
    private final String name;
    private final String member;
    private volatile IgniteCache<String, byte[]> cache;

    ReplicatedBytes(final String name, final String member)
    {
        this.name = name;
        this.member = member;
    }

    @Override
    public void open(final Ignite ignite)
    {
        cache = ignite.getOrCreateCache(ReplicatedCache.named(name));
    }

    @Override
    public void close()
    {
        cache = null;
    }

    /** Works with the cache; a node that ends meanwhile looks like one that has ended. */
    private <T> T with(final Function<IgniteCache<String, byte[]>, T> work)
    {
        final IgniteCache<String, byte[]> here = cache;
        if (here == null)
        {
            throw new FencedException(member);
        }
        try
        {
            return work.apply(here);
        }
        catch (final CacheException | IgniteException | IllegalStateException e)
        {
            if (cache == here)
            {
                throw e;
            }
            final FencedException fenced = new FencedException(member);
            fenced.addSuppressed(e);
            throw fenced;
        }
    }

    @Override
    public byte[] get(final String key)
    {
        return with(here -> here.get(key));
    }

    @Override
    public boolean contains(final String key)
    {
        return with(here -> here.containsKey(key));
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        with(here ->
        {
            here.put(key, value);
            return null;
        });
    }

    @Override
    public void remove(final String key)
    {
        with(here -> here.remove(key));
    }

    /** Walks the entries of this process, of which only names are kept. */
    @Override
    public Set<String> names()
    {
        return with(here ->
        {
            final Set<String> names = new TreeSet<>();
            here.localEntries(CachePeekMode.ALL).forEach(entry -> names.add(entry.getKey()));
            return names;
        });
    }
}
