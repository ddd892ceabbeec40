package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JournalTest
{
    private static final long TIME_MS = 1_780_000_000_000L;

    @TempDir
    private Path directory;
    private final AtomicLong timeMs = new AtomicLong(TIME_MS);

    private JournalSettings settings()
    {
        return JournalSettings.of(directory.resolve("journal"), "orders").withSpace(1 << 20, 1L << 30, 1 << 20);
    }

    private Journal open()
    {
        return Journals.open(settings(), timeMs::get);
    }

    private static long append(final Journal journal, final String text)
    {
        final byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return journal.append(bytes, 1, bytes.length - 2);
    }

    private static List<String> read(final JournalReader reader)
    {
        final List<String> all = new ArrayList<>();
        while (reader.next())
        {
            all.add(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8));
        }
        return all;
    }

    private List<String> readAll()
    {
        try (JournalReader reader = Journals.openReader(settings().directory()))
        {
            reader.moveAfter(Journal.NONE);
            return read(reader);
        }
    }

    /** It may have been killed before it wrote them to the disk. */
    @Test
    void shouldWriteRecordsOfAnEarlierProcessToTheDiskWhenItIsOpened()
    {
        final JournalSettings settings = JournalSettings.of(directory, "test").withSpace(1 << 20, 1L << 34, 0);
        final byte[] record = new byte[10];
        final long last;
        try (Journal journal = Journals.open(settings.withSync(SyncMode.NONE, 1), System::currentTimeMillis))
        {
            last = journal.append(record, 0, record.length);
            assertThat(journal.syncedPosition()).isLessThan(last);
        }
        try (Journal journal = Journals.open(settings.withSync(SyncMode.NONE, 1), System::currentTimeMillis))
        {
            assertThat(journal.syncedPosition()).isLessThan(last);
            assertThat(journal.sync()).isEqualTo(last);
        }
        for (final SyncMode mode : List.of(SyncMode.BATCH, SyncMode.INTERVAL))
        {
            try (Journal journal = Journals.open(settings.withSync(mode, Long.MAX_VALUE), System::currentTimeMillis))
            {
                assertThat(journal.syncedPosition()).isEqualTo(last);
            }
        }
    }

    @Test
    void shouldReadWhatWasAppendedInOrder()
    {
        try (Journal journal = open(); JournalReader reader = journal.openReader())
        {
            final long first = append(journal, "a");
            final long second = append(journal, "");
            assertThat(first).isPositive();
            assertThat(second).isGreaterThan(first);
            assertThat(reader.next()).isTrue();
            assertThat(reader.position()).isEqualTo(first);
            assertThat(read(reader)).containsExactly("");
            assertThat(reader.position()).isEqualTo(second);
            append(journal, "c");
            assertThat(read(reader)).containsExactly("c");
        }
    }

    /** Space is reserved and pages are touched by another thread when a file grows fast. */
    @Test
    void shouldKeepAllRecordsWhilePagesArePreparedAhead()
    {
        final byte[] record = new byte[10_007];
        final int count = 8_000;
        final JournalSettings large = settings().withSpace(60L << 20, 1L << 30, 1 << 20);
        try (Journal journal = Journals.open(large, timeMs::get))
        {
            for (int i = 0; i < count; i++)
            {
                Arrays.fill(record, (byte)i);
                journal.append(record, 0, record.length);
            }
            assertThat(threads("journal-pages-orders")).hasSize(1);
        }
        try (JournalReader reader = Journals.openReader(large.directory()))
        {
            reader.moveAfter(Journal.NONE);
            for (int i = 0; i < count; i++)
            {
                assertThat(reader.next()).isTrue();
                Arrays.fill(record, (byte)i);
                assertThat(reader.length()).isEqualTo(record.length);
                assertThat(Arrays.equals(reader.bytes(), 0, record.length, record, 0, record.length)).as("record " + i)
                    .isTrue();
            }
            assertThat(reader.next()).isFalse();
        }
        for (final Thread thread : threads("journal-pages-orders"))
        {
            assertThatCode(() -> thread.join(TimeUnit.SECONDS.toMillis(60))).doesNotThrowAnyException();
        }
        assertThat(threads("journal-pages-orders")).as("end with the journal").isEmpty();
    }

    private static List<Thread> threads(final String name)
    {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name)).toList();
    }

    @Test
    void shouldContinueAfterItWasOpenedAgain()
    {
        final List<Long> positions = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            try (Journal journal = open())
            {
                assertThat(journal.lastPosition()).isEqualTo(i == 0 ? Journal.NONE : positions.get(i - 1));
                positions.add(append(journal, "record " + i));
                // A clock that is set back must not change the order.
                timeMs.addAndGet(i % 2 == 0 ? -3_600_000 : 60_000);
            }
        }
        assertThat(positions).isSorted();
        assertThat(readAll()).containsExactly("record 0", "record 1", "record 2", "record 3", "record 4");
        try (Journal journal = open(); JournalReader reader = journal.openReader())
        {
            reader.moveAfter(positions.get(2));
            assertThat(read(reader)).containsExactly("record 3", "record 4");
        }
    }

    @Test
    void shouldBeginFilesBySizeAndDeleteThemWhenTheyAreNotNeeded() throws Exception
    {
        final List<Long> positions = new ArrayList<>();
        final List<String> starts = new ArrayList<>();
        try (Journal journal = open())
        {
            journal.onFileStart(() -> starts.add(Long.toString(append(journal, "types"))));
            final String text = "x".repeat(100_000);
            for (int i = 0; i < 50; i++)
            {
                positions.add(append(journal, i + text));
            }
            assertThat(starts).hasSizeBetween(4, 6);
            final int before = files().size();
            journal.deleteBefore(positions.get(30));
            assertThat(files()).hasSizeLessThan(before);
            assertThat(journal.sizeBytes()).isBetween(1_900_000L, 3_200_000L);
            try (JournalReader reader = journal.openReader())
            {
                reader.moveAfter(positions.get(30));
                final List<String> rest = read(reader);
                rest.removeIf("types"::equals);
                assertThat(rest).hasSize(19).first().asString().startsWith("31x");
                assertThatThrownBy(() -> reader.moveAfter(positions.get(0))).isInstanceOf(JournalException.class)
                    .hasMessageStartingWith(JournalErrorCode.MISSING_FILE);
            }
            append(journal, "last");
        }
        assertThat(readAll()).first().isEqualTo("types");
    }

    private List<Path> files() throws Exception
    {
        try (var paths = Files.list(settings().directory()))
        {
            return paths.filter(path -> path.toString().endsWith(".cq4")).sorted().toList();
        }
    }

    @Test
    void shouldRefuseASecondWriterAndAnotherOwner()
    {
        try (Journal journal = open())
        {
            append(journal, "a");
            assertThatThrownBy(this::open).isInstanceOf(JournalException.class)
                .hasMessageStartingWith(JournalErrorCode.IN_USE).hasMessageContaining("orders");
        }
        final JournalSettings other = JournalSettings.of(settings().directory(), "payments");
        assertThatThrownBy(() -> Journals.open(other, timeMs::get)).isInstanceOf(JournalException.class)
            .hasMessageStartingWith(JournalErrorCode.OTHER_OWNER).hasMessageContaining("payments");
        // The refused owner has released the lock.
        open().close();
    }

    @Test
    void shouldRefuseRecordsThatAreTooLargeOrComeAfterTheEnd()
    {
        final Journal journal = open();
        final byte[] large = new byte[Journal.MAX_RECORD_BYTES + 1];
        assertThatThrownBy(() -> journal.append(large, 0, large.length))
            .hasMessageStartingWith(JournalErrorCode.TOO_LARGE);
        large[7] = 42;
        final long position = journal.append(large, 0, Journal.MAX_RECORD_BYTES);
        journal.close();
        assertThatThrownBy(() -> append(journal, "late")).hasMessageStartingWith(JournalErrorCode.FAILED);
        try (JournalReader reader = Journals.openReader(settings().directory()))
        {
            assertThat(reader.next()).isTrue();
            assertThat(reader.position()).isEqualTo(position);
            assertThat(reader.length()).isEqualTo(Journal.MAX_RECORD_BYTES);
            assertThat(reader.bytes()[7]).isEqualTo((byte)42);
        }
    }

    @Test
    void shouldStopAtItsMaximumAndContinueWhenFilesAreDeleted()
    {
        final JournalSettings small = settings().withSpace(1 << 20, 3 << 20, 1 << 20);
        try (Journal journal = Journals.open(small, timeMs::get))
        {
            final String text = "x".repeat(100_000);
            long last = Journal.NONE;
            int appended = 0;
            JournalException full = null;
            while (full == null)
            {
                try
                {
                    last = append(journal, text);
                    appended++;
                }
                catch (final JournalException e)
                {
                    full = e;
                }
            }
            assertThat(full.isFull()).isTrue();
            assertThat(appended).isBetween(20, 35);
            journal.deleteBefore(last);
            append(journal, "after");
            try (JournalReader reader = journal.openReader())
            {
                reader.moveAfter(last);
                assertThat(read(reader)).containsExactly("after");
            }
        }
    }

    private int fileCount()
    {
        return JournalFile.of(settings().directory()).size();
    }

    /** Three files, of which the last one began at TIME_MS + 3 hours. */
    private Journal threeFiles(final JournalSettings with)
    {
        final Journal journal = Journals.open(with, timeMs::get);
        final String text = "x".repeat(100_000);
        while (fileCount() < 3)
        {
            append(journal, text);
            timeMs.addAndGet(TimeUnit.MINUTES.toMillis(20));
        }
        return journal;
    }

    @Test
    void shouldKeepFilesThatAreNotNeededForTheirRetentionTime()
    {
        try (Journal journal = threeFiles(settings().withRetention(TimeUnit.HOURS.toMillis(24))))
        {
            journal.deleteBefore(journal.lastPosition());
            assertThat(fileCount()).isEqualTo(3);
            timeMs.addAndGet(TimeUnit.HOURS.toMillis(25));
            journal.deleteBefore(journal.lastPosition());
            assertThat(fileCount()).isEqualTo(1);
        }
    }

    @Test
    void shouldNotKeepFilesThatTakeMoreThanHalfOfTheMaximum()
    {
        try (Journal journal = threeFiles(settings().withSpace(1 << 20, 4 << 20, 1 << 20)
            .withRetention(TimeUnit.HOURS.toMillis(24))))
        {
            journal.deleteBefore(journal.lastPosition());
            assertThat(fileCount()).isEqualTo(2);
        }
    }

    @Test
    void shouldSayWhichDirectoryCannotBeUsed() throws Exception
    {
        Files.writeString(directory.resolve("journal"), "a file");
        assertThatThrownBy(this::open).isInstanceOf(JournalException.class)
            .hasMessageStartingWith(JournalErrorCode.DIRECTORY).hasMessageContaining("journal");
        assertThatThrownBy(() -> Journals.openReader(directory.resolve("missing")))
            .hasMessageStartingWith(JournalErrorCode.DIRECTORY).hasMessageContaining("missing");
    }
}
