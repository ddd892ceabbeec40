package dev.millrace.tuning.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BenchResultTest
{
    @Test
    void shouldBeginWithTheCommonFieldsInTheirOrderWhenALineIsWritten()
    {
        final BenchResult result = new BenchResult("pair", "").events(1_048_576).nsPerEvent(2.5).bytesPerEvent(0)
            .limitNsPerEvent(5).ratioToLimit(0.5).with("p99Us", 1.25).with("lost", 0L).with("store", "h2");
        assertThat(result.json()).isEqualTo("{\"workload\":\"pair\",\"variant\":\"\",\"events\":1048576," +
            "\"nsPerEvent\":2.5,\"eventsPerSec\":400000000,\"bytesPerEvent\":0.0,\"limitNsPerEvent\":5.0," +
            "\"ratioToLimit\":0.5,\"p99Us\":1.25,\"lost\":0,\"store\":\"h2\"}");
    }

    @Test
    void shouldSayNullWhenAFigureIsNotThere()
    {
        assertThat(new BenchResult("latency", "").events(10).with("share", Double.NaN).json()).isEqualTo(
            "{\"workload\":\"latency\",\"variant\":\"\",\"events\":10,\"nsPerEvent\":null,\"eventsPerSec\":null," +
            "\"bytesPerEvent\":null,\"limitNsPerEvent\":null,\"ratioToLimit\":null,\"share\":null}");
    }
}
