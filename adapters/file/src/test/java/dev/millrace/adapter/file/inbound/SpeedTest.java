package dev.millrace.adapter.file.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.file.TestStage;
import dev.millrace.adapter.file.inbound.FileSource.Format;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Prints the rows per second of processor time and of wall time of one thread; {@code -Drows=4000000} for the figures
 * of INBOUND.md. {@code -Dparquet=} names a file with the same rows.
 */
@Tag("slow")
@Timeout(300)
class SpeedTest
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROWS = Integer.getInteger("rows", 200_000);
    private static final int SMALL_ROWS = 3000;
    private static final int ROUNDS = Integer.getInteger("rounds", 3);

    @TempDir
    private Path directory;

    /** Counts rows, and adds up a column so that it must be read. */
    private static final class Counter implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(TestStage.TICK);
        private long rows;
        private long sum;

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public void send(final EventBatch batch)
        {
            rows += batch.size();
            for (int row = 0; row < batch.size(); row++)
            {
                sum += batch.longs(0)[row];
            }
        }

        @Override
        public void reject(final int count, final String reason, final String detail)
        {
            throw new AssertionError(detail);
        }

        @Override
        public EventBatchSender another()
        {
            return this;
        }
    }

    @ParameterizedTest
    @EnumSource(value = Format.class, names = {"CSV", "JSON"})
    void shouldReadDistinctRowsOfThreeColumns(final Format format) throws Exception
    {
        final Path file = directory.resolve("rows");
        write(file, format);
        read(file, format, ROWS);
    }

    /** The given file, or a small one; both were written by another implementation. */
    @Test
    void shouldReadColumnsOfParquet() throws Exception
    {
        final String given = System.getProperty("parquet");
        final Path small = Path.of(SpeedTest.class.getResource("/parquet/pages.parquet").toURI());
        read(given == null ? small : Path.of(given), Format.PARQUET, given == null ? SMALL_ROWS : ROWS);
    }

    private void read(final Path file, final Format format, final long rows) throws Exception
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            final Counter counter = new Counter();
            final FileSource source = new FileSource(format);
            source.setStageContext(new TestStage(TestStage.TICK));
            source.setFile(file.toString());
            source.setPositionFile(directory.resolve("positions").toString());
            source.setBatchSender(counter);
            source.afterPropertiesSet();
            source.afterConfigurationActive();
            // Processor time, because tests share the machine with others.
            final long beginNs = THREADS.getCurrentThreadCpuTime();
            final long wallBeginNs = System.nanoTime();
            source.run();
            final long wallNs = System.nanoTime() - wallBeginNs;
            final long durationNs = THREADS.getCurrentThreadCpuTime() - beginNs;
            source.destroy();
            System.out.println(format + ": rows=" + rows + " bytes/row=" + Files.size(file) / rows + " rows/s=" +
                rows * TimeUnit.SECONDS.toNanos(1) / durationNs + " rows/s of wall time=" +
                rows * TimeUnit.SECONDS.toNanos(1) / wallNs);
            assertThat(counter.rows).isEqualTo(rows);
            assertThat(counter.sum).isEqualTo((rows - 1) * rows / 2);
        }
    }

    private static void write(final Path file, final Format format) throws IOException
    {
        try (BufferedWriter out = Files.newBufferedWriter(file))
        {
            out.write(format == Format.CSV ? "id,symbol,price\n" : "");
            for (int id = 0; id < ROWS; id++)
            {
                out.write(format == Format.CSV ? id + ",S" + id % 9_973 + ',' + id / 4.0 + '\n' :
                    "{\"id\":" + id + ",\"symbol\":\"S" + id % 9_973 + "\",\"price\":" + id / 4.0 + "}\n");
            }
        }
    }
}
