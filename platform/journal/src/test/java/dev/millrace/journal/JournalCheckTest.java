package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class JournalCheckTest
{
    @TempDir
    private Path directory;

    private Journal open()
    {
        return Journals.open(JournalSettings.of(directory.resolve("journal"), "shop/orders")
            .withSpace(1 << 16, 1L << 30, 0), System::currentTimeMillis);
    }

    private JournalCheck check()
    {
        return JournalCheck.of(directory.resolve("journal"), records ->
        {
        });
    }

    private JournalSummary summary()
    {
        return JournalSummary.of(directory.resolve("journal"));
    }

    private static long append(final Journal journal, final int records)
    {
        for (int i = 0; i < records; i++)
        {
            journal.append(new byte[1_000], 0, 1_000);
        }
        return journal.lastPosition();
    }

    @Test
    void shouldReadEachRecordOfAJournalThatIsInUse()
    {
        try (Journal journal = open())
        {
            append(journal, 200);
            final AtomicLong last = new AtomicLong();
            // Records that are appended in the meantime are read, too, and no damage.
            final JournalCheck check = JournalCheck.of(directory.resolve("journal"), records ->
            {
                last.set(records);
                if (records % 10 == 0 && records <= 200)
                {
                    append(journal, 10);
                }
            });
            assertThat(check.damages()).isEmpty();
            assertThat(check.records()).isEqualTo(400).isEqualTo(last.get());
            assertThat(check.bytes()).isEqualTo(400_000);
        }
        assertThat(check().records()).isEqualTo(400);
    }

    @Test
    void shouldBeginAgainWhenASnapshotDeletesTheFileThatIsRead()
    {
        try (Journal journal = open())
        {
            append(journal, 500);
            final long middle = journal.lastPosition();
            append(journal, 500);
            final boolean[] isDeleted = {false};
            final JournalCheck check = JournalCheck.of(directory.resolve("journal"), records ->
            {
                if (!isDeleted[0] && records == 10)
                {
                    isDeleted[0] = true;
                    journal.deleteBefore(middle);
                }
            });
            assertThat(check.damages()).isEmpty();
            assertThat(check.records()).isBetween(500L, 700L);
        }
    }

    @Test
    void shouldReportEachDamagedSnapshot() throws Exception
    {
        try (Journal journal = open())
        {
            append(journal, 1);
        }
        final SnapshotStore snapshots = new SnapshotStore(directory.resolve("journal"));
        snapshots.write(1, new byte[100]);
        snapshots.write(2, new byte[100]);
        assertThat(check().snapshots()).isEqualTo(2);
        final Path newest = snapshots.files().get(1);
        Files.write(newest, new byte[3]);
        assertThat(check().snapshots()).isEqualTo(1);
        assertThat(check().damages()).singleElement().satisfies(damage ->
        {
            assertThat(damage.file()).isEqualTo(newest);
            assertThat(damage.problem().code()).isEqualTo(JournalErrorCode.SNAPSHOT);
        });
    }

    @Test
    void shouldReportAMissingFile() throws Exception
    {
        for (int i = 0; i < 3; i++)
        {
            try (Journal journal = open())
            {
                append(journal, 1);
            }
        }
        Files.delete(JournalFile.of(directory.resolve("journal")).get(1).path());
        assertThat(check().damages()).singleElement().satisfies(damage ->
            assertThat(damage.problem().code()).isEqualTo(JournalErrorCode.MISSING_FILE));
    }

    @Test
    void shouldDescribeFilesSnapshotAndHolder()
    {
        try (Journal journal = open())
        {
            assertThat(summary()).isEqualTo(new JournalSummary(0, 0, 0, 0, null,
                "shop/orders process=" + ProcessHandle.current().pid()));
            final long position = append(journal, 200);
            new SnapshotStore(directory.resolve("journal")).write(position, new byte[100]);
            final JournalSummary used = summary();
            assertThat(used.files()).isBetween(3, 5);
            assertThat(used.bytes()).isBetween(200_000L, 1_000_000L);
            assertThat(used.oldestMs()).isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
            assertThat(used.newestMs()).isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
            assertThat(used.snapshot().position()).isEqualTo(position);
            assertThat(used.holder()).startsWith("shop/orders process=");
        }
        assertThat(summary().holder()).isNull();
        assertThat(summary().files()).isPositive();
    }

    @Test
    void shouldDescribeADirectoryWithoutRecords() throws Exception
    {
        Files.createDirectories(directory.resolve("journal"));
        assertThat(summary()).isEqualTo(new JournalSummary(0, 0, 0, 0, null, null));
        assertThat(check().records()).isZero();
        assertThatThrownBy(() -> Journals.openReader(directory.resolve("none"))).isInstanceOf(JournalException.class)
            .hasMessageStartingWith(JournalErrorCode.DIRECTORY);
    }
}
