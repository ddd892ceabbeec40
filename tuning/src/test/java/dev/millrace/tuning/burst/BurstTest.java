package dev.millrace.tuning.burst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.internal.StatusLine;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.TickData;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(120)
class BurstTest
{
    private static final TickData DATA = new TickData(3);
    private static final BenchContext BRIEF = new BenchContext(1, 0, true, false, 256, 10, StatusLine.NONE);

    /** Records how many rows were received and in which order the methods were called. */
    private static final class ListStore implements BurstStore
    {
        private final List<String> calls = new ArrayList<>();
        private final double[] prices = new double[10_000];
        private int rows;
        private boolean isRefusing;

        @Override
        public Object sink()
        {
            return (EventBatchSink)this::store;
        }

        private void store(final EventBatch batch) throws EventRejectedException
        {
            if (isRefusing && batch.size() > 0)
            {
                throw new EventRejectedException("the store is full");
            }
            for (int i = 0; i < batch.size(); i++)
            {
                prices[rows++] = batch.doubles(1)[i];
            }
        }

        @Override
        public long awaitStored(final long total)
        {
            calls.add("await " + total);
            return System.nanoTime();
        }

        @Override
        public void storeBare(final EventBatch batch)
        {
            calls.add("bare " + batch.size());
        }

        @Override
        public void finishBare()
        {
            calls.add("finish");
        }

        @Override
        public void empty(final long stored)
        {
            calls.add("empty " + stored);
            rows = 0;
        }

        @Override
        public void close()
        {
            calls.add("close");
        }
    }

    @Test
    void shouldPublishWhatTheLoopPublishesWhenBurstsFollowEachOther() throws Exception
    {
        try (BurstEngine engine = new BurstEngine(DATA, 10_000, null))
        {
            final BurstBaseline limit = new BurstBaseline(DATA, 10_000, null);
            for (final int size : new int[] {1, 255, 256, 257, 4_000, 10_000, 10_000})
            {
                final Burst burst = engine.burst(size);
                limit.burst(size);
                assertThat(engine.checksum()).as("burst of %d", size).isEqualTo(limit.checksum());
                assertThat(burst.events()).isEqualTo(size);
                assertThat(burst.latencySumNs()).isBetween(size * 1L, size * burst.firstInToLastOutNs());
                assertThat(burst.insertNs() + burst.processNs()).isGreaterThanOrEqualTo(burst.firstInToLastOutNs());
            }
        }
    }

    @Test
    void shouldStoreEveryEventBesideTheWindowWhenThereIsAStore() throws Exception
    {
        final ListStore store = new ListStore();
        try (BurstEngine engine = new BurstEngine(DATA, 10_000, store))
        {
            engine.burst(300);
            engine.burst(200);
            new BurstBaseline(DATA, 10_000, store).burst(300);
        }
        assertThat(store.rows).isEqualTo(500);
        assertThat(store.prices).startsWith(DATA.prices[0], DATA.prices[1]);
        assertThat(store.prices[499]).isEqualTo(DATA.prices[499]);
        assertThat(store.calls).containsExactly("await 300", "await 500", "bare 256", "bare 44", "finish");
    }

    @Test
    void shouldEmptyTheStoreBehindEachBurst() throws Exception
    {
        final ListStore store = new ListStore();
        new BurstExperiment(() -> store).run("list", BRIEF, result -> { });
        assertThat(store.calls).endsWith("finish", "empty 10000", "close");
        // Seven bursts of each size per round, of the engine and hand-written in turn.
        assertThat(store.calls.stream().filter("empty 4000"::equals)).hasSize(7 * BRIEF.rounds());
        assertThat(store.calls.stream().filter("empty 8000"::equals)).hasSize(7 * BRIEF.rounds());
        assertThat(store.calls.stream().filter("finish"::equals))
            .hasSameSizeAs(store.calls.stream().filter(call -> call.startsWith("empty")).toList());
    }

    @Test
    void shouldFailWhenTheStoreTurnsRowsAway() throws Exception
    {
        final ListStore store = new ListStore();
        store.isRefusing = true;
        try (BurstEngine engine = new BurstEngine(DATA, 10_000, store))
        {
            assertThatThrownBy(() -> engine.burst(10)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("events=10 published=10 rejected=10");
        }
    }

    @Test
    void shouldGiveMillisecondsWhenFiguresAreInNanoseconds()
    {
        final Burst burst = new Burst(4_000, 1_500_000, 2_000_000, 3_250_000, 8_000_000_000L, 0, 0);
        assertThat(burst.latencyMs()).isCloseTo(2.0, within(1e-12));
        assertThat(burst.insertMs()).isCloseTo(1.5, within(1e-12));
        assertThat(burst.processMs()).isCloseTo(2.0, within(1e-12));
        assertThat(burst.firstInToLastOutMs()).isCloseTo(3.25, within(1e-12));
    }

    @Test
    void shouldGiveFiguresForEachSizeWhenTheExperimentRuns() throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new BurstExperiment(() -> null).run("memory", BRIEF, lines::add);
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).figures()).containsKeys("latencyMs4000", "insertMs4000", "processMs4000",
            "firstInToLastOutMs4000", "limitMs4000", "firstInToLastOutMs8000", "firstInToLastOutMs10000");
        assertThat(lines.get(0).nsPerEvent()).isPositive();
        assertThat(lines.get(0).limitNsPerEvent()).isPositive();
    }
}
