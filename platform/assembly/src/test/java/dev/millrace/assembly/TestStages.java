package dev.millrace.assembly;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import dev.millrace.network.cache.LocalCachingSystem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Stages, loaders and events as an application would write them. */
public final class TestStages
{
    private TestStages()
    {
    }

    /** A source with properties. */
    public static class FeedAdapter implements Adapter, StreamSource
    {
        private StreamSender sender;
        private int port;
        private String eventTypeName;
        private String messageSelector;
        private List<String> names = List.of();
        private Mapper mapper;

        @Override
        public void setEventSender(final StreamSender newSender)
        {
            sender = newSender;
        }

        /** Sender of the network. */
        public StreamSender sender()
        {
            return sender;
        }

        public void setPort(final int port)
        {
            if (port > 65_535)
            {
                throw new IllegalArgumentException("port must be at most 65535");
            }
            this.port = port;
        }

        public int getPort()
        {
            return port;
        }

        public void setEventTypeName(final String name)
        {
            eventTypeName = name;
        }

        public String getEventTypeName()
        {
            return eventTypeName;
        }

        public void setMessageSelector(final String selector)
        {
            messageSelector = selector;
        }

        public String getMessageSelector()
        {
            return messageSelector;
        }

        public void setNames(final List<String> names)
        {
            this.names = names;
        }

        public List<String> getNames()
        {
            return names;
        }

        public void setMapper(final Mapper mapper)
        {
            this.mapper = mapper;
        }

        public Mapper getMapper()
        {
            return mapper;
        }
    }

    /** Created by a factory method, with properties that the configuration sets. */
    public static final class Mapper
    {
        private String format;
        private String eventTypeName;

        private Mapper()
        {
        }

        public static Mapper create()
        {
            return new Mapper();
        }

        public String getFormat()
        {
            return format;
        }

        public void setFormat(final String name)
        {
            format = name;
        }

        public String getEventTypeName()
        {
            return eventTypeName;
        }

        public void setEventTypeName(final String name)
        {
            eventTypeName = name;
        }
    }

    /** A sink that stores the events it receives. */
    public static class Collector implements StreamSink
    {
        private final List<Object> events = new ArrayList<>();
        private String label = "";
        private Cache cache;

        @Override
        public void onInsertEvent(final Object event)
        {
            events.add(event);
        }

        public List<Object> events()
        {
            return events;
        }

        public void setLabel(final String label)
        {
            this.label = label;
        }

        public String getLabel()
        {
            return label;
        }

        public void setCache(final Cache cache)
        {
            this.cache = cache;
        }

        public Cache getCache()
        {
            return cache;
        }
    }

    /** A class without roles. */
    public static class Plain
    {
        private final List<String> calls = new ArrayList<>();

        public void begin()
        {
            calls.add("begin");
        }

        public void open()
        {
            calls.add("open");
        }

        public void pause()
        {
            calls.add("pause");
        }

        public void close()
        {
            calls.add("close");
        }

        public void take(final Object event)
        {
            calls.add("take " + event);
        }

        public List<String> calls()
        {
            return calls;
        }

        @Override
        public String toString()
        {
            return calls.toString();
        }
    }

    /** Fails when it is created. */
    public static class Broken implements StreamSink
    {
        public Broken()
        {
            throw new IllegalStateException("symbols.txt is not there");
        }

        @Override
        public void onInsertEvent(final Object event)
        {
            throw new UnsupportedOperationException();
        }
    }

    /** Loads one entry. */
    public static class Loader implements CacheLoader
    {
        @Override
        public Object load(final Object key)
        {
            return null;
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return Map.of();
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            return Map.of("ORCL", Map.of("symbol", "ORCL"));
        }
    }

    /** Fails with a malformed file. */
    public static class FailingLoader extends Loader
    {
        @Override
        public Map<Object, Object> loadAll()
        {
            throw new IllegalStateException("symbols.txt line 7: no comma");
        }
    }

    /** Stores values in a map. */
    public static class Store extends Loader implements CacheStore
    {
        private final List<Object> stored = new ArrayList<>();

        @Override
        public void store(final Object key, final Object value)
        {
            stored.add(key);
        }

        @Override
        public void remove(final Object key)
        {
            stored.remove(key);
        }

        public List<Object> stored()
        {
            return stored;
        }
    }

    /** Is notified of changes. */
    public static class Ear implements CacheListener
    {
        private final List<Object> heard = new ArrayList<>();

        @Override
        public void onChange(final Object key, final Object oldValue, final Object newValue)
        {
            heard.add(key);
        }

        public List<Object> heard()
        {
            return heard;
        }
    }

    /** A caching system of an application. */
    public static class OwnCachingSystem implements CachingSystem
    {
        private int limit = Integer.MAX_VALUE;

        public void setLimit(final int limit)
        {
            this.limit = limit;
        }

        @Override
        public Cache createCache(final CacheSettings settings)
        {
            return new LocalCachingSystem().createCache(new CacheSettings(settings.id(), settings.valueType(),
                settings.keyProperties(), Math.min(limit, settings.maxSize()), settings.loader()));
        }
    }

    /** An event as JavaBean. */
    public static class Trade
    {
        private String symbol;
        private double price;
        private long volume;
        private boolean open;
        private short lots;

        public String getSymbol()
        {
            return symbol;
        }

        public void setSymbol(final String symbol)
        {
            this.symbol = symbol;
        }

        public double getPrice()
        {
            return price;
        }

        public void setPrice(final double price)
        {
            this.price = price;
        }

        public Long getVolume()
        {
            return volume;
        }

        public void setVolume(final Long volume)
        {
            this.volume = volume;
        }

        public boolean isOpen()
        {
            return open;
        }

        public void setOpen(final boolean open)
        {
            this.open = open;
        }

        public short getLots()
        {
            return lots;
        }

        public void setLots(final short lots)
        {
            this.lots = lots;
        }

        /** Has no setter, so it is no property of the event. */
        public double getValue()
        {
            return price * lots;
        }
    }
}
