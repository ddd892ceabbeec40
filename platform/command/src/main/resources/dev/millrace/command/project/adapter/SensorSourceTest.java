package @package@;

import static dev.millrace.test.Row.row;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.test.ApplicationUnderTest;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the application with its source, which reads a sensor of the test on its own thread. */
class SensorSourceTest
{
    private final Iterator<Double> temperatures = List.of(20.0, 61.0, 62.5).iterator();

    @RegisterExtension
    final ApplicationUnderTest app = ApplicationUnderTest.of().property("sensors.interval", "1")
        .bean("sensor", () -> (DoubleSupplier)() -> temperatures.hasNext() ? temperatures.next() : 0);

    @Test
    void shouldSendWhatItReads()
    {
        app.await("alarms", 1, Duration.ofSeconds(20));

        app.expect("alarms", row("name", "boiler", "celsius", 62.5));
    }

    @Test
    void shouldRefuseToStartWithoutASensor()
    {
        assertThrows(IllegalArgumentException.class, new SensorSource()::afterPropertiesSet);
    }
}
