package dev.millrace.cql.processor.relation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.cql.processor.LogLines;
import dev.millrace.cql.processor.ObjectApplication;
import dev.millrace.network.lane.Rejections;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches with keys of several properties, and loaders that fail halfway, in whole applications. */
@Timeout(60)
class CacheLookupTest
{
    private static final String CACHE = "<wlevs:event-type-repository><wlevs:event-type type-name=\"Price\">" +
        "<wlevs:properties type=\"map\"><wlevs:property name=\"symbol\" type=\"char\"/>" +
        "<wlevs:property name=\"day\" type=\"int\"/><wlevs:property name=\"price\" type=\"int\"/>" +
        "</wlevs:properties></wlevs:event-type></wlevs:event-type-repository>\n" +
        "<wlevs:cache id=\"prices\" value-type=\"Price\" key-properties=\"KEYS\"/>";

    /** Loads single keys; fails for some. */
    public static class Loader implements CacheLoader
    {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public Object load(final Object key)
        {
            asked.incrementAndGet();
            if ("down".equals(key))
            {
                throw new IllegalStateException("connection lost");
            }
            if ("linked".equals(key))
            {
                throw new NoClassDefFoundError("gone.Missing");
            }
            return "odd".equals(key) ? "no map" : "none".equals(key) ? null :
                Map.of("symbol", key, "day", 1, "price", key.toString().length());
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return Map.of();
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            return Map.of();
        }
    }

    @Test
    void shouldAskWithAllPropertiesOfTheKeyInTheirOrder() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS", "symbol, day"))
            .query("RStream(select p.price as x from S[now] as s, prices as p where p.day = s.v and s.k = p.symbol " +
                "and p.price > 10)").start())
        {
            final Cache cache = application.bean("prices", Cache.class);
            cache.put(List.of("a", 1), Map.of("symbol", "a", "day", 1, "price", 11));
            cache.put(List.of("a", 2), Map.of("symbol", "a", "day", 2, "price", 12));
            cache.put(List.of("a", 3), Map.of("symbol", "a", "day", 3, "price", 3));

            application.send(1, "a", 1).send(2, "a", 2).send(3, "a", 3).send(4, "b", 1).send(5, "a", null);

            assertThat(application.rows()).containsExactly("+11", "+12");
        }
    }

    @Test
    void shouldAskTheLoaderForKeysThatAreMissing() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS\"/>", "symbol\"><wlevs:cache-loader><bean " +
                "class=\"dev.millrace.cql.processor.relation.CacheLookupTest$Loader\"/></wlevs:cache-loader>" +
                "</wlevs:cache>"))
            .query("RStream(select p.price as x from S[now] as s, prices as p where p.symbol = s.k)").start())
        {
            application.send(1, "abc", 1).send(2, "none", 1).send(3, "ab", 1);

            assertThat(application.allRows()).containsExactly("+3", "+2");
        }
    }

    @Test
    void shouldRejectTheRowWhenTheLoaderFailsAndGoOn() throws Exception
    {
        try (LogLines log = new LogLines(Rejections.class); ObjectApplication application = ObjectApplication.with()
            .objects("<wlevs:cache-source ref=\"prices\"/>").beans(CACHE.replace("KEYS\"/>",
                "symbol\"><wlevs:cache-loader>" +
                "<bean class=\"dev.millrace.cql.processor.relation.CacheLookupTest$Loader\"/>" +
                "</wlevs:cache-loader></wlevs:cache>"))
            .query("select p.price as x from S[now] as s, prices as p where p.symbol = s.k")
            .options("is-relation=\"true\" primary-key=\"x\"").start())
        {
            application.send(1, "abc", 1).send(2, "down", 1).send(3, "linked", 1).send(4, "odd", 1).send(5, "none", 1)
                .send(6, "ab", 1);

            assertThat(application.rows()).contains("+3", "+2");
            assertThat(application.rejected("cache-loader-failed")).isEqualTo(2);
            assertThat(application.rejected("unreadable-cache-value")).isEqualTo(1);
            assertThat(log.lines()).anyMatch(line -> line.contains("CQL-8104") && line.contains("cache=prices") &&
                line.contains("key=down") && line.contains("connection lost"));
        }
    }

    private static Map<String, Object> price(final String symbol, final int day, final int price)
    {
        return Map.of("symbol", symbol, "day", day, "price", price);
    }

    @Test
    void shouldFollowACacheThatFindsNothingElsewhere() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS", "day"))
            .query("RStream(select p.price as x from S[now] as s, prices as p where p.day = s.v + 1)").start())
        {
            final Cache cache = application.bean("prices", Cache.class);
            cache.put(2, price("a", 2, 11));
            application.send(1, "a", 1);
            cache.put(2, price("a", 2, 12));
            application.send(2, "a", 1).send(3, "a", null).send(4, "a", 7);
            cache.remove(2);
            application.send(5, "a", 1);
            cache.put(2, "no map");
            application.send(6, "a", 1).send(7, "a", 7);
            assertThat(application.rejected("unreadable-cache-value")).isEqualTo(1);
            for (int day = 0; day < 5_000; day++)
            {
                cache.put(day, price("a", day, day + 100));
            }
            application.send(8, "a", 1).send(9, "a", 4_998).send(10, "a", 4_999);

            assertThat(application.rows()).containsExactly("+11", "+12", "+102", "+5099");
            assertThat(application.rejected("unreadable-cache-value")).isEqualTo(1);
        }
    }

    @Test
    void shouldLetRowsLeaveWithThoseThatFoundThemWhateverTheCacheHasByThen() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS", "day")).out("x", "char").options("is-relation=\"true\" primary-key=\"x\"")
            .query("select p.symbol as x from S[now] as s, prices as p where p.day = s.v").start())
        {
            final Cache cache = application.bean("prices", Cache.class);
            cache.put(1, price("a", 1, 1));
            application.send(1, "a", 1);
            cache.put(1, price("b", 1, 1));
            application.send(2, "a", 1).send(3, "a", 2);

            assertThat(application.rows()).containsExactly("+a", "-a", "+b", "-b");
        }
    }

    @Test
    void shouldPassOnChooseAndCompareStringsOfACache() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS", "day")).out("x", "char")
            .query("RStream(select case when p.price > 10 then p.symbol else s.k end as x from S[now] as s, " +
                "prices as p where p.day = s.v + 1 and (p.symbol is null or p.symbol <> 'hidden'))").start())
        {
            final Cache cache = application.bean("prices", Cache.class);
            cache.put(2, price("a string of more than a word", 2, 11));
            cache.put(3, price("unread", 3, 10));
            cache.put(4, price("hidden", 4, 11));
            cache.put(5, price("", 5, 11));
            application.send(1, "k", 1).send(2, "k", 2).send(3, "k", 3).send(4, "k", 4);
            cache.put(4, price("k", 4, 11));
            application.send(5, "other", 3);

            assertThat(application.rows())
                .containsExactly("+a string of more than a word", "+k", "+null", "+k");
        }
    }

    @Test
    void shouldFollowACacheWhoseKeysAreStrings() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans(CACHE.replace("KEYS", "symbol"))
            .query("RStream(select p.price as x from S[now] as s, prices as p where p.symbol = s.k || '')").start())
        {
            final Cache cache = application.bean("prices", Cache.class);
            cache.put("a", price("a", 1, 11));
            cache.put("a string of more than a word", price("x", 1, 12));
            application.send(1, "a", 1).send(2, "b", 1).send(3, "a string of more than a word", 1).send(4, null, 1);
            cache.remove("a");
            cache.put("b", price("b", 1, 13));
            application.send(5, "a", 1).send(6, "b", 1);
            cache.put("b", price("b", 1, 14));
            cache.put("c", price("c", 1, 15));
            application.send(7, "c", 1).send(8, "b", 1).send(9, "a string of more than a word", 1);
            for (int i = 0; i < 5_000; i++)
            {
                cache.put("key " + i, price("k", 1, i));
            }
            cache.remove("c");
            application.send(10, "key 4711", 1).send(11, "c", 1).send(12, "b", 1);

            assertThat(application.rows())
                .containsExactly("+11", "+12", "+13", "+15", "+14", "+12", "+4711", "+14");
        }
    }
}
