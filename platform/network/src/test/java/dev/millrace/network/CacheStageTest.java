package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.network.cache.CacheSink;
import dev.millrace.network.cache.CacheStage;
import dev.millrace.network.cache.LocalCache;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.lane.RejectReason;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Caches that receive events and send their changes. */
@Timeout(60)
class CacheStageTest
{
    private final CacheSettings settings = new CacheSettings("c", Parts.TICK, List.of("symbol"), 1000, null);
    private final LocalCache cache = new LocalCachingSystem().createCache(settings);
    private final List<String> changes = new ArrayList<>();

    private static TupleEvent tick(final long id, final String symbol)
    {
        return new TupleEvent(Parts.TICK, id, symbol, id / 2.0);
    }

    private static Object idOf(final Object value)
    {
        return value == null ? null : ((TupleEvent)value).get("id");
    }

    @Test
    void shouldPutRowsByTheirKeyAndTellOfEachChange() throws Exception
    {
        final Parts.ObjectSource source = new Parts.ObjectSource();
        cache.addListener((key, before, after) -> changes.add(key + ":" + idOf(before) + ">" + idOf(after)));
        final Network network = new TestNetwork().cache(cache).bean("in", source, "ticks")
            .channel("ticks", Parts.TICK, "c").bean("c", new CacheSink(cache, settings)).start();
        source.sender.sendInsertEvent(tick(1, "a"));
        source.sender.sendInsertEvent(tick(2, "b"));
        source.sender.sendInsertEvent(tick(3, "a"));
        source.sender.sendInsertEvent(tick(4, null));
        network.stop();
        assertThat(changes).containsExactly("a:null>1", "b:null>2", "a:1>3");
        assertThat(TestNetwork.rejected(network, "c", RejectReason.REFUSED_BY_SINK)).isEqualTo(1);
        assertThat(TestNetwork.stage(network, "c")).containsEntry("kind", "cache").containsEntry("rowsIn", 4L);
    }

    @Test
    void shouldPutSeveralChangesOfOneKeyOfABatchOneAfterTheOther() throws Exception
    {
        final Parts.ColumnSource source = new Parts.ColumnSource();
        cache.addListener((key, before, after) -> changes.add(key + ":" + idOf(before) + ">" + idOf(after)));
        final Network network = new TestNetwork().bean("in", source, "ticks").channel("ticks", Parts.TICK, "c")
            .bean("c", new CacheSink(cache, settings)).start();
        source.send(1, 2, 11, 21);
        network.stop();
        assertThat(changes).containsExactly("S1:null>1", "S2:null>2", "S1:1>11", "S1:11>21");
    }

    @Test
    void shouldRemoveRowsThatLeaveARelation() throws Exception
    {
        final Parts.TableSource source = new Parts.TableSource();
        final Network network = new TestNetwork().bean("in", source, "ticks")
            .relation("ticks", Parts.TICK, List.of("symbol"), "c").bean("c", new CacheSink(cache, settings)).start();
        source.sender.sendInsertEvent(tick(1, "a"));
        source.sender.sendInsertEvent(tick(2, "b"));
        source.sender.sendUpdateEvent(tick(3, "a"));
        source.sender.sendDeleteEvent(tick(2, "b"));
        network.stop();
        assertThat(cache.entries()).containsOnlyKeys("a");
        assertThat(idOf(cache.get("a"))).isEqualTo(3L);
    }

    @Test
    void shouldSendChangedValuesAsEventsOfAStream() throws Exception
    {
        final Parts.ObjectSink sink = new Parts.ObjectSink();
        cache.put("old", tick(1, "old"));
        final Network network = new TestNetwork().bean("c", new CacheStage(cache, settings, false), "ticks")
            .channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        cache.put("a", tick(2, "a"));
        cache.put("a", tick(3, "a"));
        cache.remove("a");
        cache.put("b", tick(4, "b"));
        TestNetwork.await("three events", () -> sink.events.size() == 3);
        network.stop();
        cache.put("c", tick(5, "c"));
        assertThat(sink.events).extracting(CacheStageTest::idOf).containsExactly(2L, 3L, 4L);
    }

    @Test
    void shouldBeARelationFromItsContentsOn() throws Exception
    {
        final Parts.TableSink sink = new Parts.TableSink();
        cache.put("old", tick(1, "old"));
        final Network network = new TestNetwork().bean("c", new CacheStage(cache, settings, true), "rows")
            .relation("rows", Parts.TICK, List.of("symbol"), "out").bean("out", sink).start();
        TestNetwork.await("the contents", () -> sink.changes.size() == 1);
        cache.put("a", tick(2, "a"));
        cache.put("a", tick(3, "a"));
        cache.remove("old");
        TestNetwork.await("the changes", () -> sink.changes.size() == 4);
        network.suspend();
        cache.put("a", tick(4, "a"));
        cache.put("b", tick(5, "b"));
        network.resume();
        TestNetwork.await("changes made in the meantime", () -> sink.changes.size() == 6);
        network.stop();
        assertThat(sink.changes).extracting(change -> change.charAt(0))
            .containsExactly('+', '+', '=', '-', '=', '+');
        assertThat(TestNetwork.figure(network, "rows", "rowsRejected")).isZero();
    }

    @Test
    void shouldSendTheLastValueOfEachKeyWhenTooManyWait() throws Exception
    {
        final CacheStage stage = new CacheStage(cache, settings, true);
        final Parts.TableSink sink = new Parts.TableSink();
        final Network network = new TestNetwork().bean("c", stage, "rows")
            .relation("rows", Parts.TICK, List.of("symbol"), "out").bean("out", sink).build();
        for (int i = 0; i < 70_000; i++)
        {
            final String symbol = "s" + i % 10;
            cache.put(symbol, tick(i, symbol));
        }
        network.start();
        TestNetwork.await("ten rows", () -> sink.changes.size() >= 10);
        cache.put("end", tick(99, "end"));
        TestNetwork.await("the end", () -> sink.changes.size() == 11);
        network.stop();
        assertThat((long)stage.statistics().get("passedOver")).isGreaterThanOrEqualTo(70_000);
    }

    @Test
    void shouldSendNothingTwiceWhenValuesChangeWhileTheContentsAreTaken() throws Exception
    {
        final Cache racing = (Cache)Proxy.newProxyInstance(Cache.class.getClassLoader(), new Class<?>[] {Cache.class},
            (proxy, method, arguments) ->
            {
                final boolean isSnapshot = method.getName().equals("entries");
                if (isSnapshot)
                {
                    cache.put("a", tick(1, "a"));
                    cache.put("a", tick(2, "a"));
                    cache.put("gone", tick(3, "gone"));
                    cache.remove("gone");
                }
                final Object result = method.invoke(cache, arguments);
                if (isSnapshot)
                {
                    cache.put("a", tick(4, "a"));
                }
                return result;
            });
        final Parts.TableSink sink = new Parts.TableSink();
        final Network network = new TestNetwork().bean("c", new CacheStage(racing, settings, true), "rows")
            .relation("rows", Parts.TICK, List.of("symbol"), "out").bean("out", sink).start();
        TestNetwork.await("the change after the contents", () -> sink.changes.stream().anyMatch(each ->
            each.startsWith("=")));
        cache.put("end", tick(99, "end"));
        TestNetwork.await("the end", () -> sink.changes.stream().anyMatch(each -> each.contains("end")));
        network.stop();
        assertThat(sink.changes).hasSize(3);
        assertThat(sink.changes.get(0)).startsWith("+").contains("2", "a");
        assertThat(sink.changes.get(1)).startsWith("=").contains("4", "a");
    }
}
