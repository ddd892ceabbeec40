package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.WorkloadTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(300)
class UniqueKeysExperimentTest
{
    private static BenchResult run(final String variant, final long events) throws Exception
    {
        final BenchContext setting = WorkloadTest.setting(256, 10);
        setting.events(events);
        final List<BenchResult> lines = new ArrayList<>();
        new UniqueKeysExperiment().run(variant, setting, lines::add);
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"carried", "filter", "group", "sliding", "pattern", "window"})
    void shouldFinishExactlyWhenThereAreFewIds(final String variant) throws Exception
    {
        final BenchResult line = run(variant, 20_013);
        assertThat(line.nsPerEvent()).isPositive();
        assertThat(line.figures()).containsEntry("finished", "yes").containsEntry("exact", "yes")
            .containsEntry("rowsRejected", 0L).containsKeys("heapAfterThirdMib", "heapAtEndMib");
    }

    @Test
    void shouldSayHowItEndedWhenItDoesNotFinish() throws Exception
    {
        final BenchResult line = run("none-such", 1_000);
        assertThat(line.nsPerEvent()).isNaN();
        assertThat(line.figures()).containsEntry("finished", "no").containsEntry("end", "exit code 1");
    }

    @Test
    void shouldExpectTheRowsThatFollowFromTheVariant()
    {
        assertThat(UniqueKeysProcess.expectedRows("filter", 28)).isEqualTo(10);
        assertThat(UniqueKeysProcess.expectedRows("group", 35)).isEqualTo(15);
        assertThat(UniqueKeysProcess.expectedRows("window", 1_000_007)).isEqualTo(7);
    }
}
