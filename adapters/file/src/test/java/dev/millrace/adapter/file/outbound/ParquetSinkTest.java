package dev.millrace.adapter.file.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.parquet.ParquetContents;
import dev.millrace.adapter.file.parquet.write.PageCompression;
import dev.millrace.adapter.file.parquet.write.RowLog;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sinks that write real files of Parquet. */
@Timeout(60)
class ParquetSinkTest
{
    private static final EventType ALL = EventType.tuple("All", property("i", CqlType.INT),
        property("l", CqlType.BIGINT), property("f", CqlType.FLOAT), property("d", CqlType.DOUBLE),
        property("b", CqlType.BOOLEAN), property("s", CqlType.CHAR), property("t", CqlType.TIMESTAMP),
        property("v", CqlType.INTERVAL), property("n", CqlType.BIGDECIMAL), property("y", CqlType.BYTE));
    private static final EventType OTHER = EventType.tuple("Other", property("id", CqlType.BIGINT),
        property("any", CqlType.OBJECT), property("xml", CqlType.XMLTYPE));
    private static final EventType AMOUNT = EventType.tuple("Amount", property("amount", CqlType.BIGDECIMAL));
    private static final EventType BYTES = EventType.tuple("Bytes", property("y", CqlType.BYTE));

    @TempDir
    private Path directory;

    private final TestStage stage = new TestStage(TestStage.TICK, ALL, OTHER, AMOUNT, BYTES);
    private final List<ParquetSink> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception
    {
        for (final ParquetSink sink : open)
        {
            sink.destroy();
        }
    }

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    private ParquetSink sink(final EventType type, final Consumer<ParquetSink> settings) throws IOException
    {
        final ParquetSink sink = new ParquetSink();
        sink.setStageContext(stage);
        sink.setFile(directory.resolve("ticks.parquet").toString());
        sink.setEventTypeName(type.name());
        sink.setCommitMillis(1);
        settings.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        open.add(sink);
        return sink;
    }

    private ParquetSink ticks(final Consumer<ParquetSink> settings) throws IOException
    {
        return sink(TestStage.TICK, settings);
    }

    private static void defaults(final ParquetSink sink)
    {
        // Nothing to set.
    }

    private void end(final ParquetSink sink) throws Exception
    {
        open.remove(sink);
        sink.destroy();
    }

    private static EventBatch batch(final EventType type, final Object[]... rows)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(type));
        for (int row = 0; row < rows.length; row++)
        {
            for (int column = 0; column < rows[row].length; column++)
            {
                TestStage.set(batch, column, row, rows[row][column]);
            }
        }
        batch.size(rows.length);
        return batch;
    }

    private Path file(final int number)
    {
        return directory.resolve(String.format("ticks-%06d.parquet", number));
    }

    private static List<String> names(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    /** The ids of the rows of all complete files, in their order. */
    private static List<Long> ids(final Path folder) throws IOException
    {
        final List<Long> ids = new ArrayList<>();
        for (final String name : names(folder))
        {
            if (name.endsWith(".parquet"))
            {
                ParquetContents.rows(folder.resolve(name), TestStage.TICK).forEach(row -> ids.add((Long)row.get(0)));
            }
        }
        return ids;
    }

    private static List<Long> ids(final long last)
    {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static final Object[][] VALUES = {
        {-7, Long.MIN_VALUE, 0.1f, Double.NaN, true, "Zürich \"x\"\n", 1_700_000_000_123_456_789L, -5L, "12.50",
            new byte[] {0, -1}},
        {null, null, null, null, null, null, null, null, null, null},
        {Integer.MAX_VALUE, Long.MAX_VALUE, -0.0f, Double.NEGATIVE_INFINITY, false, "", -1L, Long.MAX_VALUE,
            "-9999999999999999999999999999.9999999999", new byte[0]},
        {0, 3L, Float.MIN_VALUE, 1e300, true, "\uD83D\uDE80", Long.MIN_VALUE, 0L, "0", new byte[] {1, 2, 3}}};

    @ParameterizedTest
    @CsvSource({"none, UNCOMPRESSED", "snappy, SNAPPY", "gzip, GZIP", "zstd, ZSTD", "lz4, LZ4_RAW"})
    void shouldWriteValuesOfAllTypesInEachCompression(final String name, final CompressionCodec codec) throws Exception
    {
        final ParquetSink sink = sink(ALL, each -> each.setCompression(name));
        sink.onBatch(batch(ALL, VALUES));
        end(sink);
        final List<List<Object>> rows = ParquetContents.rows(file(1), ALL);
        assertThat(rows).hasSize(4);
        assertThat(rows.get(0)).containsExactly(-7, Long.MIN_VALUE, 0.1f, Double.NaN, true, "Zürich \"x\"\n",
            1_700_000_000_123_456_789L, -5L, new BigDecimal("12.5000000000"), new byte[] {0, -1});
        assertThat(rows.get(1)).hasSize(10).containsOnlyNulls();
        // The empty string is null in every event.
        assertThat(rows.get(2)).containsExactly(Integer.MAX_VALUE, Long.MAX_VALUE, -0.0f, Double.NEGATIVE_INFINITY,
            false, null, -1L, Long.MAX_VALUE, new BigDecimal("-9999999999999999999999999999.9999999999"), new byte[0]);
        assertThat(rows.get(3)).containsExactly(0, 3L, Float.MIN_VALUE, 1e300, true, "\uD83D\uDE80", Long.MIN_VALUE, 0L,
            new BigDecimal("0E-10"), new byte[] {1, 2, 3});
        assertThat(ParquetContents.metadata(file(1)).getRow_groups().get(0).getColumns())
            .allMatch(column -> column.getMeta_data().getCodec() == codec);
    }

    @Test
    void shouldDescribeColumnsAsOtherReadersExpectThem() throws Exception
    {
        final ParquetSink sink = sink(ALL, each ->
        {
            each.setTimeColumn("at");
            each.setKindColumn("kind");
            each.setDecimalScale(2);
            each.setColumns("n, t, s, i, y");
        });
        final EventBatch batch = batch(ALL, VALUES[0], VALUES[1], VALUES[3]);
        batch.baseTimestampNs(1_500_000_000L);
        batch.useKinds()[0] = EventBatch.UPDATE;
        batch.useKinds()[1] = EventBatch.DELETE;
        batch.useKinds()[2] = EventBatch.INSERT;
        sink.onBatch(batch);
        end(sink);
        final FileMetaData metadata = ParquetContents.metadata(file(1));
        final List<SchemaElement> schema = metadata.getSchema();
        assertThat(schema).extracting(SchemaElement::getName).containsExactly("rows", "at", "kind", "n", "t", "s", "i",
            "y");
        assertThat(schema.get(0).getNum_children()).isEqualTo(7);
        assertThat(schema.subList(1, 8)).extracting(SchemaElement::getType).containsExactly(Type.INT64, Type.BYTE_ARRAY,
            Type.FIXED_LEN_BYTE_ARRAY, Type.INT64, Type.BYTE_ARRAY, Type.INT32, Type.BYTE_ARRAY);
        assertThat(schema.subList(1, 8)).extracting(SchemaElement::getRepetition_type).startsWith(
            FieldRepetitionType.REQUIRED, FieldRepetitionType.REQUIRED, FieldRepetitionType.OPTIONAL);
        assertThat(schema.get(1).getLogicalType().getTIMESTAMP().isIsAdjustedToUTC()).isTrue();
        assertThat(schema.get(4).getLogicalType().getTIMESTAMP().getUnit().isSetNANOS()).isTrue();
        assertThat(schema.get(3).getLogicalType().getDECIMAL().getScale()).isEqualTo(2);
        assertThat(schema.get(3).getPrecision()).isEqualTo(38);
        assertThat(schema.get(3).getType_length()).isEqualTo(16);
        assertThat(schema.get(5).getConverted_type()).isEqualTo(ConvertedType.UTF8);
        assertThat(schema.get(5).getLogicalType().isSetSTRING()).isTrue();
        assertThat(schema.get(7).isSetLogicalType()).isFalse();
        final ColumnMetaData numbers = metadata.getRow_groups().get(0).getColumns().get(5).getMeta_data();
        assertThat(numbers.getStatistics().getNull_count()).isEqualTo(1);
        assertThat(ByteBuffer.wrap(numbers.getStatistics().getMin_value()).order(ByteOrder.LITTLE_ENDIAN).getInt())
            .isEqualTo(-7);
        assertThat(ByteBuffer.wrap(numbers.getStatistics().getMax_value()).order(ByteOrder.LITTLE_ENDIAN).getInt())
            .isZero();
        assertThat(ParquetContents.rows(file(1), EventType.tuple("Read", property("at", CqlType.TIMESTAMP),
            property("kind", CqlType.CHAR), property("n", CqlType.BIGDECIMAL)))).containsExactly(
                Arrays.asList(1_500_000_000L, "UPDATE", new BigDecimal("12.50")),
                Arrays.asList(1_500_000_001L, "DELETE", null),
                Arrays.asList(1_500_000_002L, "INSERT", new BigDecimal("0.00")));
    }

    /** The file with these rows, uncompressed and without a dictionary, as the format describes it. */
    @Test
    void shouldWriteThePagesOfTheFormat() throws Exception
    {
        final EventType flags = EventType.tuple("Flags", property("b", CqlType.BOOLEAN));
        final ParquetSink sink = new ParquetSink();
        sink.setStageContext(new TestStage(flags));
        sink.setFile(directory.resolve("ticks.parquet").toString());
        sink.setEventTypeName("Flags");
        sink.setCompression("none");
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        sink.onBatch(batch(flags, new Object[] {true}, new Object[] {null}, new Object[] {false}, new Object[] {true}));
        sink.destroy();
        final byte[] file = Files.readAllBytes(file(1));
        final ColumnMetaData column =
            ParquetContents.metadata(file(1)).getRow_groups().get(0).getColumns().get(0).getMeta_data();
        final int end = (int)(column.getData_page_offset() + column.getTotal_compressed_size());
        // Length of the levels, a packed run of 8 of them (1, 0, 1, 1), then the bits of true, false, true.
        assertThat(Arrays.copyOfRange(file, end - 7, end)).containsExactly(2, 0, 0, 0, 3, 0b1101, 0b101);
        assertThat(new String(file, 0, 4)).isEqualTo("PAR1");
        assertThat(new String(file, file.length - 4, 4)).isEqualTo("PAR1");
    }

    @Test
    void shouldRotateConvertAndDeleteFiles() throws Exception
    {
        final ParquetSink sink = ticks(each ->
        {
            each.setRotateSize("1k");
            each.setKeepFiles(3);
        });
        for (int i = 0; i < 20; i++)
        {
            sink.onBatch(TestStage.ticks(1 + 100L * i, 100));
        }
        end(sink);
        assertThat(names(directory)).containsExactly("ticks-000018.parquet", "ticks-000019.parquet",
            "ticks-000020.parquet", "ticks.parquet.lock", "ticks.parquet.rows");
        assertThat(ids(directory)).isEqualTo(LongStream.rangeClosed(1701, 2000).boxed().toList());
        assertThat(stage.raised).isEmpty();
    }

    @Test
    void shouldShowRowsAtTheEndAndContinueWithTheNextFile() throws Exception
    {
        final ParquetSink first = ticks(ParquetSinkTest::defaults);
        first.onBatch(TestStage.ticks(1, 3));
        assertThat(names(directory)).noneMatch(name -> name.endsWith(".parquet"));
        end(first);
        final ParquetSink second = ticks(ParquetSinkTest::defaults);
        end(second);
        final ParquetSink third = ticks(ParquetSinkTest::defaults);
        third.onBatch(TestStage.ticks(4, 2));
        end(third);
        assertThat(ParquetContents.rows(file(1), TestStage.TICK)).containsExactly(List.of(1L, "S", 0.25),
            List.of(2L, "S", 0.5), List.of(3L, "S", 0.75));
        assertThat(ids(directory)).isEqualTo(ids(5));
        assertThat(names(directory)).filteredOn(name -> name.endsWith(".parquet")).hasSize(2);
    }

    @Test
    void shouldShowRowsWhenTheFirstOfThemIsOldEnough() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        // The age of an empty log does not count.
        stage.clockAheadNs = TimeUnit.MINUTES.toNanos(20);
        sink.onBatch(TestStage.ticks(1, 3));
        stage.clockAheadNs = TimeUnit.MINUTES.toNanos(24);
        sink.onBatch(TestStage.ticks(4, 1));
        assertThat(file(1)).doesNotExist();
        stage.clockAheadNs = TimeUnit.MINUTES.toNanos(26);
        FileSinkTest.await("the file", () -> Files.exists(file(1)));
        assertThat(ids(directory)).isEqualTo(ids(4));
    }

    /** Copies the directory as a kill of the process leaves it, and lets a new sink receive the rows again. */
    private void shouldContinueAfterAKill(final long rows) throws Exception
    {
        final Path copy = Files.createDirectory(directory.resolve("copy"));
        for (final String name : names(directory))
        {
            final Path from = directory.resolve(name);
            // No kill leaves a copy from which a file has disappeared while it was made.
            if (Files.isRegularFile(from) && !name.endsWith(".new"))
            {
                Files.copy(from, copy.resolve(name));
            }
        }
        final ParquetSink next = ticks(each ->
        {
            each.setFile(copy.resolve("ticks.parquet").toString());
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
        assertThat(ids(copy)).as("stored " + (from - 1)).isEqualTo(ids(rows));
        assertThat(names(copy)).noneMatch(name -> name.endsWith(".part") || name.matches(".*\\d\\.parquet\\.rows"));
        for (final String name : names(copy))
        {
            Files.delete(copy.resolve(name));
        }
        Files.delete(copy);
    }

    @Test
    void shouldContainEachRowOnceAfterKillsAtManyMoments() throws Exception
    {
        final ParquetSink sink = ticks(each ->
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
                final long expected = rows;
                FileSinkTest.await("a state without files in progress", () -> isQuiet(sink, expected));
                shouldContinueAfterAKill(rows);
            }
        }
    }

    private boolean isQuiet(final ParquetSink sink, final long rows)
    {
        try
        {
            return sink.receivedFrom("kill") == rows && names(directory).stream()
                .noneMatch(name -> name.endsWith(".part") || name.matches(".*\\d\\.parquet\\.rows"));
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Each state between the steps in which a log becomes a file. */
    @ParameterizedTest
    @CsvSource({"log", "log and a part of the file", "complete part", "file"})
    void shouldContinueWhenItWasKilledBetweenTheStepsOfAConversion(final String state) throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setExactlyOnce(true));
        final Path log = directory.resolve("ticks.parquet.rows");
        final Path rotated = directory.resolve("ticks-000001.parquet.rows");
        final Path part = directory.resolve("ticks-000001.parquet.part");
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 10), "step", 1));
        FileSinkTest.await("stored numbers", () -> sink.receivedFrom("step") == 10);
        Files.copy(log, directory.resolve("copy"));
        end(sink);
        switch (state)
        {
            case "log" ->
            {
                Files.move(directory.resolve("copy"), rotated);
                Files.delete(file(1));
            }
            case "log and a part of the file" ->
            {
                Files.move(directory.resolve("copy"), rotated);
                Files.delete(file(1));
                Files.writeString(part, "PAR1 and no more");
            }
            case "complete part" -> Files.move(file(1), part);
            default -> assertThat(file(1)).exists();
        }
        final ParquetSink next = ticks(each -> each.setExactlyOnce(true));
        assertThat(next.receivedFrom("step")).isEqualTo(10);
        next.onBatch(TestStage.numbered(TestStage.ticks(9, 4), "step", 9));
        end(next);
        assertThat(ids(directory)).isEqualTo(ids(12));
        assertThat(part).doesNotExist();
        assertThat(rotated).doesNotExist();
    }

    @Test
    void shouldNotWriteAFileAgainThatWasTakenAway() throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setExactlyOnce(true));
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 10), "taken", 1));
        end(sink);
        Files.delete(file(1));
        final ParquetSink next = ticks(each -> each.setExactlyOnce(true));
        next.onBatch(TestStage.numbered(TestStage.ticks(11, 2), "taken", 11));
        end(next);
        assertThat(file(1)).doesNotExist();
        assertThat(ids(directory)).containsExactly(11L, 12L);
    }

    @Test
    void shouldKeepTheRowsBeforeAnIncompleteRecord() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        final Path log = directory.resolve("ticks.parquet.rows");
        sink.onBatch(TestStage.ticks(1, 10));
        final byte[] before = Files.readAllBytes(log);
        sink.onBatch(TestStage.ticks(11, 10));
        final byte[] after = Files.readAllBytes(log);
        end(sink);
        Files.delete(file(1));
        Files.write(log, Arrays.copyOf(after, before.length + 40));
        final ParquetSink next = ticks(ParquetSinkTest::defaults);
        assertThat(next.statistics()).containsEntry("fileBytes", (long)before.length);
        next.onBatch(TestStage.ticks(11, 2));
        end(next);
        assertThat(ids(directory)).isEqualTo(ids(12));
    }

    @Test
    void shouldBeginAFileWhenItsColumnsDiffer() throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setExactlyOnce(true));
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 2), "columns", 1));
        FileSinkTest.await("stored numbers", () -> sink.receivedFrom("columns") == 2);
        final byte[] log = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        final byte[] positions = Files.readAllBytes(directory.resolve("ticks.parquet.positions"));
        end(sink);
        // As after a kill before the end of the file.
        Files.delete(file(1));
        Files.write(directory.resolve("ticks.parquet.rows"), log);
        Files.write(directory.resolve("ticks.parquet.positions"), positions);
        final ParquetSink next = ticks(each ->
        {
            each.setExactlyOnce(true);
            each.setColumns("symbol, id");
        });
        next.onBatch(TestStage.numbered(TestStage.ticks(2, 2), "columns", 2));
        end(next);
        assertThat(ParquetContents.rows(file(1), TestStage.TICK)).containsExactly(List.of(1L, "S", 0.25),
            List.of(2L, "S", 0.5));
        assertThat(ParquetContents.metadata(file(2)).getSchema()).extracting(SchemaElement::getName)
            .containsExactly("rows", "symbol", "id");
        assertThat(ParquetContents.metadata(file(2)).getNum_rows()).isEqualTo(1);
    }

    @Test
    void shouldReportAFileThatCannotBeConvertedAndConvertItLater() throws Exception
    {
        final ParquetSink before = ticks(ParquetSinkTest::defaults);
        before.onBatch(TestStage.ticks(1, 100));
        final byte[] log = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        end(before);
        // As after a kill before the conversion.
        Files.delete(file(1));
        Files.write(directory.resolve("ticks-000001.parquet.rows"), log);
        final Path obstacle = Files.createDirectories(directory.resolve("ticks-000001.parquet.part/x"));
        final ParquetSink sink = ticks(each -> each.setRotateSize("1k"));
        FileSinkTest.await("the condition", () -> stage.raised.containsKey("FIL-0107"));
        assertThat(stage.raised.get("FIL-0107")).contains("converted", "stage=app/file", "ticks-000001");
        Files.delete(obstacle);
        Files.delete(obstacle.getParent());
        sink.onBatch(TestStage.ticks(101, 100));
        FileSinkTest.await("both files", () -> Files.exists(file(1)) && Files.exists(file(2)));
        FileSinkTest.await("the end of the condition", stage.raised::isEmpty);
        assertThat(ids(directory)).isEqualTo(ids(200));
    }

    @Test
    void shouldReportADamagedLogAndKeepIt() throws Exception
    {
        final Path log = directory.resolve("ticks-000001.parquet.rows");
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        sink.onBatch(TestStage.ticks(1, 100));
        final byte[] damaged = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        end(sink);
        Files.delete(file(1));
        damaged[damaged.length - 9] ^= 1;
        Files.write(log, damaged);
        ticks(ParquetSinkTest::defaults);
        FileSinkTest.await("the condition", () -> stage.raised.containsKey("FIL-0107"));
        assertThat(stage.raised.get("FIL-0107")).contains("damaged", "position=");
        assertThat(log).hasBinaryContent(damaged);
        assertThat(file(1)).doesNotExist();
    }

    @Test
    void shouldRejectDecimalsThatTheColumnHasNoRoomFor() throws Exception
    {
        final ParquetSink sink = sink(AMOUNT, each -> each.setDecimalScale(2));
        final EventBatch batch = batch(AMOUNT, new Object[] {"1.005"}, new Object[] {"1.500"}, new Object[] {null},
            new Object[] {"1e36"}, new Object[] {"9e35"}, new Object[] {"0.000"});
        assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOfSatisfying(BatchRejectedException.class,
            e -> assertThat(e.rejected()).hasSize(2))
            .hasMessageContainingAll("FIL-0109", "rows=2", "property=amount digits=4 digitsAfterPoint=3");
        assertThat(sink.statistics()).containsEntry("rejected", 2L).containsEntry("written", 4L);
        end(sink);
        assertThat(ParquetContents.rows(file(1), AMOUNT)).containsExactly(List.of(new BigDecimal("1.50")),
            Arrays.asList((Object)null), List.of(new BigDecimal("9e35").setScale(2)), List.of(new BigDecimal("0.00")));
    }

    @Test
    void shouldConfirmTheNumbersOfRejectedRows() throws Exception
    {
        final ParquetSink sink = sink(AMOUNT, each -> each.setExactlyOnce(true));
        final EventBatch batch = batch(AMOUNT, new Object[] {"1e30"});
        assertThatThrownBy(() -> sink.onBatch(TestStage.numbered(batch, "refused", 1)))
            .isInstanceOf(BatchRejectedException.class);
        FileSinkTest.await("stored numbers", () -> sink.receivedFrom("refused") == 1);
    }

    @Test
    void shouldRefuseTypesAndPropertiesAtDeployment() throws Exception
    {
        assertThatThrownBy(() -> sink(OTHER, each -> each.setColumns("id, any")))
            .hasMessageContainingAll("FIL-0101", "columns", "any", "type object");
        assertThatThrownBy(() -> sink(OTHER, each -> each.setColumns("id, xml")))
            .hasMessageContainingAll("FIL-0101", "xml", "type xmltype");
        assertThatThrownBy(() -> ticks(each -> each.setEventTypeName(null)))
            .hasMessageContainingAll("FIL-0101", "eventTypeName", "missing");
        assertThatThrownBy(() -> ticks(each -> each.setTimeColumn("id"))).hasMessageContainingAll("FIL-0101", "once");
        assertThatThrownBy(() -> ticks(each -> each.setTimeColumn("a\ttime")))
            .hasMessageContainingAll("FIL-0101", "control characters");
        assertThatThrownBy(() -> ticks(each -> each.setTimeColumn("t".repeat(1 << 20))))
            .hasMessageContainingAll("FIL-0101", "longer than a megabyte");
        assertThatThrownBy(() -> ticks(each -> each.setCompression("brotli")))
            .hasMessageContainingAll("FIL-0101", "compression", "zstd");
        assertThatThrownBy(() -> ticks(each -> each.setRowGroupSize("1k")))
            .hasMessageContainingAll("FIL-0101", "rowGroupSize", "64k");
        assertThatThrownBy(() -> ticks(each -> each.setDecimalScale(39)))
            .hasMessageContainingAll("FIL-0101", "decimalScale", "38");
        assertThatThrownBy(() -> ticks(each -> each.setFile("/proc/none/x")))
            .hasMessageContainingAll("FIL-0102", "/proc/none/x");
    }

    @Test
    void shouldRejectEventsOfAnotherType() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        final EventType other = EventType.tuple("Wide", property("id", CqlType.INT), property("symbol", CqlType.CHAR),
            property("price", CqlType.DOUBLE));
        assertThatThrownBy(() -> sink.onBatch(batch(other, new Object[] {1, "S", 0.5})))
            .isInstanceOf(EventRejectedException.class)
            .hasMessageContainingAll("FIL-0106", "property=id is=int column=bigint");
        final EventBatch changes = TestStage.ticks(2, 1);
        changes.useKinds()[0] = EventBatch.DELETE;
        assertThatThrownBy(() -> sink.onBatch(changes)).hasMessageContainingAll("FIL-0106", "kindColumn");
    }

    @Test
    void shouldRejectRowsWhileTheDiskIsFull() throws Exception
    {
        Files.createSymbolicLink(directory.resolve("ticks.parquet.rows"), Path.of("/dev/full"));
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        assertThatThrownBy(() -> sink.onBatch(TestStage.ticks(1, 1))).isInstanceOf(EventRejectedException.class)
            .hasMessageContainingAll("FIL-0103", "cannot be written");
        assertThat(stage.raised.get("FIL-0103")).contains("free space");
    }

    /** A sink whose conversions wait. */
    private AppendingSink waiting(final CountDownLatch mayConvert) throws IOException
    {
        final AppendingSink sink = new AppendingSink()
        {
            @Override
            RowEncoding open(final PropertyCheck check)
            {
                return new LogEncoding(properties.format.check(check), 0, check);
            }

            @Override
            String appended()
            {
                return FileNames.LOG;
            }

            @Override
            String finished()
            {
                return "";
            }

            @Override
            FileConversion conversion()
            {
                return (from, to) ->
                {
                    try
                    {
                        mayConvert.await();
                    }
                    catch (final InterruptedException e)
                    {
                        throw new InterruptedIOException();
                    }
                    RowLog.convert(from, to, PageCompression.NONE, 1 << 20);
                };
            }
        };
        sink.setStageContext(stage);
        sink.setFile(directory.resolve("ticks.parquet").toString());
        sink.setEventTypeName("Tick");
        sink.setCommitMillis(1);
        sink.setRotateSize("1k");
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    @Test
    void shouldLetRowsWaitWhileFilesAreNotConverted() throws Exception
    {
        final CountDownLatch mayConvert = new CountDownLatch(1);
        final AppendingSink sink = waiting(mayConvert);
        final CompletableFuture<Void> writer = CompletableFuture.runAsync(() ->
        {
            for (int i = 0; i < 10; i++)
            {
                try
                {
                    sink.onBatch(TestStage.ticks(1 + 100L * i, 100));
                }
                catch (final EventRejectedException e)
                {
                    throw new IllegalStateException(e);
                }
            }
        });
        // Three batches are rotated by their thread, the fourth by the thread that commits.
        FileSinkTest.await("four logs", () -> sink.statistics().get("rotatedFiles").equals(4) || writer.isDone());
        assertThat(writer).isNotDone();
        assertThat(sink.statistics()).containsEntry("written", 400L);
        mayConvert.countDown();
        writer.get();
        sink.destroy();
        assertThat(ids(directory)).isEqualTo(ids(1000));
        assertThat(stage.raised).isEmpty();
    }

    @Test
    void shouldConvertAllLogsWhenItEndsWhileTheyWait() throws Exception
    {
        final CountDownLatch mayConvert = new CountDownLatch(1);
        final AppendingSink sink = waiting(mayConvert);
        for (int i = 0; i < 3; i++)
        {
            sink.onBatch(TestStage.ticks(1 + 100L * i, 100));
        }
        final CompletableFuture<Void> end = CompletableFuture.runAsync(() ->
        {
            try
            {
                sink.destroy();
            }
            catch (final IOException | InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        });
        assertThat(end).isNotDone();
        mayConvert.countDown();
        end.get();
        assertThat(ids(directory)).isEqualTo(ids(300));
        assertThat(names(directory)).noneMatch(name -> name.matches(".*\\d\\.parquet\\..*"));
    }

    @Test
    void shouldNotUseTheNumbersOfFilesAgainThatWereTakenAway() throws Exception
    {
        for (int i = 1; i <= 3; i++)
        {
            final ParquetSink sink = ticks(ParquetSinkTest::defaults);
            sink.onBatch(TestStage.ticks(i, 1));
            end(sink);
            assertThat(ParquetContents.rows(file(i), TestStage.TICK)).hasSize(1);
            Files.delete(file(i));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepFilesThatOtherProgramsPutInItsPlace(final boolean isExactlyOnce) throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setExactlyOnce(isExactlyOnce));
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 3), "other", 1));
        Files.writeString(file(1), "restored");
        end(sink);
        final ParquetSink next = ticks(each -> each.setExactlyOnce(isExactlyOnce));
        Files.writeString(file(3), "restored too");
        next.onBatch(TestStage.numbered(TestStage.ticks(4, 2), "other", 4));
        end(next);
        assertThat(file(1)).hasContent("restored");
        assertThat(file(3)).hasContent("restored too");
        assertThat(ParquetContents.rows(file(2), TestStage.TICK)).hasSize(3);
        assertThat(ParquetContents.rows(file(4), TestStage.TICK)).hasSize(2);
    }

    /** The log has its new name, and the stored number is its own; its successor has a row without a stored number. */
    @Test
    void shouldContinueWhenItWasKilledAfterTheRenamingOfTheLog() throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setExactlyOnce(true));
        final Path log = directory.resolve("ticks.parquet.rows");
        final Path positions = directory.resolve("ticks.parquet.positions");
        sink.onBatch(TestStage.numbered(TestStage.ticks(1, 10), "step", 1));
        FileSinkTest.await("stored numbers", () -> sink.receivedFrom("step") == 10);
        final byte[] rows = Files.readAllBytes(log);
        final byte[] numbers = Files.readAllBytes(positions);
        end(sink);
        Files.delete(file(1));
        Files.write(directory.resolve("ticks-000001.parquet.rows"), rows);
        Files.write(log, Arrays.copyOf(rows, rows.length - 1));
        Files.write(positions, numbers);
        final ParquetSink next = ticks(each -> each.setExactlyOnce(true));
        assertThat(next.receivedFrom("step")).isEqualTo(10);
        next.onBatch(TestStage.numbered(TestStage.ticks(11, 2), "step", 11));
        end(next);
        assertThat(ids(directory)).isEqualTo(ids(12));
    }

    @Test
    void shouldKeepTheRowsOfATimeWithoutExactlyOnce() throws Exception
    {
        final ParquetSink first = ticks(each -> each.setExactlyOnce(true));
        first.onBatch(TestStage.numbered(TestStage.ticks(1, 1), "switch", 1));
        end(first);
        final ParquetSink second = ticks(ParquetSinkTest::defaults);
        second.onBatch(TestStage.ticks(2, 2));
        final byte[] log = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        end(second);
        // As after a kill before the end of the file.
        Files.delete(file(2));
        Files.write(directory.resolve("ticks.parquet.rows"), log);
        end(ticks(each -> each.setExactlyOnce(true)));
        assertThat(ids(directory)).isEqualTo(ids(3));
    }

    @Test
    void shouldReportALogWithoutColumnsAndConvertTheOthers() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        sink.onBatch(TestStage.ticks(1, 5));
        final byte[] log = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        end(sink);
        Files.delete(file(1));
        Files.write(directory.resolve("ticks-000008.parquet.rows"), log);
        final String text = new String(log, StandardCharsets.ISO_8859_1);
        assertThat(text).contains("symbol");
        // With other columns, the values would have other names.
        final Path damaged = directory.resolve("ticks-000007.parquet.rows");
        Files.writeString(damaged, text.replace("symbol", "symbal"), StandardCharsets.ISO_8859_1);
        ticks(ParquetSinkTest::defaults);
        FileSinkTest.await("the condition", () -> stage.raised.containsKey("FIL-0107"));
        assertThat(stage.raised.get("FIL-0107")).contains("first line", damaged.toString());
        assertThat(ids(directory)).isEqualTo(ids(5));
        assertThat(damaged).exists();
    }

    @Test
    void shouldShowTheRowsBeforeTheDamageWhenTheLogIsRemoved() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        sink.onBatch(TestStage.ticks(1, 100));
        sink.onBatch(TestStage.ticks(101, 100));
        final byte[] damaged = Files.readAllBytes(directory.resolve("ticks.parquet.rows"));
        end(sink);
        Files.delete(file(1));
        damaged[damaged.length - 9] ^= 1;
        final Path log = directory.resolve("ticks-000001.parquet.rows");
        Files.write(log, damaged);
        final ParquetSink next = ticks(ParquetSinkTest::defaults);
        FileSinkTest.await("the condition", () -> stage.raised.containsKey("FIL-0107"));
        Files.delete(log);
        end(next);
        end(ticks(ParquetSinkTest::defaults));
        assertThat(ids(directory)).isEqualTo(ids(100));
    }

    @Test
    void shouldBeginARowGroupWithinABatchOfLargeValues() throws Exception
    {
        final ParquetSink sink = sink(BYTES, each -> each.setCompression("none"));
        final EventBatch batch = new EventBatch(new BatchSchema(BYTES));
        for (int row = 0; row < 30; row++)
        {
            final byte[] value = new byte[1 << 20];
            Arrays.fill(value, (byte)row);
            batch.references(0)[row] = value;
        }
        batch.size(30);
        sink.onBatch(batch);
        end(sink);
        assertThat(ParquetContents.metadata(file(1)).getRow_groups()).hasSize(2)
            .allMatch(group -> group.getTotal_byte_size() <= 20 << 20);
        final List<List<Object>> rows = ParquetContents.rows(file(1), BYTES);
        assertThat(rows).hasSize(30);
        assertThat(IntStream.range(0, 30)).allMatch(
            row -> Arrays.equals((byte[])rows.get(row).get(0), (byte[])batch.references(0)[row]));
    }

    @Test
    void shouldRejectRowsThatNeedMoreThanAGigabyte() throws Exception
    {
        final LogEncoding encoding = new LogEncoding(new FormatSettings(null, false, ',', null, null), 0,
            SinkProperties.check(stage));
        encoding.check(stage, "Bytes");
        final Object[] value = {new byte[8 << 20]};
        final EventBatch batch = batch(BYTES, Collections.nCopies(EventBatch.CAPACITY, value).toArray(Object[][]::new));
        encoding.map(batch);
        assertThatThrownBy(() -> encoding.encode(batch, IntStream.range(0, batch.size()).toArray(), batch.size()))
            .isInstanceOf(EventRejectedException.class)
            .hasMessageContainingAll("FIL-0109", "stage=app/file", "rows=256", "most=1073741824", "shorten");
    }

    @Test
    void shouldShowRowsWhenTheClockWasSetBack() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        stage.clockAheadNs = TimeUnit.HOURS.toNanos(3);
        sink.onBatch(TestStage.ticks(1, 3));
        stage.clockAheadNs = 0;
        FileSinkTest.await("the file", () -> Files.exists(file(1)));
        assertThat(ids(directory)).isEqualTo(ids(3));
    }

    @Test
    @Timeout(20)
    void shouldEndAtOnceWhenCommitsAreRare() throws Exception
    {
        final ParquetSink sink = ticks(each -> each.setCommitMillis(3_600_000));
        sink.onBatch(TestStage.ticks(1, 3));
        end(sink);
        assertThat(ids(directory)).isEqualTo(ids(3));
    }

    @Test
    void shouldEndAndUnlockTheFileWhenItIsInterrupted() throws Exception
    {
        final ParquetSink sink = ticks(ParquetSinkTest::defaults);
        sink.onBatch(TestStage.ticks(1, 3));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> end(sink)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        end(ticks(ParquetSinkTest::defaults));
        assertThat(ids(directory)).isEqualTo(ids(3));
    }
}
