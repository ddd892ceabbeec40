package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.inbound.FileSource.Format;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sources that read a real file once. */
@Timeout(60)
class FileSourceTest
{
    private static final EventType ALL = EventType.tuple("All", new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("n", CqlType.BIGDECIMAL),
        new EventProperty("s", CqlType.CHAR, 20), new EventProperty("b", CqlType.BYTE),
        new EventProperty("t", CqlType.BOOLEAN), new EventProperty("at", CqlType.TIMESTAMP),
        new EventProperty("v", CqlType.INTERVAL));
    private static final long AT_NS = 1_795_947_300_000_000_001L;

    @TempDir
    private Path directory;

    private final RunningSource.Receiver receiver = new RunningSource.Receiver();
    private final List<RunningSource> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception
    {
        for (final RunningSource each : open)
        {
            each.close();
        }
    }

    private RunningSource source(final Format format, final EventType type, final Consumer<FileSource> properties)
        throws IOException
    {
        final RunningSource made = new RunningSource(format, type, receiver, source ->
        {
            source.setPositionFile(directory.resolve("positions").toString());
            source.setFile(directory.resolve("rows").toString());
            properties.accept(source);
        });
        open.add(made);
        return made;
    }

    private RunningSource read(final Format format, final EventType type, final String text,
        final Consumer<FileSource> properties) throws Exception
    {
        Files.writeString(directory.resolve("rows"), text);
        return source(format, type, properties).start().join();
    }

    private RunningSource csv(final String text) throws Exception
    {
        return read(Format.CSV, TestStage.TICK, text, source ->
        {
        });
    }

    private RunningSource json(final String text) throws Exception
    {
        return read(Format.JSON, TestStage.TICK, text, source ->
        {
        });
    }

    private static List<Object> row(final Object... values)
    {
        return Arrays.asList(values);
    }

    @SuppressWarnings("unchecked")
    private static List<String> lastRejected(final RunningSource source)
    {
        return ((List<Map<String, Object>>)source.figures().get("lastRejected")).stream()
            .map(each -> each.get("line") + " " + each.get("reason")).toList();
    }

    @Test
    void shouldReadQuotedFieldsNullsAndAnyLineEnd() throws Exception
    {
        final RunningSource source = csv("\uFEFFprice,id,\"symbol\"\r\n0.5,1,\"a,\"\"b\"\"\nc\"\r\n" +
            ",2,\n\n\"\",\"3\",S\r\n1e3,-4,\"\u20ac\"");
        assertThat(receiver.rows()).containsExactly(row(1L, "a,\"b\"\nc", 0.5), row(2L, null, null),
            row(3L, "S", null), row(-4L, "\u20ac", 1000.0));
        assertThat(source.figures()).containsEntry("rows", 4L).containsEntry("rejected", 0L)
            .containsEntry("finished", true).containsEntry("files", 1L);
    }

    @Test
    void shouldReadValuesOfAllTypesThatTheSinksWrite() throws Exception
    {
        final List<Object> expected = row(Integer.MIN_VALUE, Long.MAX_VALUE, 1.1f, Double.MIN_VALUE,
            new BigDecimal("12.50"), "x", new byte[]{1, (byte)0xFF}, true, AT_NS, -5L);
        read(Format.CSV, ALL, "-2147483648,9223372036854775807,1.1,4.9E-324,12.50,x,01ff,true," +
            "2026-11-29T10:15:00.000000001Z,-5\n,,NaN,-Infinity,,,,,,\n", source -> source.setHeader(false));
        read(Format.JSON, ALL, "{\"i\":-2147483648,\"l\":9223372036854775807,\"f\":1.1,\"d\":4.9E-324,\"n\":12.50," +
            "\"s\":\"x\",\"b\":\"01ff\",\"t\":true,\"at\":\"2026-11-29T10:15:00.000000001Z\",\"v\":-5}\n" +
            "{\"v\":null,\"i\":null,\"l\":null,\"f\":\"NaN\",\"d\":\"-Infinity\",\"n\":null,\"s\":null,\"b\":null," +
            "\"t\":null,\"at\":null}\n", source ->
            source.setPositionFile(directory.resolve("other").toString()));
        final List<Object> second = row(null, null, Float.NaN, Double.NEGATIVE_INFINITY, null, null, null, null, null,
            null);
        assertThat(receiver.rows()).extracting(row -> Arrays.deepToString(row.toArray())).isEqualTo(
            Stream.of(expected, second, expected, second).map(row -> Arrays.deepToString(row.toArray())).toList());
    }

    @Test
    void shouldRejectBadRowsOfCsvWithLineAndReasonAndReadTheOthers() throws Exception
    {
        final RunningSource source = csv("id,symbol,price\n1,a,1\nx,a,1\n2,\"a\nb\",2\n3,a\n4,a,1,1\n" +
            "5,a\"b,1\n6,\"a\"b,1\n7," + "s".repeat(257) + ",1\n8,a,1\n9,\"not closed,1\n10,a,1\n");
        assertThat(receiver.column(0)).containsExactly(1L, 2L, 8L, 10L);
        assertThat(lastRejected(source)).containsExactly("3 wrong-type", "6 missing-field", "7 excess-field",
            "8 wrong-quotes", "9 wrong-quotes", "10 text-too-long", "12 wrong-quotes");
        assertThat(source.rejections()).hasSize(7).allMatch(each -> each.contains(" FIL-012"));
        assertThat(source.figures()).containsEntry("rejected", 7L);
    }

    @Test
    void shouldRejectBadLinesOfJsonAndReadTheOthers() throws Exception
    {
        final String good = "{\"id\":%d,\"symbol\":\"s\",\"price\":1,\"more\":{\"x\":[1,{}]}}";
        final RunningSource source = json(good.formatted(1) + "\n{\"id\":2\n" + good.formatted(3) + good.formatted(3) +
            "\n{\"id\":\"4\",\"symbol\":\"s\",\"price\":1}\n{\"id\":5,\"symbol\":{\"a\":1},\"price\":1}\n" +
            "{\"id\":6,\"price\":1}\n[7]\n{\"id\":8,\"id\":8,\"symbol\":\"s\",\"price\":1}\n" +
            "{id:9,\"symbol\":\"s\",\"price\":1}\n{\"id\":10,\"symbol\":\"\\ud800\",\"price\":1}\n\n" +
            "{\"id\":1.5,\"symbol\":\"s\",\"price\":1}\n" + good.formatted(13));
        assertThat(receiver.column(0)).containsExactly(1L, 13L);
        assertThat(lastRejected(source)).containsExactly("2 broken-json", "3 broken-json", "4 wrong-type",
            "5 nested-value", "6 missing-field", "7 broken-json", "8 excess-field", "9 broken-json",
            "10 broken-json", "12 wrong-type");
    }

    @Test
    void shouldShowTheLastTenRejectedRows() throws Exception
    {
        final RunningSource source = csv("id,symbol,price\n" + LongStream.rangeClosed(2, 30)
            .mapToObj(line -> "bad,a,1\n").collect(Collectors.joining()));
        assertThat(lastRejected(source)).hasSize(10).startsWith("21 wrong-type").endsWith("30 wrong-type");
        assertThat(source.figures()).containsEntry("rejected", 29L).containsEntry("finished", true);
    }

    @Test
    void shouldRejectLinesAboveTheLimitWhereverTheBufferEnds() throws Exception
    {
        final RunningSource source = read(Format.CSV, TestStage.TICK, "1,a,1\n2," + "x".repeat(1_000_000) +
            ",1\n3,a,1\n4,\"" + ("y".repeat(30) + "\n").repeat(3) + "\",1\n5,a,1\n", made ->
            {
                made.setHeader(false);
                made.setMaxLineBytes(64);
            });
        assertThat(receiver.column(0)).containsExactly(1L, 3L, 5L);
        assertThat(lastRejected(source)).startsWith("2 line-too-long", "4 line-too-long");
    }

    @Test
    void shouldMapColumnsByHeaderOrByList() throws Exception
    {
        read(Format.CSV, TestStage.TICK, "note,PRICE,id,symbol\nx,1.5,1,a\n", source ->
        {
        });
        read(Format.CSV, TestStage.TICK, "x;2.5;2\n", source ->
        {
            source.setPositionFile(directory.resolve("second").toString());
            source.setHeader(false);
            source.setSeparator(";");
            source.setColumns("-, price, id");
        });
        final RunningSource lacking = read(Format.CSV, TestStage.TICK, "id,symbol\n3,a\n", source ->
            source.setPositionFile(directory.resolve("third").toString()));
        assertThat(lastRejected(lacking)).containsExactly("2 missing-field");
        read(Format.CSV, TestStage.TICK, "id,symbol\n4,NA\n5\n", source ->
        {
            source.setPositionFile(directory.resolve("fourth").toString());
            source.setMissing("null");
            source.setNullText("NA");
        });
        assertThat(receiver.rows()).containsExactly(row(1L, "a", 1.5), row(2L, null, 2.5), row(4L, null, null),
            row(5L, null, null));
    }

    @Test
    void shouldReadOtherCharsetsAndRejectInvalidBytes() throws Exception
    {
        final String text = "1,\u00e4\u20ac,1\n2,b,2\n";
        final Charset latin = Charset.forName("windows-1252");
        for (final Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16, latin))
        {
            Files.write(directory.resolve("rows"), text.getBytes(charset));
            source(Format.CSV, TestStage.TICK, source ->
            {
                source.setPositionFile(directory.resolve(charset.name()).toString());
                source.setHeader(false);
                source.setCharset(charset.name());
            }).start().join();
        }
        assertThat(receiver.column(1)).containsExactly("\u00e4\u20ac", "b", "\u00e4\u20ac", "b", "\u00e4\u20ac", "b");
        // 0x81 is not a character of windows-1252, 0xE4 begins one of UTF-8 that is incomplete.
        final byte[] invalid = "1,\u0081,1\n2,\u00e4,2\n3,c,3\n".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(directory.resolve("rows"), invalid);
        final RunningSource utf8 = source(Format.CSV, TestStage.TICK, source ->
        {
            source.setPositionFile(directory.resolve("strict").toString());
            source.setHeader(false);
        }).start().join();
        assertThat(lastRejected(utf8)).containsExactly("1 invalid-bytes", "2 invalid-bytes");
        final RunningSource windows = source(Format.CSV, TestStage.TICK, source ->
        {
            source.setPositionFile(directory.resolve("windows").toString());
            source.setHeader(false);
            source.setCharset(latin.name());
        }).start().join();
        assertThat(lastRejected(windows)).containsExactly("1 invalid-bytes");
    }

    @Test
    void shouldReadCompressedFilesAndRejectTheRestOfDamagedOnes() throws Exception
    {
        final Path file = directory.resolve("rows.gz");
        final String text = LongStream.range(0, 50_000).mapToObj(id -> id + ",s" + id + ",1\n")
            .collect(Collectors.joining());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file)))
        {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        final Consumer<FileSource> properties = source ->
        {
            source.setFile(file.toString());
            source.setHeader(false);
        };
        source(Format.CSV, TestStage.TICK, properties).start().join().close();
        assertThat(receiver.size()).isEqualTo(50_000);
        final byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        final RunningSource damaged = source(Format.CSV, TestStage.TICK, properties).start().join();
        assertThat(receiver.size()).isBetween(60_000, 99_999);
        assertThat(lastRejected(damaged)).hasSize(1).allMatch(each -> each.endsWith(" damaged-file"));
    }

    @Test
    void shouldRepeatTheFile() throws Exception
    {
        receiver.isStoring = true;
        final RunningSource source = read(Format.CSV, TestStage.TICK, "id,symbol,price\n1,a,1\n2,b,2\n", made ->
            made.setRepeat(3));
        assertThat(receiver.column(0)).containsExactly(1L, 2L, 1L, 2L, 1L, 2L);
        assertThat(source.figures()).containsEntry("files", 3L);
    }

    @Test
    void shouldWaitForAMissingFileAndReportIt() throws Exception
    {
        final RunningSource source = source(Format.CSV, TestStage.TICK, made -> made.setHeader(false)).start();
        source.await("the condition", () -> source.stage.raised.containsKey("FIL-0111"));
        assertThat((String)source.figures().get("trouble")).startsWith("FIL-0111").contains("rows");
        Files.createDirectory(directory.resolve("rows"));
        source.await("the other cause", () -> source.stage.raised.get("FIL-0111").contains("not a regular file"));
        Files.delete(directory.resolve("rows"));
        Files.writeString(directory.resolve("next"), "1,a,1\n");
        Files.move(directory.resolve("next"), directory.resolve("rows"));
        source.join();
        assertThat(receiver.column(0)).containsExactly(1L);
        assertThat(source.stage.raised).isEmpty();
        assertThat(source.figures()).containsEntry("trouble", "");
    }

    @Test
    void shouldSendRowsInTheTimesOfTheirColumn() throws Exception
    {
        // 300 ms of recorded time at three times the speed.
        final long beginNs = System.nanoTime();
        read(Format.CSV, TestStage.TICK, "id,symbol,price\n1000,a,1\n1200,b,2\n1100,c,3\n1300,d,4\n", source ->
        {
            source.setTimeColumn("id");
            source.setTimeUnit("ms");
            source.setSpeed("3");
        });
        assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(100_000_000L);
        assertThat(receiver.column(1)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void shouldSuspendWithinAWaitAndContinueWithTheNextRow() throws Exception
    {
        receiver.isStoring = true;
        Files.writeString(directory.resolve("rows"), "id,symbol,price\n0,a,1\n3600,b,2\n3600,c,2\n");
        final RunningSource source = source(Format.CSV, TestStage.TICK, made ->
        {
            made.setTimeColumn("id");
            made.setTimeUnit("s");
            made.setSpeed("1");
        }).start();
        source.awaitRows(1);
        source.suspend();
        // The first row after a resume is due at once.
        source.resume().join();
        assertThat(receiver.column(1)).containsExactly("a", "b", "c");
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        final Map<String, Consumer<FileSource>> wrong = Map.ofEntries(
            Map.entry("name=mode", source -> source.setMode("twice")),
            Map.entry("name=file", source -> source.setFile(" ")),
            Map.entry("name=directory", source -> source.setDirectory("d")),
            Map.entry("name=separator", source -> source.setSeparator("\u20ac")),
            Map.entry("name=charset", source -> source.setCharset("utf9")),
            Map.entry("name=maxLineBytes", source -> source.setMaxLineBytes(1)),
            Map.entry("name=columns", source -> source.setColumns("id,volume")),
            Map.entry("name=timeColumn", source -> source.setSpeed("1")),
            Map.entry("name=timeUnit", source -> source.setTimeUnit("h")),
            Map.entry("name=missing", source -> source.setMissing("skip")),
            Map.entry("name=startAt", source -> source.setStartAt("middle")),
            Map.entry("name=afterRead", source -> source.setAfterRead("delete")),
            Map.entry("name=moveTo", source -> source.setMoveTo("d")),
            Map.entry("FIL-0117", source -> source.setEventTypeName("Other")));
        wrong.forEach((text, property) -> assertThatThrownBy(() -> source(Format.CSV, TestStage.TICK, source ->
        {
            source.setMode("once".equals(text) ? null : "once");
            property.accept(source);
        })).as(text).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text)
            .hasMessageStartingWith("FIL-01"));
        assertThatThrownBy(() -> source(Format.CSV, EventType.tuple("X", new EventProperty("x", CqlType.OBJECT)),
            source ->
            {
            })).hasMessageContaining("FIL-0101").hasMessageContaining("x has the type object");
    }
}
