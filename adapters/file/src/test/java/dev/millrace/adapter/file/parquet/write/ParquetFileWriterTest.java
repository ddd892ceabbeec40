package dev.millrace.adapter.file.parquet.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.parquet.ParquetContents;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory of row groups. */
@Timeout(60)
class ParquetFileWriterTest
{
    private static final long GROUP_BYTES = 1 << 20;
    private static final int BATCHES = 600;
    private static final int ROWS = 256;

    @TempDir
    private Path directory;

    @Test
    void shouldKeepOneRowGroupOfTheGivenSizeInMemory() throws Exception
    {
        final String columns = ParquetColumn.text(List.of(ParquetColumn.of("id", CqlType.BIGINT, 0),
            ParquetColumn.of("symbol", CqlType.CHAR, 0), ParquetColumn.of("price", CqlType.DOUBLE, 0)));
        final RowLogEncoder encoder = new RowLogEncoder(false, false, 0);
        final int[] all = IntStream.range(0, ROWS).toArray();
        // Strings that cannot be compressed to a fraction.
        final Random random = new Random(7);
        final Path file = directory.resolve("file");
        try (ParquetFileWriter writer =
            new ParquetFileWriter(file, ParquetColumn.parse(columns), PageCompression.SNAPPY, GROUP_BYTES))
        {
            for (int i = 0; i < BATCHES; i++)
            {
                final EventBatch batch = TestStage.ticks((long)i * ROWS, ROWS);
                for (int row = 0; row < ROWS; row++)
                {
                    batch.texts(1).set(row, Long.toString(random.nextLong(), Character.MAX_RADIX));
                }
                final ByteBuffer record = encoder.encode(batch, new int[] {0, 1, 2}, all, ROWS);
                writer.write(record.position(RowLogEncoder.HEAD_BYTES));
            }
            writer.end();
            assertThat(writer.peakBytes()).isBetween(GROUP_BYTES, GROUP_BYTES * 5 / 4);
        }
        final FileMetaData metadata = ParquetContents.metadata(file);
        assertThat(metadata.getRow_groups()).hasSizeGreaterThan(3)
            .allMatch(group -> group.getColumns().stream().mapToLong(column ->
                column.getMeta_data().getTotal_compressed_size()).sum() < GROUP_BYTES);
        assertThat(metadata.getRow_groups().stream().mapToLong(RowGroup::getNum_rows).sum())
            .isEqualTo((long)BATCHES * ROWS);
        final List<List<Object>> rows = ParquetContents.rows(file, TestStage.TICK);
        assertThat(IntStream.range(0, rows.size())).hasSize(BATCHES * ROWS)
            .allMatch(id -> rows.get(id).get(0).equals((long)id) && rows.get(id).get(2).equals(id / 4.0));
    }
}
