package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.WorkloadTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(120)
class TwoStepsExperimentTest
{
    @ParameterizedTest
    @ValueSource(strings = {"total", "q4"})
    void shouldGiveALineWhenTwoWorkersPutOutWhatOneThreadDoes(final String variant) throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new TwoStepsExperiment().run(variant, WorkloadTest.setting(256, 10), lines::add);
        assertThat(lines).singleElement().satisfies(line ->
        {
            assertThat(line.nsPerEvent()).isPositive();
            assertThat(line.ratioToLimit()).isPositive();
            assertThat((long)line.figures().get("rowsOut")).isPositive();
        });
    }
}
