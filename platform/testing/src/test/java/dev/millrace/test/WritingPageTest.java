package dev.millrace.test;

import static dev.millrace.test.Row.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.embedded.application.ApplicationBuilder;
import dev.millrace.embedded.application.EmbeddedApplication;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.definition.DeploymentException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.ByteArrayResource;

/** The application of docs/writing-applications.md is what the page shows, and runs. */
@Timeout(60)
class WritingPageTest
{
    private static final Path PAGE = Path.of("../../docs/writing-applications.md");
    private static final Pattern BLOCK = Pattern.compile("```(java|xml)\n(.*?)```", Pattern.DOTALL);
    private static final List<Path> FILES = List.of(Path.of("src/test/resources/sensors/sensors.context.xml"),
        Path.of("src/test/resources/sensors/sensors.xml"), Path.of("src/test/java/dev/millrace/test/SensorPoller.java"),
        Path.of("src/test/java/dev/millrace/test/AlarmSink.java"),
        Path.of("src/test/resources/sensors/siren.context.xml"),
        Path.of("src/test/resources/sensors/typed-siren.context.xml"));

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
            app.await("alarms", 1, Duration.ofSeconds(60));
            app.expect("alarms", row("name", "kitchen", "celsius", 62.5));
            assertThat(app.bean("alarmSink", AlarmSink.class).statistics()).containsEntry("alarms", 1L);
        }
        finally
        {
            app.stop(true);
        }
    }

    @Test
    void shouldSendRowsInPlaceOfTheStageOfAnotherApplication() throws Exception
    {
        final ApplicationUnderTest siren = ApplicationUnderTest.of("sensors/siren.context.xml")
            .configuration("sensors/siren.xml");
        siren.start(getClass());
        try
        {
            siren.send("sensors:alarms", row("name", "kitchen", "celsius", 62.5));
            siren.expect("kitchenAlarms", row("name", "kitchen", "celsius", 62.5));
            assertThat(siren.bean("alarmSink", AlarmSink.class).statistics()).containsEntry("alarms", 1L);
        }
        finally
        {
            siren.stop(true);
        }
    }

    @Test
    void shouldSendRowsOfAnEventTypeOfAnotherApplication() throws Exception
    {
        final ApplicationUnderTest siren = ApplicationUnderTest.of("sensors/typed-siren.context.xml")
            .configuration("sensors/siren.xml");
        assertThatThrownBy(() -> siren.start(getClass())).hasMessageContainingAll("EPN-1219",
            "channel=kitchenAlarms event-type=sensors:Reading", "with eventType");
        siren.eventType("sensors", EventType.tuple("Reading", new EventProperty("name", CqlType.CHAR, 16),
            new EventProperty("celsius", CqlType.DOUBLE)));
        siren.start(getClass());
        try
        {
            siren.send("sensors:alarms", row("name", "kitchen", "celsius", 62.5));
            siren.expect("kitchenAlarms", row("name", "kitchen", "celsius", 62.5));
        }
        finally
        {
            siren.stop(true);
        }
    }

    @Test
    void shouldTakeTheTypeOfAnotherApplicationInTheSameProcess() throws Exception
    {
        final AdvertisedStages stages = new AdvertisedStages();
        final ApplicationBuilder typed = new ApplicationBuilder("siren",
            List.of(file("siren", Files.readString(FILES.get(5)))), List.of()).advertised(stages);
        try (EmbeddedApplication producer = new ApplicationBuilder("sensors", List.of(file("sensors",
            Files.readString(FILES.get(0)).replace("id=\"alarms\"", "id=\"alarms\" advertise=\"true\""))),
            List.of(file("rules", Files.readString(FILES.get(1))))).advertised(stages).property("sensors.interval", "1")
            .bean("kitchenSensor", () -> (DoubleSupplier)() -> 0).start(); EmbeddedApplication consumer = typed.start())
        {
            assertThat(consumer.eventType("kitchenAlarms").properties())
                .isEqualTo(producer.eventType("alarms").properties());
        }
        assertThatThrownBy(typed::build).hasMessageContaining("EPN-1219");
    }

    @Test
    void shouldTakeTheAlarmsOfTheOtherApplicationInTheSameProcess() throws Exception
    {
        final AdvertisedStages stages = new AdvertisedStages();
        final Iterator<Double> readings = List.of(20.0, 61.0, 62.5, 50.0).iterator();
        final String sensors = Files.readString(FILES.get(0)).replace("<wlevs:channel id=\"alarms\"",
            "<wlevs:channel id=\"alarms\" advertise=\"true\"");
        final CountDownLatch received = new CountDownLatch(1);
        final ApplicationBuilder siren = new ApplicationBuilder("siren",
            List.of(file("siren", Files.readString(FILES.get(4)))), List.of()).advertised(stages)
            .observer("kitchenAlarms"::equals, (stage, batch) -> received.countDown());

        assertThatThrownBy(siren::build).isInstanceOf(DeploymentException.class)
            .hasMessageContainingAll("EPN-1218", "siren:12:66", "advertised=[]", "install sensors first");
        try (EmbeddedApplication producer = new ApplicationBuilder("sensors", List.of(file("sensors", sensors)),
            List.of(file("rules", Files.readString(FILES.get(1))))).advertised(stages)
            .property("sensors.interval", "1")
            .bean("kitchenSensor", () -> (DoubleSupplier)() -> readings.hasNext() ? readings.next() : 0).build())
        {
            try (EmbeddedApplication consumer = siren.start())
            {
                producer.start();
                assertThat(received.await(60, TimeUnit.SECONDS)).isTrue();
                // Other listeners of the channel may receive the row after the observer.
                producer.network().suspend();
                assertThat(consumer.bean("alarmSink", AlarmSink.class).statistics()).containsEntry("alarms", 1L);
                assertThat(producer.network().warnings()).isEmpty();
            }
        }
        assertThat(stages.names()).isEmpty();
    }

    private static ConfigurationResource file(final String name, final String text)
    {
        return new ConfigurationResource(name, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    }
}
