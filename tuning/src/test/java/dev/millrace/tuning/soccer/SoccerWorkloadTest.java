package dev.millrace.tuning.soccer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(120)
class SoccerWorkloadTest
{
    @ParameterizedTest
    @ValueSource(strings = {"q1", "q2", "q3", "q4"})
    void shouldPutOutTheSameAsTheLoopWhenTheMatchGoesOnBeyondItsEnd(final String query)
    {
        try (SoccerWorkload workload = new SoccerWorkload(query, new SoccerData(3, 40 * SoccerData.ROWS_A_SECOND), 0))
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
