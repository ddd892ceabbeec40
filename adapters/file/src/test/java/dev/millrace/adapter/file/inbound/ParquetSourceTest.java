package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.inbound.FileSource.Format;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that another implementation has written, pyarrow 26.0.1: see write.py next to them. */
@Tag("slow")
@Timeout(180)
class ParquetSourceTest
{
    private static final int PAGES_ROWS = 3000;

    @TempDir
    private Path directory;
    private Path files;
    private final RunningSource.Receiver receiver = new RunningSource.Receiver();
    private RunningSource source;

    @BeforeEach
    void create() throws IOException
    {
        files = Files.createDirectory(directory.resolve("in"));
    }

    @AfterEach
    void close() throws IOException
    {
        if (source != null)
        {
            source.close();
        }
    }

    private static byte[] bytes(final String name) throws IOException
    {
        try (InputStream in = ParquetSourceTest.class.getResourceAsStream("/parquet/" + name + ".parquet"))
        {
            return in.readAllBytes();
        }
    }

    private Path put(final String name, final byte[] bytes) throws IOException
    {
        final Path next = directory.resolve("next");
        Files.write(next, bytes);
        return Files.move(next, files.resolve(name));
    }

    private RunningSource source(final EventType type, final Consumer<FileSource> properties) throws IOException
    {
        source = new RunningSource(Format.PARQUET, type, receiver, made ->
        {
            made.setPositionFile(directory.resolve("positions").toString());
            properties.accept(made);
        });
        return source;
    }

    /** Reads one file to its end. */
    private void read(final EventType type, final byte[] bytes, final Consumer<FileSource> properties) throws Exception
    {
        final Path file = put("file", bytes);
        source(type, made ->
        {
            made.setFile(file.toString());
            properties.accept(made);
        }).start().join();
        assertThat(source.stage.raised).isEmpty();
        assertThat(source.figures()).containsEntry("finished", true);
    }

    private void read(final EventType type, final String name) throws Exception
    {
        read(type, bytes(name), made ->
        {
        });
    }

    /** The rows of all files with ticks: price of id / 4, no symbol in each tenth row. */
    private static List<List<Object>> ticks(final int count)
    {
        return new ArrayList<>(LongStream.range(0, count)
            .mapToObj(id -> Arrays.<Object>asList(id, id % 10 == 9 ? null : "S" + id % 7, id / 4.0)).toList());
    }

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    @Test
    void shouldReadAllTypesAndNulls() throws Exception
    {
        final EventType type = EventType.tuple("All", property("small", CqlType.INT), property("id", CqlType.BIGINT),
            property("ratio", CqlType.FLOAT), property("price", CqlType.DOUBLE), property("flag", CqlType.BOOLEAN),
            new EventProperty("name", CqlType.CHAR, 300), property("atMs", CqlType.TIMESTAMP),
            property("atUs", CqlType.TIMESTAMP), property("atNs", CqlType.TIMESTAMP),
            property("atLocal", CqlType.TIMESTAMP), property("day", CqlType.TIMESTAMP),
            property("amount", CqlType.BIGDECIMAL), property("raw", CqlType.BYTE), property("fixed", CqlType.BYTE));
        read(type, "types");
        final long base = 1_700_000_000_123_000_000L;
        assertThat(receiver.rows()).hasSize(5);
        assertThat(receiver.rows().get(0)).containsExactly(-2, 1_000_000_000_000L, 0.0f, 0.0, false, null, base,
            base + 456_000, base + 456_789, -1000L, -86_400_000_000_000L, new BigDecimal("-0.03"),
            new byte[] {0, -1}, new byte[] {0, 1, 2});
        assertThat(receiver.rows().get(2)).hasSize(14).containsOnlyNulls();
        assertThat(receiver.rows().get(3)).containsExactly(1, 1_000_000_000_003L, 0.75f, 0.375, true, "Zo\u00eb",
            base + 3_000_000, base + 459_000, base + 456_792, 2000L, 2 * 86_400_000_000_000L,
            new BigDecimal("0.00"), new byte[] {3, -1}, new byte[] {3, 1, 2});
        assertThat(receiver.column(5).get(4)).isEqualTo("x".repeat(300));
    }

    @Test
    void shouldReadWiderTypesAndOlderForms() throws Exception
    {
        read(EventType.tuple("Wide", property("small", CqlType.BIGINT), property("ratio", CqlType.DOUBLE),
            property("raw", CqlType.BYTE)), "types");
        assertThat(receiver.column(0)).containsExactly(-2L, -1L, null, 1L, 2L);
        assertThat(receiver.column(1)).containsExactly(0.0, 0.25, null, 0.75, 1.0);
        source.close();
        receiver.rows.clear();
        Files.delete(files.resolve("file"));
        read(EventType.tuple("Older", property("old", CqlType.TIMESTAMP), property("d32", CqlType.BIGDECIMAL),
            property("d64", CqlType.BIGDECIMAL)), "older");
        assertThat(receiver.rows().get(4)).containsExactly(1_700_000_000_123_456_793L, new BigDecimal("0.01"),
            new BigDecimal("0.001"));
        assertThat(receiver.rows().get(2)).containsOnlyNulls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "zstd", "gzip", "lz4"})
    void shouldReadEachCompressionAndFindColumnsByName(final String compression) throws Exception
    {
        read(TestStage.TICK, "ticks-" + compression);
        assertThat(receiver.rows()).isEqualTo(ticks(100));
    }

    @Test
    void shouldReadPagesOfTheSecondVersionWithOtherEncodings() throws Exception
    {
        read(TestStage.TICK, "encodings");
        assertThat(receiver.rows()).isEqualTo(ticks(300));
    }

    @Test
    void shouldReadSelectedColumnsOnly() throws Exception
    {
        read(TestStage.TICK, bytes("text-price"), made -> made.setColumns("symbol, id"));
        assertThat(receiver.rows()).containsExactly(Arrays.asList(1L, "S", null));
    }

    private void refused(final EventType type, final String name, final String code, final String... words)
        throws Exception
    {
        read(type, name);
        assertThat(receiver.rows()).isEmpty();
        assertThat(source.rejections()).singleElement().asString().contains(code, "file=", "row=1").contains(words);
        assertThat(source.figures()).containsEntry("rejected", 1L);
    }

    @ParameterizedTest
    @CsvSource({"tags, BIGINT, nested", "place, BIGINT, nested", "words, CHAR, nested", "time, TIMESTAMP, INT64 TIME",
        "unsigned, INT, INT32 INTEGER", "id, INT, INT64", "price, FLOAT, DOUBLE", "name, BIGINT, BYTE_ARRAY STRING",
        "atMs, BIGINT, TIMESTAMP", "amount, DOUBLE, DECIMAL", "missing, INT, no such column"})
    void shouldRefuseAFileWhoseColumnsDoNotFit(final String column, final CqlType type, final String words)
        throws Exception
    {
        refused(EventType.tuple("Other", property(column, type)), "types", "FIL-0131", "column=" + column, words);
    }

    @Test
    void shouldReadMissingColumnsAsNullsIfToldTo() throws Exception
    {
        read(EventType.tuple("More", property("id", CqlType.BIGINT), property("later", CqlType.CHAR)),
            bytes("ticks-none"), made -> made.setMissing("null"));
        assertThat(receiver.rows()).hasSize(100);
        assertThat(receiver.rows().get(7)).containsExactly(7L, null);
    }

    @Test
    void shouldRefuseACompressionThatItCannotRead() throws Exception
    {
        refused(TestStage.TICK, "ticks-brotli", "FIL-0132", "compression=BROTLI", "SNAPPY");
    }

    @Test
    void shouldRejectARowWhoseStringIsTooLong() throws Exception
    {
        read(EventType.tuple("Short", new EventProperty("name", CqlType.CHAR, 100)), "types");
        assertThat(receiver.column(0)).containsExactly(null, "A", null, "Zo\u00eb");
        assertThat(source.rejections()).singleElement().asString().contains("FIL-0129", "row=5", "column=name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail", "separator", "charset", "skip"})
    void shouldRefusePropertiesOfLines(final String property)
    {
        assertThatThrownBy(() -> source(TestStage.TICK, made ->
        {
            made.setFile(files.resolve("any").toString());
            switch (property)
            {
                case "tail" -> made.setMode("tail");
                case "separator" -> made.setSeparator(";");
                case "charset" -> made.setCharset("ISO-8859-1");
                default -> made.setColumns("id, -");
            }
        })).hasMessageContaining("FIL-0101");
    }

    @Test
    void shouldSendEachRowOnceToAStageThatStoresNumbersWhenItIsKilled() throws Exception
    {
        put("a.parquet", bytes("pages"));
        put("b.parquet", bytes("ticks-zstd"));
        receiver.isStoring = true;
        for (final int kill : new int[] {1, 90, 1299, 1300, 1301, 2047, 2999, 3000, 3050})
        {
            receiver.killAfter = kill;
            source(TestStage.TICK, made -> made.setDirectory(files.toString())).start().join();
            assertThat(receiver.size()).isEqualTo(kill);
            source.close();
        }
        receiver.killAfter = Integer.MAX_VALUE;
        source(TestStage.TICK, made -> made.setDirectory(files.toString())).start().awaitRows(PAGES_ROWS + 100);
        final List<List<Object>> expected = ticks(PAGES_ROWS);
        expected.addAll(ticks(100));
        assertThat(receiver.rows()).isEqualTo(expected);
        // The number of a row is its position in the stream of files.
        assertThat(receiver.numbers).isEqualTo(LongStream.rangeClosed(1, PAGES_ROWS + 100).boxed().toList());
    }

    @Test
    void shouldContinueWithTheNextRowAfterSuspend() throws Exception
    {
        put("a.parquet", bytes("pages"));
        source(TestStage.TICK, made ->
        {
            made.setDirectory(files.toString());
            made.setTimeColumn("id");
            made.setTimeUnit("us");
            // A row each millisecond, so that most of them are not sent yet when the source is suspended.
            made.setSpeed("0.001");
        }).start().awaitRows(100);
        source.suspend();
        assertThat(receiver.size()).isLessThan(PAGES_ROWS);
        source.resume().awaitRows(PAGES_ROWS);
        assertThat(receiver.rows()).isEqualTo(ticks(PAGES_ROWS));
    }

    @Test
    void shouldReadAFileAgainThatWasReplacedByALongerOne() throws Exception
    {
        final Path file = put("a.parquet", bytes("ticks-none"));
        source(TestStage.TICK, made -> made.setDirectory(files.toString())).start().awaitRows(100);
        // The same number in the file system. Written at once, so that the source does not find a part of it.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(bytes("pages")));
        }
        source.awaitRows(100 + PAGES_ROWS);
        final List<List<Object>> expected = ticks(100);
        expected.addAll(ticks(PAGES_ROWS));
        assertThat(receiver.rows()).isEqualTo(expected);
    }

    /** Each damage ends with a rejection, and the next file is read. */
    @Test
    void shouldRejectDamagedFilesAndReadTheNextOnes() throws Exception
    {
        final byte[] whole = bytes("pages");
        put("a.parquet", Arrays.copyOf(whole, whole.length - 1));
        put("b.parquet", Arrays.copyOf(whole, 2000));
        put("c.parquet", new byte[0]);
        put("d.parquet", "PAR1 is not enough of it".getBytes());
        final byte[] length = whole.clone();
        ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).putInt(whole.length - 8, Integer.MAX_VALUE);
        put("e.parquet", length);
        final byte[] footer = whole.clone();
        Arrays.fill(footer, whole.length - 200, whole.length - 100, (byte)0x7F);
        put("f.parquet", footer);
        put("g.parquet", bytes("ticks-none"));
        source(TestStage.TICK, made -> made.setDirectory(files.toString())).start().awaitRows(100);
        source.await("all files", () -> source.figures().get("files").equals(7L));
        assertThat(receiver.rows()).isEqualTo(ticks(100));
        assertThat(source.rejections()).hasSize(6).allMatch(text -> text.contains("FIL-0130"));
        for (int i = 0; i < 6; i++)
        {
            assertThat(source.rejections().get(i)).contains((char)('a' + i) + ".parquet");
        }
        assertThat(source.stage.raised).isEmpty();
    }

    @Test
    void shouldKeepTheRowsBeforeADamagedPageAndRejectTheRest() throws Exception
    {
        final byte[] damaged = bytes("pages");
        // A byte in the middle of the first column, whose pages have checksums.
        damaged[6000] ^= 0x10;
        put("a.parquet", damaged);
        put("b.parquet", bytes("ticks-none"));
        source(TestStage.TICK, made ->
        {
            made.setDirectory(files.toString());
            made.setAfterRead("delete");
        }).start();
        source.await("the next file", () -> source.figures().get("files").equals(2L));
        final int before = receiver.size() - 100;
        assertThat(before).isBetween(100, 1300);
        assertThat(receiver.rows().subList(0, before)).isEqualTo(ticks(before));
        assertThat(receiver.rows().subList(before, before + 100)).isEqualTo(ticks(100));
        assertThat(source.rejections()).singleElement().asString()
            .contains("FIL-0130", "checksum", "column=price", "row=" + (before + 1));
        source.await("the deletion", () -> Files.notExists(files.resolve("b.parquet")));
        assertThat(files.resolve("a.parquet")).exists();
    }

    /** With any byte changed, the source delivers rows or rejects the file, and continues. */
    @ParameterizedTest
    @ValueSource(strings = {"encodings", "ticks-none", "ticks-snappy", "ticks-zstd", "ticks-gzip", "ticks-lz4",
        "older"})
    void shouldEndEachFileWithADamagedByte(final String name) throws Exception
    {
        final byte[] whole = bytes(name);
        final EventType type = name.equals("older") ? EventType.tuple("Older", property("old", CqlType.TIMESTAMP),
            property("d32", CqlType.BIGDECIMAL), property("d64", CqlType.BIGDECIMAL)) : TestStage.TICK;
        int count = 0;
        for (int at = 0; at < whole.length; at += 3)
        {
            final byte[] damaged = whole.clone();
            damaged[at] ^= (byte)(1 << at % 8);
            damaged[at] += (byte)(at % 5 == 0 ? 0x55 : 0);
            Files.write(files.resolve(String.format("%06d", count++)), damaged);
        }
        Files.write(files.resolve("last"), whole);
        source(type, made -> made.setDirectory(files.toString())).start();
        final long expected = count + 1;
        source.await("all files", () -> source.figures().get("files").equals(expected) ||
            !source.stage.raised.isEmpty());
        assertThat(source.stage.raised).isEmpty();
        assertThat(source.rejections()).hasSizeGreaterThan(count / 20);
        assertThat(source.figures()).containsEntry("lostFiles", 0L);
        assertThat(Map.copyOf(source.figures())).containsEntry("trouble", "");
    }
}
