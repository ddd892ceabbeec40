package dev.millrace.adapter.file.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.adapter.file.TestStage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Sinks that write to the log, to an output stream, or nowhere. */
@Timeout(60)
class LineSinkTest
{
    private final TestStage stage = new TestStage(TestStage.TICK);
    private final AtomicLong nowNs = new AtomicLong();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger root = (Logger)LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level level = root.getLevel();
    private final Logger messages = (Logger)LoggerFactory.getLogger(LineSink.class);

    @AfterEach
    void detach()
    {
        root.detachAppender(appender);
        root.setLevel(level);
        messages.setLevel(null);
    }

    private <T extends LineSink> T prepared(final T sink, final Consumer<T> settings)
    {
        sink.setStageContext(stage);
        settings.accept(sink);
        sink.afterPropertiesSet();
        return sink;
    }

    private ConsoleSink console(final OutputStream out, final Consumer<ConsoleSink> settings)
    {
        return prepared(new ConsoleSink(out, nowNs::get), settings);
    }

    private LogSink log(final Consumer<LogSink> settings)
    {
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.INFO);
        messages.setLevel(Level.WARN);
        return prepared(new LogSink(nowNs::get), settings);
    }

    private List<String> logged(final String logger)
    {
        return appender.list.stream().filter(each -> each.getLoggerName().equals(logger))
            .map(ILoggingEvent::getFormattedMessage).toList();
    }

    private String text()
    {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldWriteJsonToTheStandardOutput() throws Exception
    {
        final EventBatch batch = TestStage.ticks(1, 2);
        batch.texts(1).set(0, "Zürich\n{}");
        batch.setNull(2, 1);
        final ConsoleSink sink = console(bytes, each -> each.setTimeColumn("at"));
        sink.onBatch(batch);
        sink.onBatch(TestStage.ticks(1, 0));
        assertThat(text()).isEqualTo(
            "{\"at\":\"1970-01-01T00:00:00Z\",\"id\":1,\"symbol\":\"Zürich\\n{}\",\"price\":0.25}\n" +
            "{\"at\":\"1970-01-01T00:00:00.000000001Z\",\"id\":2,\"symbol\":\"S\",\"price\":null}\n");
        assertThat(sink.statistics()).containsEntry("written", 2L).containsEntry("omitted", 0L);
    }

    @Test
    void shouldWriteCsvWithOneHeaderAndEachEventOnOneLine() throws Exception
    {
        final ConsoleSink sink = console(bytes, each ->
        {
            each.setFormat("csv");
            each.setSeparator("tab");
            each.setColumns("symbol, id");
        });
        final EventBatch batch = TestStage.ticks(1, 2);
        batch.texts(1).set(0, "a\nb\u001b[2J");
        sink.onBatch(batch);
        sink.onBatch(TestStage.ticks(3, 1));
        assertThat(text()).isEqualTo("symbol\tid\n\"a\\u000ab\\u001b[2J\"\t1\nS\t2\nS\t3\n");
    }

    @Test
    void shouldCutLongLines() throws Exception
    {
        final ConsoleSink sink = console(bytes, each ->
        {
            each.setFormat("csv");
            each.setHeader(false);
            each.setColumns("symbol");
            each.setMaxLineLength(100);
        });
        final EventBatch batch = TestStage.ticks(1, 2);
        batch.texts(1).set(0, "x".repeat(100));
        batch.texts(1).set(1, "y".repeat(101));
        sink.onBatch(batch);
        assertThat(text()).isEqualTo("x".repeat(100) + '\n' + "y".repeat(97) + "...\n");
        assertThat(sink.statistics()).containsEntry("truncated", 1L);
    }

    @Test
    void shouldWriteToALoggerWithALevel() throws Exception
    {
        final LogSink sink = log(each ->
        {
            each.setLogger("trades.audit");
            each.setLevel("WARN");
            each.setColumns("id,symbol");
        });
        sink.onBatch(TestStage.ticks(7, 2));
        assertThat(logged("trades.audit")).containsExactly("{\"id\":7,\"symbol\":\"S\"}",
            "{\"id\":8,\"symbol\":\"S\"}");
        assertThat(appender.list).filteredOn(each -> each.getLoggerName().equals("trades.audit"))
            .allMatch(each -> each.getLevel() == Level.WARN);
    }

    @Test
    void shouldFormatNothingForALevelThatIsOff() throws Exception
    {
        final Logger off = (Logger)LoggerFactory.getLogger("millrace.events.app.file");
        off.setLevel(Level.ERROR);
        try
        {
            final LogSink sink = log(each -> each.setMaxLinesPerSecond(1));
            sink.onBatch(TestStage.ticks(1, 10));
            assertThat(logged("millrace.events.app.file")).isEmpty();
            assertThat(sink.statistics()).containsEntry("written", 0L).containsEntry("omitted", 0L);
        }
        finally
        {
            off.setLevel(null);
        }
    }

    @Test
    void shouldLeaveOutLinesAboveTheLimitAndReportTheirNumber() throws Exception
    {
        final LogSink sink = log(each -> each.setMaxLinesPerSecond(3));
        sink.onBatch(TestStage.ticks(1, 2));
        sink.onBatch(TestStage.ticks(3, 4));
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        sink.onBatch(TestStage.ticks(7, 1));
        nowNs.addAndGet(1);
        sink.onBatch(TestStage.ticks(8, 5));
        sink.destroy();
        assertThat(logged("millrace.events.app.file")).extracting(line -> line.substring(0, line.indexOf(',')))
            .containsExactly("{\"id\":1", "{\"id\":2", "{\"id\":3", "{\"id\":8", "{\"id\":9", "{\"id\":10");
        assertThat(sink.statistics()).containsEntry("written", 6L).containsEntry("omitted", 6L);
        assertThat(logged(LineSink.class.getName())).hasSize(2).allMatch(line -> line.startsWith("FIL-0108 "))
            .satisfiesExactly(line -> assertThat(line).contains(" lines=3 "),
                line -> assertThat(line).contains(" lines=3 "));
    }

    @Test
    void shouldRejectRowsWhileTheStandardOutputIsClosed() throws Exception
    {
        final PipedOutputStream out = new PipedOutputStream();
        final ConsoleSink sink = console(out, each -> { });
        final EventBatch batch = TestStage.ticks(1, 2);
        assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOf(EventRejectedException.class)
            .hasMessageStartingWith("FIL-0103 ");
        assertThat(stage.raised).containsOnlyKeys("FIL-0103");
        try (PipedInputStream in = new PipedInputStream(out))
        {
            sink.onBatch(TestStage.ticks(3, 1));
            assertThat(in.available()).isPositive();
        }
        assertThat(stage.raised).isEmpty();
        assertThat(sink.statistics()).containsEntry("written", 1L).containsEntry("rejected", 2L);
    }

    @Test
    void shouldRejectRelationsWithoutKindColumn() throws Exception
    {
        final EventBatch batch = TestStage.ticks(1, 1);
        batch.useKinds()[0] = EventBatch.DELETE;
        final ConsoleSink wrong = console(bytes, each -> { });
        assertThatThrownBy(() -> wrong.onBatch(batch)).hasMessageStartingWith("FIL-0106 ");
        console(bytes, each -> each.setKindColumn("kind")).onBatch(batch);
        assertThat(text()).isEqualTo("{\"kind\":\"DELETE\",\"id\":1,\"symbol\":\"S\",\"price\":0.25}\n");
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        assertThatThrownBy(() -> console(bytes, each -> each.setFormat("xml"))).hasMessageContaining("name=format");
        assertThatThrownBy(() -> console(bytes, each -> each.setMaxLinesPerSecond(-1)))
            .hasMessageContaining("name=maxLinesPerSecond");
        assertThatThrownBy(() -> console(bytes, each -> each.setMaxLineLength(99)))
            .hasMessageContaining("name=maxLineLength");
        assertThatThrownBy(() -> log(each -> each.setLevel("loud"))).hasMessageContaining("trace, debug, info");
        assertThatThrownBy(() -> log(each -> each.setLogger(" "))).hasMessageContaining("name=logger");
        assertThatThrownBy(() -> log(each ->
        {
            each.setEventTypeName("Tick");
            each.setColumns("id, cost");
        })).hasMessageStartingWith("FIL-0101 ").hasMessageContaining("cost");
    }

    @Test
    void shouldCountRowsThatTheNullSinkDiscards()
    {
        final NullSink sink = new NullSink();
        sink.onBatch(TestStage.ticks(1, 3));
        sink.onBatch(TestStage.ticks(1, 0));
        sink.onBatch(TestStage.ticks(1, 4));
        assertThat(sink.statistics()).containsEntry("received", 7L).containsEntry("batches", 2L);
    }
}
