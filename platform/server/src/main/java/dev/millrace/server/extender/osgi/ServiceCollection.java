package dev.millrace.server.extender.osgi;

import java.util.AbstractList;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The services of an {@code osgi:list} or {@code osgi:set}: a read-only view, ordered by ranking, best first, that
 * reflects registrations and unregistrations. Iterators see a snapshot. Thread-safe.
 */
final class ServiceCollection
{
    private volatile List<Object> now = List.of();

    private final List<Object> list = new AbstractList<>()
    {
        @Override
        public Object get(final int index)
        {
            return now.get(index);
        }

        @Override
        public int size()
        {
            return now.size();
        }

        @Override
        public Iterator<Object> iterator()
        {
            return now.iterator();
        }
    };

    private final Set<Object> set = new AbstractSet<>()
    {
        @Override
        public Iterator<Object> iterator()
        {
            return now.iterator();
        }

        @Override
        public int size()
        {
            return now.size();
        }
    };

    void set(final List<Object> services)
    {
        now = List.copyOf(services);
    }

    List<Object> list()
    {
        return list;
    }

    Set<Object> set()
    {
        return set;
    }
}
