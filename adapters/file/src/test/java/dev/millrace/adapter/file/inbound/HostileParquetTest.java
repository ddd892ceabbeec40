package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.file.inbound.FileSource.Format;
import dev.millrace.adapter.file.inbound.input.InputFile;
import dev.millrace.adapter.file.parquet.ColumnFile;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Small files whose numbers ask for much memory, an endless loop or deep recursion: each ends with a rejection. */
@Timeout(60)
class HostileParquetTest
{
    private static final String DAMAGED = "FIL-0130";
    private static final String NOT_SUPPORTED = "FIL-0132";
    /** So many numbers of 8 bytes do not fit into the heap of a test. */
    private static final int MANY = 0x7FFF_FF00;

    @TempDir
    private Path directory;

    private void rejected(final CqlType type, final byte[] bytes, final String code, final String words)
        throws Exception
    {
        final Path file = Files.write(directory.resolve("file"), bytes);
        final RunningSource.Receiver receiver = new RunningSource.Receiver();
        try (RunningSource source = new RunningSource(Format.PARQUET,
            EventType.tuple("Hostile", new EventProperty("v", type)), receiver, made ->
            {
                made.setPositionFile(directory.resolve("positions").toString());
                made.setFile(file.toString());
            }))
        {
            source.start().join();
            assertThat(source.stage.raised).isEmpty();
            assertThat(source.rejections).singleElement().asString().contains(code, words);
            assertThat(source.figures()).containsEntry("finished", true).containsEntry("lostFiles", 0L);
            assertThat(receiver.rows()).isEmpty();
        }
    }

    private static byte[] longs(final long... values)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(values).forEach(bytes::putLong);
        return bytes.array();
    }

    /** A run of 2^31 - 8 packed values of one bit. */
    private static byte[] packedRun()
    {
        return ColumnFile.number((1 << 28) - 1 << 1 | 1);
    }

    @Test
    void shouldRejectARunOfMoreIndexesThanThePageHas() throws Exception
    {
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, false).dictionary(1, Long.BYTES, longs(7))
            .page(10, Encoding.RLE_DICTIONARY, ColumnFile.join(new byte[] {1}, packedRun(), new byte[8]))
            .groups(10).bytes(), DAMAGED, "a number in a page is wrong, column=v");
    }

    @Test
    void shouldRejectARunOfMoreLevelsThanThePageHas() throws Exception
    {
        final byte[] levels = ColumnFile.join(packedRun(), new byte[8]);
        final byte[] length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(levels.length).array();
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, true)
            .page(10, Encoding.PLAIN, ColumnFile.join(length, levels, longs(7))).groups(10).bytes(), DAMAGED,
            "a number in a page is wrong, column=v");
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, true)
            .levels(10, levels.length, ColumnFile.join(levels, longs(7))).groups(10).bytes(), DAMAGED,
            "a number in a page is wrong, column=v");
    }

    @Test
    void shouldRejectLevelsThatEndWithinANumber() throws Exception
    {
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, true)
            .levels(10, 1, ColumnFile.join(new byte[] {(byte)0x80}, longs(7))).groups(10).bytes(), DAMAGED,
            "column=v");
    }

    @Test
    void shouldRejectAnIndexThatTheDictionaryDoesNotHave() throws Exception
    {
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, false).dictionary(1, Long.BYTES, longs(7))
            .page(10, Encoding.RLE_DICTIONARY, (byte)8, (byte)20, (byte)200).groups(10).bytes(), DAMAGED, "column=v");
    }

    @Test
    void shouldRejectMoreNumbersThanFitIntoMemory() throws Exception
    {
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, false)
            .page(MANY, Encoding.DELTA_BINARY_PACKED, ColumnFile.beginning(MANY)).groups(MANY).bytes(), NOT_SUPPORTED,
            "need too much memory, column=v");
    }

    @Test
    void shouldRejectStringsWithWrongLengths() throws Exception
    {
        final byte[] letters = {'a', 'b'};
        rejected(CqlType.CHAR, new ColumnFile(Type.BYTE_ARRAY, false).page(2, Encoding.DELTA_BYTE_ARRAY,
            ColumnFile.join(ColumnFile.delta(0, Integer.MAX_VALUE - 1), ColumnFile.delta(1, 1), letters)).groups(2)
            .bytes(), DAMAGED, "prefix=2147483646 length=1");
        rejected(CqlType.CHAR, new ColumnFile(Type.BYTE_ARRAY, false).page(2, Encoding.DELTA_LENGTH_BYTE_ARRAY,
            ColumnFile.join(ColumnFile.delta(1, -1), letters)).groups(2).bytes(), DAMAGED, "prefix=0 length=-1");
        rejected(CqlType.CHAR, new ColumnFile(Type.BYTE_ARRAY, false).page(2, Encoding.DELTA_BYTE_ARRAY,
            ColumnFile.join(ColumnFile.delta(0, 0), ColumnFile.beginning(MANY))).groups(2).bytes(), DAMAGED,
            "values=" + MANY);
    }

    @Test
    void shouldRejectALargeDictionaryBeforeItIsDecompressed() throws Exception
    {
        rejected(CqlType.CHAR, new ColumnFile(Type.BYTE_ARRAY, false).compressed().dictionary(200_000_000, 200_000_000)
            .page(10, Encoding.RLE_DICTIONARY, (byte)0).groups(10).bytes(), NOT_SUPPORTED, "increase -Xmx");
    }

    @Test
    void shouldRejectAFooterOfDeepOrEndlessStructures() throws Exception
    {
        final ColumnFile file = new ColumnFile(Type.INT64, false).page(1, Encoding.PLAIN, longs(7)).groups(1);
        final ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(file.metadata(), footer);
        final byte[] deep = Arrays.copyOf(footer.toByteArray(), 1 << 20);
        // Each byte begins a structure in an unknown field.
        Arrays.fill(deep, footer.size() - 1, deep.length, (byte)0xFC);
        rejected(CqlType.BIGINT, file.bytes(deep), DAMAGED, "its footer cannot be read");
        // The second field is the schema: a list of 100,000,000 structures.
        rejected(CqlType.BIGINT, file.bytes(ColumnFile.join(new byte[] {0x15, 2, 0x19, (byte)0xFC},
            ColumnFile.number(100_000_000), new byte[100])), DAMAGED, "Length exceeded");
    }

    @Test
    void shouldRejectNumbersOfRowsWhoseSumIsNegative() throws Exception
    {
        rejected(CqlType.BIGINT, new ColumnFile(Type.INT64, false).page(1, Encoding.PLAIN, longs(7))
            .groups(Long.MAX_VALUE, Long.MAX_VALUE).bytes(), DAMAGED, "the number of rows of a row group is wrong");
    }

    /** Otherwise its complete size would be stored for the part that was read, and the rest would never be read. */
    @Test
    void shouldKeepTheSizeOfAFileThatIsNotCompleteWhenItIsOpened() throws Exception
    {
        final Path file = Files.write(directory.resolve("file"), new byte[100]);
        try (InputFile input = InputFile.open(file))
        {
            Files.write(file, new byte[50], StandardOpenOption.APPEND);
            assertThat(input.sizeBytes()).isEqualTo(100);
            assertThat(input.readBytes()).isEqualTo(100);
        }
    }

    @Test
    void shouldRejectDecimalsWithAnUnusualScale() throws Exception
    {
        final ColumnFile file = new ColumnFile(Type.INT64, false).page(1, Encoding.PLAIN, longs(7)).groups(1);
        file.column().setConverted_type(ConvertedType.DECIMAL).setPrecision(18).setScale(Integer.MIN_VALUE);
        rejected(CqlType.BIGDECIMAL, file.bytes(), "FIL-0131", "column=v");
    }

    @Test
    void shouldRejectATimeAfterTheLastOne() throws Exception
    {
        final long lastDay = TimeUnit.NANOSECONDS.toDays(Long.MAX_VALUE);
        final byte[] time = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(TimeUnit.DAYS.toNanos(1) - 1).putInt((int)(2_440_588 + lastDay)).array();
        rejected(CqlType.TIMESTAMP, new ColumnFile(Type.INT96, false).page(1, Encoding.PLAIN, time).groups(1).bytes(),
            "FIL-0121", "column=v");
    }
}
