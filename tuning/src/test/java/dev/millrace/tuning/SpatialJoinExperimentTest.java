package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.WorkloadTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(120)
class SpatialJoinExperimentTest
{
    @Test
    void shouldGiveALineWhenBothJoinsFindTheSamePairs() throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new SpatialJoinExperiment().run("", WorkloadTest.setting(256, 10), lines::add);
        assertThat(lines).singleElement().satisfies(line ->
        {
            assertThat(line.nsPerEvent()).isPositive();
            assertThat(line.ratioToLimit()).isLessThan(1);
        });
    }
}
