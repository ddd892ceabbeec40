package dev.millrace.tuning.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.burst.BurstBaseline;
import dev.millrace.tuning.burst.BurstEngine;
import dev.millrace.tuning.burst.H2BurstStore;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.TickData;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows measured on their way into databases arrive there; the experiments compare them themselves. */
@Tag("slow")
@Timeout(120)
class StoreExperimentTest
{
    private static final BenchContext BRIEF =
        new BenchContext(1, 0, true, false, BenchContext.BATCH, BenchContext.ROWS_PER_FRAME, StatusLine.NONE);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStoreTheSameRowsAsBareBatches(final boolean isUpdate) throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new StoreExperiment(isUpdate).run("h2-oracle", BRIEF, lines::add);
        assertThat(lines).singleElement().satisfies(line ->
        {
            assertThat(line.workload()).isEqualTo(isUpdate ? "store-update" : "store-insert");
            assertThat(line.nsPerEvent()).isPositive();
            assertThat(line.limitNsPerEvent()).isPositive();
        });
    }

    @Test
    void shouldStoreEveryEventOfABurst() throws Exception
    {
        try (H2BurstStore store = H2BurstStore.open();
            BurstEngine engine = new BurstEngine(new TickData(3), 4_000, store))
        {
            final BurstBaseline limit = new BurstBaseline(new TickData(3), 4_000, store);
            for (int i = 0; i < 3; i++)
            {
                assertThat(engine.burst(4_000).firstInToLastOutNs()).isPositive();
                assertThat(limit.burst(4_000)).isPositive();
                store.empty(4_000);
            }
            assertThatThrownBy(() -> store.empty(1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("table=ticks_sink found=0 expected=1");
        }
    }

    @Test
    void shouldMakeEachIdOnceInAnyOrder()
    {
        assertThat(new StoreRows(1_000, 7, true).expected()).startsWith(1_000, 499_500);
    }
}
