package org.example.trouble;

import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheStore;
import java.util.Collection;
import java.util.Map;

/** User code with typical failures; outside the platform's packages. */
public class Faulty
{
    /** Fails in the constructor. */
    public static final class Constructor
    {
        public Constructor()
        {
            fail();
        }
    }

    /** Fails in its init method. */
    public static final class Init
    {
        public void begin()
        {
            fail();
        }
    }

    /** Fails in the static initializer. */
    public static final class Static
    {
        private static final int VALUE = fail();

        public int value()
        {
            return VALUE;
        }
    }

    /** Fails in a cache loader. */
    public static final class Loader extends Values implements CacheLoader
    {
    }

    /** Fails in a cache store. */
    public static final class Store extends Values implements CacheStore
    {
        @Override
        public void store(final Object key, final Object value)
        {
            fail();
        }

        @Override
        public void remove(final Object key)
        {
            fail();
        }
    }

    /** Common methods of loaders and stores. */
    public abstract static class Values
    {
        public Object load(final Object key)
        {
            return fail();
        }

        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return Map.of(keys, fail());
        }

        public Map<Object, Object> loadAll()
        {
            return Map.of("", fail());
        }
    }

    /** Fails in the constructor. */
    public static final class Listener implements CacheListener
    {
        private final int value = fail();

        @Override
        public void onChange(final Object key, final Object oldValue, final Object newValue)
        {
            throw new IllegalStateException("not reached, value=" + value);
        }
    }

    private static int fail()
    {
        throw new IllegalStateException("made by a test");
    }
}
