package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A disk that has written any of the pages that changed since the last synchronization, as after a loss of power: no
 * record before the synchronization is missing, and none is wrong.
 */
@Tag("slow")
@Timeout(120)
class PowerLossTest
{
    private static final int PAGE_BYTES = 4096;
    private static final int MAX_BYTES = 3 * PAGE_BYTES;

    @TempDir
    private Path directory;

    static Stream<Long> seeds()
    {
        final Long given = Long.getLong("seed");
        return given == null ? new Random(20_261_129).longs(10).boxed() : Stream.of(given);
    }

    private Journal open(final Path at, final SyncMode sync)
    {
        return Journals.open(JournalSettings.of(at, "power").withSync(sync, 1).withSpace(1 << 18, 1L << 30, 0),
            System::currentTimeMillis);
    }

    private static byte[] record(final int number, final int length)
    {
        final byte[] bytes = new byte[Integer.BYTES + length];
        new Random(number).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(number);
        return bytes;
    }

    private static Map<Path, byte[]> files(final Path of) throws IOException
    {
        final Map<Path, byte[]> all = new HashMap<>();
        try (Stream<Path> paths = Files.list(of))
        {
            for (final Path path : paths.filter(Files::isRegularFile).toList())
            {
                all.put(path.getFileName(), Files.readAllBytes(path));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKeepEveryRecordThatWasOnTheDisk(final long seed) throws Exception
    {
        final Random random = new Random(seed);
        final Path written = directory.resolve("written");
        int appended = 0;
        final int synced;
        final Map<Path, byte[]> onDisk;
        final Map<Path, byte[]> inMemory;
        try (Journal journal = open(written, SyncMode.NONE))
        {
            appended = append(journal, appended, random.nextInt(60), random);
            journal.sync();
            synced = appended;
            onDisk = files(written);
            appended = append(journal, appended, 1 + random.nextInt(60), random);
            inMemory = files(written);
        }
        final Path crashed = Files.createDirectories(directory.resolve("crashed"));
        for (final Map.Entry<Path, byte[]> file : inMemory.entrySet())
        {
            write(crashed.resolve(file.getKey()), onDisk.get(file.getKey()), file.getValue(), random);
        }
        assertThat(readable(crashed)).as("seed=%d synced=%d appended=%d", seed, synced, appended)
            .isBetween(synced, appended);
    }

    private static int append(final Journal journal, final int from, final int count, final Random random)
    {
        for (int i = from; i < from + count; i++)
        {
            final byte[] bytes = record(i, random.nextInt(MAX_BYTES));
            journal.append(bytes, 0, bytes.length);
        }
        return from + count;
    }

    /** Writes each page as it was on the disk, or as it was in memory; {@code old} is null for a new file. */
    private static void write(final Path to, final byte[] old, final byte[] now, final Random random) throws IOException
    {
        if (old == null && random.nextBoolean())
        {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw"))
        {
            file.setLength(random.nextBoolean() || old == null ? now.length : old.length);
            for (int at = 0; at < now.length && at < file.length(); at += PAGE_BYTES)
            {
                final byte[] from = random.nextBoolean() ? now : old;
                if (from != null && at < from.length)
                {
                    file.seek(at);
                    file.write(from, at, Math.min(PAGE_BYTES, from.length - at));
                }
            }
        }
    }

    /** The number of records, after a repair if it is necessary; checks that each is the one that was appended. */
    private int readable(final Path crashed)
    {
        Journal journal;
        try
        {
            journal = open(crashed, SyncMode.NONE);
        }
        catch (final JournalException damaged)
        {
            assertThat(damaged.code()).isEqualTo(JournalErrorCode.DAMAGED);
            JournalRepair.run(crashed, 1);
            journal = open(crashed, SyncMode.NONE);
        }
        try (Journal opened = journal; JournalReader reader = opened.openReader())
        {
            int count = 0;
            while (reader.next())
            {
                final byte[] bytes = reader.bytes();
                assertThat(ByteBuffer.wrap(bytes).getInt()).isEqualTo(count);
                assertThat(bytes).startsWith(record(count, reader.length() - Integer.BYTES));
                count++;
            }
            return count;
        }
    }
}
