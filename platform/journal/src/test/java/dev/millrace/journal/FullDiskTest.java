package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FullDiskTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldRefuseRecordsUntilTheDiskHasSpaceAgain() throws Exception
    {
        final long free = Files.getFileStore(directory).getUsableSpace();
        final JournalSettings plenty = JournalSettings.of(directory, "full").withSpace(1 << 20, 1L << 34, 0);
        final byte[] record = new byte[100_000];
        final long last;
        try (Journal journal = Journals.open(plenty, System::currentTimeMillis))
        {
            last = journal.append(record, 0, record.length);
        }
        // The space that must remain is more than there is.
        final JournalSettings full = plenty.withSpace(1 << 20, 1L << 34, free * 2);
        try (Journal journal = Journals.open(full, System::currentTimeMillis))
        {
            for (int i = 0; i < 3; i++)
            {
                assertThatThrownBy(() -> journal.append(record, 0, record.length))
                    .isInstanceOfSatisfying(JournalException.class, e -> assertThat(e.isFull()).isTrue())
                    .hasMessageStartingWith(JournalErrorCode.FULL).hasMessageContaining("minFree=");
            }
            assertThat(journal.lastPosition()).isEqualTo(last);
        }
        try (Journal journal = Journals.open(plenty, System::currentTimeMillis);
            JournalReader reader = journal.openReader())
        {
            journal.append(record, 0, record.length);
            assertThat(reader.next() && reader.next()).isTrue();
            assertThat(reader.next()).isFalse();
        }
    }
}
