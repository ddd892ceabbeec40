package dev.millrace.adapter.file.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.file.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory for pages. */
@Timeout(60)
class ParquetRowsTest
{
    private static final int VALUE_BYTES = 1 << 16;

    @TempDir
    private Path directory;

    /** Reads all rows of a file; returns how many it has. */
    private int read(final EventType type, final byte[] bytes, final long maxMemoryBytes) throws IOException
    {
        final Path file = Files.write(directory.resolve("file"), bytes);
        final EventBatch batch = new EventBatch(new BatchSchema(type));
        final int[] columns = IntStream.range(0, type.properties().size()).toArray();
        int count = 0;
        try (FileChannel channel = FileChannel.open(file))
        {
            final ParquetRows rows =
                new ParquetRows(channel, batch, new RowWriter(batch, columns), columns, false, maxMemoryBytes);
            rows.open(bytes.length);
            for (int loaded = rows.load(); loaded > 0; loaded = rows.load())
            {
                for (int i = 0; i < loaded; i++)
                {
                    assertThat(rows.put(i, i)).isNull();
                }
                count += loaded;
            }
        }
        return count;
    }

    private static void refused(final ThrowingCallable reading)
    {
        assertThatThrownBy(reading).isInstanceOfSatisfying(RefusedFileException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.UNSUPPORTED_FILE)).hasMessageContaining("-Xmx");
    }

    /** The pages of a row group need about 50,000 bytes, those at a time half of it. */
    @Test
    void shouldNeedMemoryForOnePageOfEachColumnAtATime() throws Exception
    {
        try (InputStream in = ParquetRowsTest.class.getResourceAsStream("/parquet/pages.parquet"))
        {
            final byte[] bytes = in.readAllBytes();
            assertThat(read(TestStage.TICK, bytes, 35_000)).isEqualTo(3000);
            refused(() -> read(TestStage.TICK, bytes, 1_000));
        }
    }

    @Test
    void shouldCountTheCopiesOfOneLongValue() throws Exception
    {
        final byte[] value = ByteBuffer.allocate(Integer.BYTES + VALUE_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN).putInt(VALUE_BYTES).array();
        // A run of 256 indexes that are 0.
        final byte[] file = new ColumnFile(Type.BYTE_ARRAY, false).dictionary(1, value.length, value)
            .page(256, Encoding.RLE_DICTIONARY, ColumnFile.join(new byte[] {1}, ColumnFile.number(256 << 1),
                new byte[1])).groups(256).bytes();
        final EventType type = EventType.tuple("Raw", new EventProperty("v", CqlType.BYTE));
        assertThat(read(type, file, 300L * VALUE_BYTES)).isEqualTo(256);
        refused(() -> read(type, file, 100L * VALUE_BYTES));
    }
}
