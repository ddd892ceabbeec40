package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measured state exists; the experiment itself compares what is written and read. */
@Timeout(120)
class StateExperimentTest
{
    private static final BenchContext BRIEF =
        new BenchContext(1, 0, true, false, BenchContext.BATCH, BenchContext.ROWS_PER_FRAME, StatusLine.NONE);

    @ParameterizedTest
    @ValueSource(strings = {"groups", "window", "window-max", "prev"})
    void shouldWriteSomethingOfEachEventAndReadIt(final String variant) throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new StateExperiment().run(variant, BRIEF, lines::add);
        assertThat(lines).singleElement().satisfies(line ->
        {
            assertThat(line.workload()).isEqualTo("state");
            // A value and a time of each row, or a value and its key.
            assertThat((Double)line.figures().get("bytesPerRow")).isBetween(16.0, 64.0);
            assertThat((Double)line.figures().get("writeS")).isPositive();
            assertThat((Double)line.figures().get("readS")).isPositive();
        });
    }
}
