package dev.millrace.adapter.file.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.parquet.ParquetContents;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the rows per second of wall time of CSV and Parquet in turn, until the files are complete;
 * {@code -Drows=1000000 -Drounds=5} for the figures of README.md.
 */
@Tag("slow")
@Timeout(300)
class SinkSpeedTest
{
    private static final int ROWS = Integer.getInteger("rows", 200_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 3);
    private static final int SYMBOLS = 9_973;

    @TempDir
    private Path directory;

    @Test
    void shouldWriteDistinctRowsOfThreeColumns() throws Exception
    {
        final long[] lines = new long[ROUNDS];
        final long[] columns = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++)
        {
            final Path csv = directory.resolve(round + ".csv");
            lines[round] = write(new FileSink(new CsvFormat()), csv);
            final long count;
            try (var all = Files.lines(csv))
            {
                count = all.count();
            }
            assertThat(count).isEqualTo(ROWS + 1);
            columns[round] = write(new ParquetSink(), directory.resolve(round + ".parquet"));
            final Path file = directory.resolve(round + "-000001.parquet");
            assertThat(ParquetContents.metadata(file).getNum_rows()).isEqualTo(ROWS);
            System.out.println("rows/s: CSV=" + lines[round] + " Parquet=" + columns[round] + " bytes/row: CSV=" +
                (double)Files.size(csv) / ROWS + " Parquet=" + (double)Files.size(file) / ROWS);
        }
        System.out.println("median: CSV=" + median(lines) + " Parquet=" + median(columns));
    }

    private static long median(final long... values)
    {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static long write(final AppendingSink sink, final Path file) throws Exception
    {
        sink.setStageContext(new TestStage(TestStage.TICK));
        sink.setFile(file.toString());
        sink.setEventTypeName("Tick");
        sink.setExactlyOnce(true);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        final EventBatch batch = new EventBatch(new BatchSchema(TestStage.TICK));
        final long beginNs = System.nanoTime();
        for (int first = 0; first < ROWS; first += EventBatch.CAPACITY)
        {
            batch.clear();
            final int count = Math.min(EventBatch.CAPACITY, ROWS - first);
            for (int row = 0; row < count; row++)
            {
                batch.longs(0)[row] = first + row;
                batch.texts(1).set(row, "S" + (first + row) % SYMBOLS);
                batch.doubles(2)[row] = (first + row) / 4.0;
            }
            batch.size(count);
            sink.onBatch(TestStage.numbered(batch, "speed", 1 + first));
        }
        sink.destroy();
        return ROWS * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - beginNs);
    }
}
