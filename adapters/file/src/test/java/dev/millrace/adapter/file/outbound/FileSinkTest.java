package dev.millrace.adapter.file.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.property.FileErrorCode;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sinks that write real files. */
@Timeout(60)
class FileSinkTest
{
    private static final PropertyCheck CHECK = new PropertyCheck(FileErrorCode.PROPERTY, "app/file");

    @TempDir
    private Path directory;

    private final TestStage stage = new TestStage(TestStage.TICK);
    private final List<FileSink> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception
    {
        for (final FileSink sink : open)
        {
            sink.destroy();
        }
    }

    private FileSink sink(final RowFormat format, final Consumer<FileSink> settings) throws IOException
    {
        final FileSink sink = new FileSink(format);
        sink.setStageContext(stage);
        sink.setFile(directory.resolve("ticks.csv").toString());
        sink.setCommitMillis(1);
        settings.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        open.add(sink);
        return sink;
    }

    private FileSink csv(final Consumer<FileSink> settings) throws IOException
    {
        return sink(new CsvFormat(), settings);
    }

    private void end(final FileSink sink) throws Exception
    {
        open.remove(sink);
        sink.destroy();
    }

    private List<String> lines(final String name) throws IOException
    {
        return Files.readAllLines(directory.resolve(name));
    }

    static void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as(what).isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    @Test
    void shouldWriteRowsAsCsvAndContinueTheFile() throws Exception
    {
        final FileSink first = csv(sink -> sink.setTimeColumn("at"));
        final EventBatch batch = TestStage.ticks(1, 2);
        batch.texts(1).set(1, "a,\"b\"\nc");
        batch.setNull(2, 0);
        batch.baseTimestampNs(1_500_000_000L);
        first.onBatch(batch);
        assertThat(first.receivedFrom("p")).isEqualTo(SequencedSink.NOT_STORED);
        end(first);
        // As after a crash of the machine.
        Files.writeString(directory.resolve("ticks.csv"), "half a li", StandardOpenOption.APPEND);
        csv(sink -> sink.setTimeColumn("at")).onBatch(TestStage.ticks(3, 1));
        assertThat(lines("ticks.csv")).containsExactly("at,id,symbol,price", "1970-01-01T00:00:01.500Z,1,S,",
            "1970-01-01T00:00:01.500000001Z,2,\"a,\"\"b\"\"", "c\",0.5", "1970-01-01T00:00:00Z,3,S,0.75");
    }

    @Test
    void shouldWriteValuesOfAllTypesAsJson() throws Exception
    {
        final EventType all = EventType.tuple("All", new EventProperty("i", CqlType.INT),
            new EventProperty("f", CqlType.FLOAT), new EventProperty("d", CqlType.DOUBLE),
            new EventProperty("b", CqlType.BOOLEAN), new EventProperty("s", CqlType.CHAR),
            new EventProperty("t", CqlType.TIMESTAMP), new EventProperty("n", CqlType.BIGDECIMAL),
            new EventProperty("y", CqlType.BYTE));
        final EventBatch batch = new EventBatch(new BatchSchema(all));
        final Object[][] rows = {{-7, 0.1f, Double.NaN, true, "Zürich \"x\"\n", 1_500L, "12.50", new byte[] {0, -1}},
            {null, null, null, null, null, null, null, null}};
        for (int row = 0; row < rows.length; row++)
        {
            for (int column = 0; column < rows[row].length; column++)
            {
                TestStage.set(batch, column, row, rows[row][column]);
            }
        }
        batch.size(2);
        batch.useKinds()[0] = EventBatch.UPDATE;
        batch.useKinds()[1] = EventBatch.DELETE;
        sink(new JsonFormat(), sink -> sink.setKindColumn("kind")).onBatch(batch);
        assertThat(lines("ticks.csv")).containsExactly("{\"kind\":\"UPDATE\",\"i\":-7,\"f\":0.1,\"d\":\"NaN\"," +
            "\"b\":true,\"s\":\"Zürich \\\"x\\\"\\n\",\"t\":\"1970-01-01T00:00:00.000001500Z\",\"n\":12.50," +
            "\"y\":\"00ff\"}", "{\"kind\":\"DELETE\",\"i\":null,\"f\":null,\"d\":null,\"b\":null,\"s\":null," +
            "\"t\":null,\"n\":null,\"y\":null}");
    }

    @Test
    void shouldRotateCompressAndDeleteFiles() throws Exception
    {
        final FileSink sink = csv(each ->
        {
            each.setRotateSize("1k");
            each.setCompress(true);
            each.setKeepFiles(3);
        });
        for (int i = 0; i < 20; i++)
        {
            sink.onBatch(TestStage.ticks(1_000 + 100L * i, 100));
        }
        await("compressed files", () -> Files.exists(directory.resolve("ticks-000020.csv.gz")) &&
            !Files.exists(directory.resolve("ticks-000020.csv")) &&
            !Files.exists(directory.resolve("ticks-000017.csv.gz")));
        try (Stream<Path> files = Files.list(directory))
        {
            assertThat(files.map(each -> each.getFileName().toString())).containsExactlyInAnyOrder("ticks.csv",
                "ticks.csv.lock", "ticks-000018.csv.gz", "ticks-000019.csv.gz", "ticks-000020.csv.gz");
        }
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new GZIPInputStream(
            Files.newInputStream(directory.resolve("ticks-000020.csv.gz"))))))
        {
            assertThat(in.lines()).hasSize(101).startsWith("id,symbol,price", "2900,S,725.0");
        }
        assertThat(stage.raised).isEmpty();
    }

    @Test
    void shouldRotateByAgeAlsoWithoutRows() throws Exception
    {
        final FileSink sink = csv(each -> each.setRotateMinutes(1));
        sink.onBatch(TestStage.ticks(1, 1));
        end(sink);
        final OutputFile file = new OutputFile(new SinkSettings(CHECK,
            new FileNames(directory.resolve("ticks.csv"), "", ""), false, 1, 0, 60_000, 0), new LineEncoding(null));
        file.open(null, System.currentTimeMillis());
        final long nowMs = System.currentTimeMillis();
        assertThat(file.isDue(nowMs)).isFalse();
        assertThat(file.isDue(nowMs + 61_000)).isTrue();
        assertThat(file.rotate(nowMs)).isEqualTo(directory.resolve("ticks-000001.csv"));
        assertThat(file.isDue(nowMs + 61_000)).isFalse();
        file.close();
        assertThat(lines("ticks-000001.csv")).containsExactly("id,symbol,price", "1,S,0.25");
    }

    @Test
    void shouldBeginAFileWhenItsColumnsDiffer() throws Exception
    {
        final FileSink first = csv(sink -> sink.setExactlyOnce(true));
        first.onBatch(TestStage.numbered(TestStage.ticks(1, 1), "columns", 1));
        end(first);
        final FileSink second = csv(sink ->
        {
            sink.setExactlyOnce(true);
            sink.setColumns("symbol, id");
        });
        second.onBatch(TestStage.numbered(TestStage.ticks(1, 2), "columns", 1));
        assertThat(lines("ticks-000001.csv")).containsExactly("id,symbol,price", "1,S,0.25");
        assertThat(lines("ticks.csv")).containsExactly("symbol,id", "S,2");
    }

    @Test
    void shouldWriteNumberedRowsOnceAndReportWhatTheDiskContains() throws Exception
    {
        final FileSink sink = csv(each -> each.setExactlyOnce(true));
        assertThat(sink.receivedFrom("one")).isZero();
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 3), "one", 1));
        sink.onBatch(TestStage.numbered(TestStage.ticks(2, 3), "one", 2));
        sink.onBatch(TestStage.numbered(TestStage.ticks(11, 1), "two words", 1));
        sink.onBatch(TestStage.ticks(99, 1));
        await("stored numbers", () -> sink.receivedFrom("one") == 4 && sink.receivedFrom("two words") == 1);
        end(sink);
        final FileSink next = csv(each -> each.setExactlyOnce(true));
        assertThat(next.receivedFrom("one")).isEqualTo(4);
        assertThat(next.receivedFrom("two words")).isEqualTo(1);
        next.onBatch(TestStage.numbered(TestStage.ticks(4, 2), "one", 4));
        assertThat(lines("ticks.csv")).extracting(line -> line.split(",")[0])
            .containsExactly("id", "1", "2", "3", "4", "11", "99", "5");
        assertThat(next.statistics()).containsEntry("written", 1L).containsEntry("repeated", 1L);
    }

    /** Copies the directory as a kill of the process leaves it, and lets a new sink receive the rows again. */
    private void shouldContinueAfterAKill(final FileSink sink, final long rows) throws Exception
    {
        final Path copy = Files.createDirectory(directory.resolve("copy"));
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path each : files.filter(Files::isRegularFile)
                .filter(file -> !file.toString().endsWith(".new")).toList())
            {
                Files.copy(each, copy.resolve(each.getFileName()));
            }
        }
        final FileSink next = csv(each ->
        {
            each.setFile(copy.resolve("ticks.csv").toString());
            each.setExactlyOnce(true);
            each.setRotateSize("4k");
        });
        final long from = next.receivedFrom("kill") + 1;
        for (long first = Math.max(1, from - 7); first <= rows; first += 50)
        {
            next.onBatch(TestStage.numbered(TestStage.ticks(first, (int)Math.min(50, rows - first + 1)), "kill",
                first));
        }
        end(next);
        final List<Long> ids = new ArrayList<>();
        try (Stream<Path> files = Files.list(copy))
        {
            for (final Path each : files.filter(file -> file.toString().endsWith(".csv")).sorted().toList())
            {
                Files.readAllLines(each).stream().filter(line -> !line.startsWith("id"))
                    .forEach(line -> ids.add(Long.parseLong(line.split(",")[0])));
            }
        }
        assertThat(ids.stream().sorted()).as("stored " + (from - 1))
            .isEqualTo(LongStream.rangeClosed(1, rows).boxed().toList());
        for (final Path each : List.copyOf(listed(copy)))
        {
            Files.delete(each);
        }
        Files.delete(copy);
        assertThat(sink.statistics().get("rejected")).isEqualTo(0L);
    }

    private static List<Path> listed(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.toList();
        }
    }

    @Test
    void shouldContainEachRowOnceAfterKillsAtManyMoments() throws Exception
    {
        final FileSink sink = csv(each ->
        {
            each.setExactlyOnce(true);
            each.setRotateSize("4k");
        });
        long rows = 0;
        for (int i = 0; i < 60; i++)
        {
            sink.onBatch(TestStage.numbered(TestStage.ticks(rows + 1, 20), "kill", rows + 1));
            rows += 20;
            if (i % 4 == 3)
            {
                shouldContinueAfterAKill(sink, rows);
            }
        }
    }

    @Test
    void shouldContinueWhenItWasKilledBetweenTheStepsOfARotation() throws Exception
    {
        final FileSink sink = csv(each -> each.setExactlyOnce(true));
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 10), "step", 1));
        end(sink);
        // The file was renamed; its successor does not exist, or contains rows without stored numbers.
        Files.move(directory.resolve("ticks.csv"), directory.resolve("ticks-000001.csv"));
        Files.writeString(directory.resolve("ticks.csv"), "id,symbol,price\n11,S,2.75\n");
        Files.writeString(directory.resolve("ticks-000001.csv"), "11,S,2.75\n", StandardOpenOption.APPEND);
        final FileSink next = csv(each -> each.setExactlyOnce(true));
        assertThat(next.receivedFrom("step")).isEqualTo(10);
        next.onBatch(TestStage.numbered(TestStage.ticks(11, 2), "step", 11));
        assertThat(lines("ticks.csv")).containsExactly("id,symbol,price", "11,S,2.75", "12,S,3.0");
        assertThat(lines("ticks-000001.csv")).hasSize(11);
    }

    @Test
    void shouldRefuseFilesThatDoNotMatchTheirPositions() throws Exception
    {
        final FileSink sink = csv(each -> each.setExactlyOnce(true));
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 10), "short", 1));
        end(sink);
        Files.writeString(directory.resolve("ticks.csv"), "id\n");
        assertThatThrownBy(() -> csv(each -> each.setExactlyOnce(true)))
            .hasMessageContainingAll("FIL-0105", "shorter", "bytes=3", "restore the file");
        final Path positions = directory.resolve("ticks.csv.positions");
        Files.writeString(positions, Files.readString(positions).replace("10 short", "11 short"));
        assertThatThrownBy(() -> csv(each -> each.setExactlyOnce(true)))
            .hasMessageContainingAll("FIL-0105", "cannot be read", "not as it was written");
    }

    @Test
    void shouldRefuseASecondSinkOfTheFileAndWrongProperties() throws Exception
    {
        final FileSink first = csv(each -> each.setHeader(false));
        assertThatThrownBy(() -> csv(each -> each.setHeader(false))).isInstanceOf(BindException.class)
            .hasMessageContainingAll("FIL-0102", "another sink");
        end(first);
        assertThatThrownBy(() -> csv(each -> each.setRotateSize("big")))
            .hasMessageContainingAll("FIL-0101", "rotateSize", "100m");
        assertThatThrownBy(() -> csv(each -> each.setFile(" "))).hasMessageContainingAll("FIL-0101", "name=file");
        assertThatThrownBy(() -> csv(each ->
        {
            each.setEventTypeName("Tick");
            each.setColumns("id,volume");
        })).hasMessageContainingAll("FIL-0101", "volume", "[id, symbol, price]");
        assertThatThrownBy(() -> csv(each -> each.setFile("/proc/none/x")))
            .hasMessageContainingAll("FIL-0102", "/proc/none/x");
    }

    @Test
    void shouldRejectRowsThatTheFileCannotContain() throws Exception
    {
        final FileSink sink = csv(each -> each.setHeader(true));
        sink.onBatch(TestStage.ticks(1, 1));
        final EventBatch changes = TestStage.ticks(2, 1);
        changes.useKinds()[0] = EventBatch.DELETE;
        assertThatThrownBy(() -> sink.onBatch(changes)).isInstanceOf(EventRejectedException.class)
            .hasMessageContainingAll("FIL-0106", "kindColumn");
        final EventBatch other = new EventBatch(new BatchSchema(
            EventType.tuple("Other", new EventProperty("id", CqlType.BIGINT))));
        other.size(1);
        assertThatThrownBy(() -> sink.onBatch(other)).hasMessageContainingAll("FIL-0106", "property=symbol");
        assertThat(sink.statistics()).containsEntry("rejected", 2L).containsEntry("written", 1L);
    }

    @Test
    void shouldLetRowsWaitWhileTheDiskIsFull() throws Exception
    {
        // A device that refuses every byte.
        final Path full = Path.of("/dev/full");
        assertThat(full).exists();
        final Path file = Files.createSymbolicLink(directory.resolve("x.csv"), full);
        final FileSink sink = csv(each ->
        {
            each.setFile(file.toString());
            each.setHeader(false);
        });
        assertThatThrownBy(() -> sink.onBatch(TestStage.ticks(1, 1))).isInstanceOf(EventRejectedException.class)
            .hasMessageContainingAll("FIL-0103", "cannot be written");
        assertThat(stage.raised.get("FIL-0103")).contains("free space");
    }
}
