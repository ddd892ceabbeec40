package dev.millrace.adapter.jdbc.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.jdbc.TestSink;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Waiting rows in files that can no longer be read or written: all other rows are written. */
@Timeout(60)
class RowBufferTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.INT);
    private static final int ROWS = 100;
    /** The limit allows four files of little more than a block each; a block of 100 rows has 600 bytes. */
    private static final long SMALL_FILES = 4 * 1_000;
    private static final long LARGE_FILE = 4 * 1_000_000;
    private static final int MANY_ROWS = 1_000_000;

    @TempDir
    private Path directory;

    private final SinkCounters counters = new SinkCounters();
    private final EventBatch batch = new EventBatch(new BatchSchema(EVENT));
    private RowLayout layout;
    private RowBuffer buffer;

    /**
     * Stores blocks with the rows 0 to 99, 100 to 199 and so on in files, and opens the files as the next start does.
     */
    private void open(final int blocks, final long maxBytes) throws Exception
    {
        layout = RowLayout.of(EVENT, List.of());
        try (Spill spill = new Spill(directory, maxBytes))
        {
            spill.restore();
            for (int i = 0; i < blocks; i++)
            {
                fill(i * ROWS);
                final RowBlock block = new RowBlock(layout);
                block.add(batch, new int[] {0}, 0, ROWS);
                block.operations(0, ROWS, RowOperation.INSERT);
                spill.append(block);
            }
        }
        final Spill spill = new Spill(directory, maxBytes);
        spill.restore();
        assertThat(spill.rows()).isEqualTo((long)blocks * ROWS);
        buffer = new RowBuffer(new SinkSettings("app/out", "events", SinkMode.INSERT_ROWS, List.of(), List.of(), null,
            MANY_ROWS, 0, MANY_ROWS, OverflowPolicy.SPILL, directory, maxBytes, 1, 1, 1, 1, null), counters, spill,
            layout);
    }

    private void fill(final int first)
    {
        batch.clear();
        for (int i = 0; i < ROWS; i++)
        {
            batch.ints(0)[i] = first + i;
        }
        batch.size(ROWS);
    }

    private Path file(final int index) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.sorted().toList().get(index);
        }
    }

    private void cut(final Path file, final int lessBytes) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.truncate(channel.size() - lessBytes);
        }
    }

    /**
     * Takes rows and marks them as done.
     *
     * @return the first number of each block that has rows
     */
    private List<Integer> take() throws InterruptedException
    {
        final List<RowBlock> taken = buffer.take();
        final List<Integer> first = new ArrayList<>();
        for (final RowBlock block : taken)
        {
            if (block.size() > 0)
            {
                assertThat(block.size()).isEqualTo(ROWS);
                first.add(((int[])block.array(0))[0]);
            }
        }
        buffer.done(taken);
        return first;
    }

    /** Other users have no access, regardless of the umask of this build. */
    @Test
    void shouldLetOnlyTheOwnerReadFilesWithRows() throws Exception
    {
        directory = directory.resolve("made/rows");

        open(1, LARGE_FILE);

        assertThat(mode(file(0))).isEqualTo("rw-------");
        assertThat(mode(directory)).isEqualTo("rwx------");
        assertThat(mode(directory.getParent())).isEqualTo("rwx------");
    }

    private static String mode(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldGoOnWithTheNextFileWhenTheFirstWasCutShort() throws Exception
    {
        open(3, SMALL_FILES);
        cut(file(0), 1);

        assertThat(take()).containsExactly(100, 200);
        assertThat(counters.lost).hasValue(ROWS);
        assertThat(buffer.waiting()).isZero();
        assertThat(file(0).toString()).endsWith(".damaged");
    }

    @Test
    void shouldSetTheFileAsideThatWasCutShortAndNotOneBeforeIt() throws Exception
    {
        open(3, SMALL_FILES);
        cut(file(1), 1);

        assertThat(take()).containsExactly(0);
        assertThat(take()).containsExactly(200);
        assertThat(counters.lost).hasValue(ROWS);
        assertThat(buffer.waiting()).isZero();
    }

    @Test
    void shouldWaitForRowsWhenAllFilesAreDamaged() throws Exception
    {
        open(1, SMALL_FILES);
        cut(file(0), 1);
        final Thread sender = new Thread(() ->
        {
            // No row waits after the unreadable rows have been counted.
            while (counters.lost.get() == 0)
            {
                Thread.onSpinWait();
            }
            fill(500);
            try
            {
                buffer.add(batch);
            }
            catch (final Exception e)
            {
                throw new IllegalStateException(e);
            }
        });
        sender.start();

        assertThat(take()).containsExactly(500);
        sender.join();
        assertThat(counters.lost).hasValue(ROWS);
    }

    @Test
    void shouldKeepRowsBeforeThoseThatWereChangedOnDiskAndCountTheOthersOnce() throws Exception
    {
        open(4, LARGE_FILE);
        try (FileChannel channel = FileChannel.open(file(0), StandardOpenOption.WRITE))
        {
            // Within the second of four equally large blocks.
            channel.write(ByteBuffer.wrap(new byte[] {77}), channel.size() * 3 / 8);
        }
        assertThat(take()).containsExactly(0);
        assertThat(counters.lost).hasValue(3 * ROWS);
        assertThat(buffer.waiting()).isZero();
        assertThat(file(0).toString()).endsWith(".damaged");
    }

    @Test
    void shouldBeDoneWithAllBlocksWhenThatCannotBeNotedInTheFile() throws Exception
    {
        open(4, LARGE_FILE);
        final List<RowBlock> taken = buffer.take();
        assertThat(taken).hasSize(4);
        // A write to a file channel by an interrupted thread closes the file.
        Thread.currentThread().interrupt();
        buffer.done(taken);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(buffer.waiting()).isZero();
        assertThat(directory).isEmptyDirectory();
    }
}
