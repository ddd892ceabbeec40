package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class JournalRepairTest
{
    private static final long TIME_MS = 1_780_000_000_000L;

    @TempDir
    private Path directory;

    private Journal open()
    {
        return Journals.open(JournalSettings.of(directory, "orders").withSpace(1 << 20, 1L << 30, 0), () -> TIME_MS);
    }

    private static long append(final Journal journal, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final byte[] text = text(i).getBytes(StandardCharsets.UTF_8);
            journal.append(text, 0, text.length);
        }
        return journal.lastPosition();
    }

    private static String text(final int number)
    {
        return "record number " + number + '.';
    }

    /** Three files of ten records each; returns the positions of their last records. */
    private long[] threeFiles()
    {
        final long[] last = new long[3];
        for (int file = 0; file < last.length; file++)
        {
            try (Journal journal = open())
            {
                last[file] = append(journal, 10 * file, 10 * file + 10);
            }
        }
        return last;
    }

    private void damage(final int file, final String text) throws IOException
    {
        final Path path = JournalFile.of(directory).get(file).path();
        final byte[] bytes = Files.readAllBytes(path);
        final int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
        assertThat(at).isPositive();
        bytes[at] ^= 1;
        Files.write(path, bytes);
    }

    private JournalRepair.Result repair()
    {
        return JournalRepair.run(directory, TIME_MS).orElseThrow();
    }

    private List<String> records()
    {
        final List<String> all = new ArrayList<>();
        try (Journal journal = open(); JournalReader reader = journal.openReader())
        {
            reader.moveToStart();
            while (reader.next())
            {
                all.add(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8));
            }
        }
        return all;
    }

    private static List<String> texts(final int... numbers)
    {
        return IntStream.of(numbers).mapToObj(JournalRepairTest::text).toList();
    }

    @Test
    void shouldKeepTheRecordsBeforeADamagedOneAndContinueAfterThem() throws Exception
    {
        threeFiles();
        damage(1, text(13));

        final JournalRepair.Result result = repair();

        assertThat(result.kept()).isEqualTo(13);
        assertThat(result.lost()).isEqualTo(10);
        assertThat(result.snapshot()).isEqualTo(Journal.NONE);
        assertThat(result.moved()).hasSize(2);
        assertThat(result.directory().toFile().list()).hasSize(2);
        try (Journal journal = open())
        {
            assertThat(journal.lastPosition()).isEqualTo(result.lastKept());
            append(journal, 100, 102);
        }
        assertThat(records()).isEqualTo(
            texts(IntStream.concat(IntStream.range(0, 13), IntStream.of(100, 101)).toArray()));
        assertThat(JournalRepair.run(directory, TIME_MS)).isEmpty();
    }

    @Test
    void shouldBeAbleToOpenAJournalWhoseNewestFileIsDamaged() throws Exception
    {
        threeFiles();
        damage(2, text(25));
        assertThatThrownBy(this::open).hasMessageStartingWith(JournalErrorCode.DAMAGED)
            .hasMessageContaining("millrace journal repair");

        assertThat(repair().kept()).isEqualTo(25);

        assertThat(records()).isEqualTo(texts(IntStream.range(0, 25).toArray()));
    }

    @Test
    void shouldContinueWithASnapshotThatIsNewerThanTheDamage() throws Exception
    {
        final long[] last = threeFiles();
        final SnapshotStore snapshots = new SnapshotStore(directory);
        snapshots.write(last[0], "old".getBytes(StandardCharsets.UTF_8));
        snapshots.write(last[2], "new".getBytes(StandardCharsets.UTF_8));
        damage(1, text(13));

        final JournalRepair.Result result = repair();

        assertThat(result.snapshot()).isEqualTo(last[2]);
        final Snapshot newest = snapshots.newest(damaged ->
        {
            throw damaged;
        });
        assertThat(newest.position()).isEqualTo(result.lastKept());
        assertThat(newest.content()).isEqualTo("new".getBytes(StandardCharsets.UTF_8));
        try (Journal journal = open())
        {
            append(journal, 100, 101);
            try (JournalReader reader = journal.openReader())
            {
                reader.moveAfter(newest.position());
                assertThat(reader.next()).isTrue();
                assertThat(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8)).isEqualTo(text(100));
                assertThat(reader.next()).isFalse();
            }
        }
    }

    @Test
    void shouldKeepASnapshotBeforeTheDamageAndTheRecordsAfterIt() throws Exception
    {
        final long[] last = threeFiles();
        new SnapshotStore(directory).write(last[0], new byte[3]);
        damage(1, text(13));

        assertThat(repair().snapshot()).isEqualTo(Journal.NONE);

        try (Journal journal = open(); JournalReader reader = journal.openReader())
        {
            reader.moveAfter(last[0]);
            for (int i = 10; i < 13; i++)
            {
                assertThat(reader.next()).isTrue();
                assertThat(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8)).isEqualTo(text(i));
            }
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void shouldRemoveAFileWithoutAnIntactRecord() throws Exception
    {
        threeFiles();
        final Path first = JournalFile.of(directory).get(0).path();
        Files.write(first, new byte[100]);

        final JournalRepair.Result result = repair();

        assertThat(result.kept()).isZero();
        assertThat(result.lost()).isEqualTo(20);
        assertThat(records()).isEmpty();
    }

    @Test
    void shouldChangeNothingWhenNothingIsDamagedOrTheJournalIsInUse()
    {
        threeFiles();
        assertThat(JournalRepair.run(directory, TIME_MS)).isEmpty();
        try (Journal used = open())
        {
            assertThat(used.lastPosition()).isPositive();
            assertThatThrownBy(() -> JournalRepair.run(directory, TIME_MS)).isInstanceOf(JournalException.class)
                .hasMessageStartingWith(JournalErrorCode.IN_USE);
        }
        assertThat(records()).hasSize(30);
    }
}
