package dev.millrace.test;

import static dev.millrace.test.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application of docs/writing-applications.md is what the page shows, and runs. */
@Timeout(60)
class WritingPageTest
{
    private static final Path PAGE = Path.of("../../docs/writing-applications.md");
    private static final Pattern BLOCK = Pattern.compile("```(java|xml)\n(.*?)```", Pattern.DOTALL);
    private static final List<Path> FILES = List.of(Path.of("src/test/resources/sensors/sensors.context.xml"),
        Path.of("src/test/resources/sensors/sensors.xml"), Path.of("src/test/java/dev/millrace/test/SensorPoller.java"),
        Path.of("src/test/java/dev/millrace/test/AlarmSink.java"));

    @Test
    void shouldShowTheFilesOfTheApplication() throws Exception
    {
        final List<String> blocks = BLOCK.matcher(Files.readString(PAGE)).results().map(each -> each.group(2)).toList();
        assertThat(blocks).hasSize(FILES.size());
        for (int i = 0; i < blocks.size(); i++)
        {
            assertThat(lines(Files.readString(FILES.get(i)))).as(FILES.get(i).toString())
                .containsSubsequence(lines(blocks.get(i)));
        }
    }

    private static List<String> lines(final String text)
    {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    @Test
    void shouldReportTheReadingsThatThePatternFinds() throws Exception
    {
        final Iterator<Double> readings = List.of(20.0, 61.0, 62.5, 50.0).iterator();
        final ApplicationUnderTest app = ApplicationUnderTest.of("sensors/sensors.context.xml")
            .configuration("sensors/sensors.xml").property("sensors.interval", "1")
            .bean("kitchenSensor", () -> (DoubleSupplier)() -> readings.hasNext() ? readings.next() : 0);
        app.start(getClass());
        try
        {
            app.await("alarms", 1, Duration.ofSeconds(20));
            app.expect("alarms", row("name", "kitchen", "celsius", 62.5));
            assertThat(app.bean("alarmSink", AlarmSink.class).statistics()).containsEntry("alarms", 1L);
        }
        finally
        {
            app.stop(true);
        }
    }
}
