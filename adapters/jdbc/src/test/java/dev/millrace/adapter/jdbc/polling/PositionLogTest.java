package dev.millrace.adapter.jdbc.polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Positions in files. Row n has position 10 n and tie -n. */
@Timeout(60)
class PositionLogTest
{
    private static final int BATCH = 256;

    @TempDir
    private Path directory;

    private static void append(final PositionLog log, final long from, final long to) throws IOException
    {
        for (long first = from; first <= to; first += BATCH)
        {
            final long last = Math.min(to, first + BATCH - 1);
            log.append(LongStream.rangeClosed(first, last).map(n -> n * 10).toArray(),
                LongStream.rangeClosed(first, last).map(n -> -n).toArray(), 0, (int)(last - first + 1));
        }
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter(each -> each.toString().endsWith(".positions")).sorted().toList();
        }
    }

    private static void check(final PositionLog log, final long number) throws IOException
    {
        assertThat(log.position(number)).isEqualTo(number * 10);
        assertThat(log.tie(number)).isEqualTo(-number);
    }

    @Test
    void shouldKnowPositionsAfterItWasOpenedAgain() throws Exception
    {
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.isEmpty()).isTrue();
            log.begin("a table", "end", 0, 0);
            append(log, 1, 1_000);
            check(log, 1_000);
            append(log, 1_001, 1_001);
            check(log, 1_001);
        }
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.description()).isEqualTo("a table");
            assertThat(log.startAt()).isEqualTo("end");
            assertThat(log.first()).isEqualTo(1);
            assertThat(log.last()).isEqualTo(1_001);
            for (long number = 0; number <= 1_001; number++)
            {
                check(log, number);
            }
        }
    }

    @Test
    void shouldDeleteFilesWhoseRowsAreStoredExceptTheLastTwo() throws Exception
    {
        final long size = PositionSegment.CAPACITY;
        try (PositionLog log = PositionLog.open(directory))
        {
            log.begin("a table", "end", 0, 0);
            append(log, 1, 3 * size + 5);
            assertThat(files()).hasSize(4);
            log.release(size - 1);
            assertThat(log.first()).isEqualTo(1);
            log.release(size);
            assertThat(log.first()).isEqualTo(size + 1);
            log.release(3 * size + 5);
            assertThat(files()).hasSize(2);
        }
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.first()).isEqualTo(2 * size + 1);
            assertThat(log.last()).isEqualTo(3 * size + 5);
            for (final long number : new long[] {2 * size, 2 * size + 1, 3 * size, 3 * size + 1, 3 * size + 5})
            {
                check(log, number);
            }
        }
    }

    @Test
    void shouldDropEntriesThatTheDiskHasNotReceivedWhenTheMachineStopped() throws Exception
    {
        try (PositionLog log = PositionLog.open(directory))
        {
            log.begin("a table", "end", 0, 0);
            append(log, 1, 100);
        }
        final Path file = files().get(0);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            // Zeros instead of two entries, then half of an entry.
            channel.write(ByteBuffer.allocate(32), channel.size() - 32);
            channel.write(ByteBuffer.allocate(7), channel.size());
        }
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.last()).isEqualTo(98);
            append(log, 99, 101);
        }
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.last()).isEqualTo(101);
            check(log, 99);
        }
    }

    @Test
    void shouldIgnoreANewestFileWithoutHeaderButNotAnEarlierOne() throws Exception
    {
        try (PositionLog log = PositionLog.open(directory))
        {
            log.begin("a table", "end", 0, 0);
            append(log, 1, PositionSegment.CAPACITY + 1L);
        }
        final List<Path> files = files();
        Files.write(files.get(1), new byte[] {1, 2, 3});
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.last()).isEqualTo(PositionSegment.CAPACITY);
            append(log, PositionSegment.CAPACITY + 1L, PositionSegment.CAPACITY + 2L);
        }
        Files.write(files.get(0), new byte[100]);
        assertThatThrownBy(() -> PositionLog.open(directory)).hasMessageContaining(files.get(0).toString())
            .hasMessageContaining("not a file of positions");
    }

    @Test
    void shouldBelongToOneUserAtATime() throws Exception
    {
        try (PositionLog log = PositionLog.open(directory))
        {
            assertThat(log.isEmpty()).isTrue();
            assertThatThrownBy(() -> PositionLog.open(directory)).hasMessageContaining("another source");
        }
        PositionLog.open(directory).close();
    }
}
