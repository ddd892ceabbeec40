package @package@;

import static dev.millrace.test.Row.row;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.test.ApplicationUnderTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the application without its source: the test sends the readings. */
class AlarmsTest
{
    @RegisterExtension
    final ApplicationUnderTest app = ApplicationUnderTest.of().replace("sensors");

    @Test
    void shouldReportAHotSensorThatGetsHotter()
    {
        app.send("sensors", row("name", "boiler", "celsius", 61), row("name", "boiler", "celsius", 62.5));

        app.expect("alarms", row("name", "boiler", "celsius", 62.5));
        assertEquals(1L, app.bean("output", AlarmSink.class).statistics().get("alarms"));
    }

    @Test
    void shouldNotReportAHotSensorThatCools()
    {
        app.send("sensors", row("name", "boiler", "celsius", 62.5), row("name", "boiler", "celsius", 61));

        app.expectNone("alarms");
    }
}
