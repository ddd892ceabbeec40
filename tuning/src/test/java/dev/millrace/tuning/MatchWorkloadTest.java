package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MatchWorkloadTest
{
    @ParameterizedTest
    @ValueSource(strings = {"q1", "q2", "q3", "q4"})
    void shouldPutOutTheSameAsTheLoopWhenTheMatchGoesOnBeyondItsEnd(final String query)
    {
        try (MatchWorkload workload = new MatchWorkload(query, new MatchData(3, 40 * MatchData.ROWS_A_SECOND), 0))
        {
            for (int pass = 0; pass < 3; pass++)
            {
                workload.runEngine();
                workload.runLimit();
                assertThat(workload.engineTally().rows()).isPositive().isEqualTo(workload.limitTally().rows());
                assertThat(workload.engineTally().checksum()).isEqualTo(workload.limitTally().checksum());
            }
        }
    }
}
