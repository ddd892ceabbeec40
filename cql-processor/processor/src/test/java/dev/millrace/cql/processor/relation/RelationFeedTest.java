package dev.millrace.cql.processor.relation;


import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.processor.BreakableCache;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.cql.processor.PairPlan;
import dev.millrace.cql.processor.PlannedCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.cql.processor.Waiting;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.ExecutionUnitFactory;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.RunningProcessor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Changes of a cache reach the replicas that pipelines join with. */
@Timeout(60)
class RelationFeedTest
{
    private static final int MANY = 3 * ChangeQueue.CAPACITY_ROWS;

    private final BreakableCache cache = new BreakableCache(PairPlan.cache("A"));
    private TestWiring wiring;
    private RunningProcessor running;
    private EventBatchSink input;

    private void start(final int workers) throws DeploymentException
    {
        final PlannedCqlProcessor planned = PairPlan.planned(cache, OrderingConstraint.PARTITION_ORDERED);
        wiring = new TestWiring(workers, 1);
        running = planned.start(wiring);
        input = running.openInput(PairPlan.CHANNEL);
    }

    @AfterEach
    void stop()
    {
        if (running != null)
        {
            running.stop();
        }
    }

    /** Sends two ticks 10 % apart and returns the number of resulting signals. */
    private int signals(final String symbol) throws Exception
    {
        final int before = wiring.rows(PairPlan.QUERY).size();
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        PairPlan.fill(batch, List.of(new Tick(symbol, 100), new Tick(symbol, 110)), 0, 2);
        input.onBatch(batch);
        assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
        return wiring.rows(PairPlan.QUERY).size() - before;
    }

    private List<?> relations()
    {
        return ((List<?>)running.statistics().get("pipelines")).stream()
            .flatMap(pipeline -> ((List<?>)((Map<?, ?>)pipeline).get("relations")).stream()).toList();
    }

    @Test
    void shouldSeeChangesAtTheNextBatchWhenRunOnTheSourcesThread() throws Exception
    {
        start(1);
        assertThat(signals("A")).isEqualTo(1);
        assertThat(signals("B")).isZero();
        PairPlan.put(cache, "B");
        assertThat(signals("B")).isEqualTo(1);
        cache.remove("B");
        assertThat(signals("B")).isZero();
        PairPlan.put(cache, "B");
        cache.remove("B");
        PairPlan.put(cache, "B");
        assertThat(signals("B")).isGreaterThanOrEqualTo(1);
        assertThat(relations().toString()).contains("changes=5", "size=2");
    }

    @Test
    void shouldTakeChangesInWhenWorkersAreSilent() throws Exception
    {
        start(2);
        PairPlan.put(cache, "B");
        cache.remove("A");
        final long sentNs = System.nanoTime();
        Waiting.until("both replicas have one row", () -> relations().stream().allMatch(
            copy -> copy.toString().contains("size=1") && copy.toString().contains("changes=2")));
        System.out.println("visible after us=" + (System.nanoTime() - sentNs) / 1_000);
        assertThat(signals("A")).isZero();
        assertThat(signals("B")).isEqualTo(1);
    }

    @Test
    void shouldReloadTheCacheWhenMoreChangesComeThanAreQueued() throws Exception
    {
        start(1);
        for (int i = 0; i < MANY; i++)
        {
            PairPlan.put(cache, "N" + i);
        }
        for (int i = 0; i < MANY; i += 2)
        {
            cache.remove("N" + i);
        }
        cache.remove("A");
        assertThat(signals("N" + (MANY - 1))).isEqualTo(1);
        assertThat(signals("N0")).isZero();
        assertThat(signals("A")).isZero();
        assertThat(relations().toString()).contains("reloads=1", "size=" + MANY / 2);
        PairPlan.put(cache, "A");
        assertThat(signals("A")).isGreaterThanOrEqualTo(1);
        assertThat(relations().toString()).contains("reloads=1", "changes=1");
    }

    @Test
    void shouldEndEqualToTheCacheWhenWorkersAndChangesRace() throws Exception
    {
        start(2);
        final Thread changer = new Thread(() ->
        {
            for (int i = 0; i < 20 * MANY; i++)
            {
                final String key = "R" + i % 3_000;
                if (i % 3 == 0)
                {
                    cache.remove(key);
                }
                else
                {
                    PairPlan.put(cache, key);
                }
            }
        });
        changer.start();
        while (changer.isAlive())
        {
            signals("A");
        }
        Waiting.until("replicas are equal to the cache", () -> relations().stream().allMatch(
            copy -> copy.toString().contains("size=" + cache.size())));
        assertThat(signals("A")).isPositive();
        assertThat(wiring.rejected()).isZero();
    }

    @Test
    void shouldNotBlockWhenASinkOnTheWorkerChangesTheCache() throws Exception
    {
        start(2);
        final AtomicInteger made = new AtomicInteger();
        wiring.beforeCollect(batch ->
        {
            for (int i = 0; i < MANY; i++)
            {
                PairPlan.put(cache, "W" + made.getAndIncrement());
            }
        });
        assertThat(signals("A")).isEqualTo(1);
        Waiting.until("replicas are equal to the cache", () -> relations().stream().allMatch(
            copy -> copy.toString().contains("size=" + (MANY + 1))));
    }

    @Test
    void shouldRefuseTheDeploymentWhenAValueDoesNotFitItsType()
    {
        cache.put("broken", "not an event");

        assertThatThrownBy(() -> start(1)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining(ProcessorErrorCode.CACHE_VALUE_UNREADABLE)
            .hasMessageContaining("cache=symbolsCache").hasMessageContaining("key=broken");
    }

    @Test
    void shouldDropTheRowAndCountWhenALaterValueDoesNotFit() throws Exception
    {
        start(1);
        cache.put("A", "not an event");

        assertThat(signals("A")).isZero();
        assertThat(wiring.rejected("unreadable-cache-value")).isEqualTo(1);
        assertThat(wiring.detail("unreadable-cache-value")).startsWith("CQL-8002 cache=")
            .contains(" key=A ", "; put values of the cache's value-type");
        cache.put("A", new TupleEvent(PairPlan.SYMBOL, "A"));
        assertThat(signals("A")).isGreaterThanOrEqualTo(1);
    }

    @Test
    void shouldCountAndStayUsableWhenALaterValueThrows() throws Exception
    {
        start(1);
        cache.put("A", odd());

        assertThat(signals("A")).isZero();
        assertThat(wiring.rejected("unreadable-cache-value")).isEqualTo(1);
        PairPlan.put(cache, "A");
        assertThat(signals("A")).isGreaterThanOrEqualTo(1);
    }

    @Test
    void shouldRefuseTheDeploymentAndStopListeningWhenAValueThrows()
    {
        cache.put("odd", odd());

        assertThatThrownBy(() -> start(1)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining(ProcessorErrorCode.CACHE_VALUE_UNREADABLE).hasMessageContaining("key=odd");
        assertThat(cache.listeners()).isEmpty();
    }

    @Test
    void shouldRefuseTheDeploymentAndStopListeningWhenTheCacheThrows()
    {
        cache.broken(true);

        assertThatThrownBy(() -> start(1)).isInstanceOf(DeploymentException.class)
            .hasMessageContaining(ProcessorErrorCode.CACHE_VALUE_UNREADABLE).hasMessageContaining("out of order");
        assertThat(cache.listeners()).isEmpty();
    }

    @Test
    void shouldReloadLaterWhenTheCacheThrewAtFirst() throws Exception
    {
        start(1);
        fallBehind();
        assertThat(signals("N1")).isZero();
        assertThat(wiring.rejected("pipeline-failed")).isEqualTo(2);

        cache.broken(false);
        assertThat(signals("N1")).isEqualTo(1);
        assertThat(signals("A")).isEqualTo(1);
        assertThat(relations().toString()).contains("reloads=1", "size=" + (MANY + 1));
    }

    @Test
    void shouldRestUntilTheNextRowsWhenTheCacheThrowsAndWorkersAreIdle() throws Exception
    {
        start(2);
        fallBehind();
        // Each of the two workers tries once, then sleeps.
        Waiting.until("workers sleep", () -> wiring.startedThreads().stream()
            .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
        cache.broken(false);
        assertThat(signals("A")).isEqualTo(1);
    }

    @Test
    void shouldLeaveACopyToTheDeployingThreadUntilItIsFilledWhenWorkersRunAlready() throws Exception
    {
        final PlannedCqlProcessor planned = PairPlan.planned(cache, OrderingConstraint.PARTITION_ORDERED);
        wiring = new TestWiring(2, 1);
        final Workers workers = new Workers(wiring);
        workers.next();
        workers.start();
        final RelationFeeds feeds = new RelationFeeds(PairPlan.stage(cache), wiring, workers::wake);
        final ExecutionUnitFactory maker = new ExecutionUnitFactory(
            PairPlan.stage(cache), wiring, wiring::openOutputs, workers, feeds, null, StoredState.NONE);
        final ExecutionUnit unit = maker.make(maker.compile(PairPlan.plan(OrderingConstraint.PARTITION_ORDERED)
            .pipelines().get(0)));
        final AtomicInteger looks = new AtomicInteger();
        cache.onEntries(() ->
        {
            final long sleeps = leastSleeps(workers);
            PairPlan.put(cache, "B");
            Waiting.until("each worker has looked for changes", () -> leastSleeps(workers) > sleeps);
            assertThat(unit.copies()).allMatch(copy -> copy.statistics().get("changes").equals(0L));
            looks.incrementAndGet();
        });
        Waiting.until("workers sleep", () -> leastSleeps(workers) > 0);
        feeds.open();
        unit.joinWorkers();
        workers.wake();
        Waiting.until("changes are applied", () -> unit.copies().stream()
            .allMatch(copy -> copy.statistics().get("changes").equals(1L)));
        assertThat(looks).hasValue(1);
        workers.all().forEach(Worker::stop);
    }

    private static long leastSleeps(final Workers workers)
    {
        return workers.all().stream().mapToLong(worker -> (Long)worker.statistics().get("sleeps")).min().orElse(0);
    }

    private void fallBehind()
    {
        cache.broken(true);
        for (int i = 0; i < MANY; i++)
        {
            PairPlan.put(cache, "N" + i);
        }
    }

    /** A map that cannot be searched for a property: its keys are not strings. */
    private static Map<Object, Object> odd()
    {
        return new TreeMap<>(Map.of(1, "A"));
    }
}
