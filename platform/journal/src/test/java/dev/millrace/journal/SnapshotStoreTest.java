package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnapshotStoreTest
{
    @TempDir
    private Path directory;

    private final List<String> problems = new ArrayList<>();

    private String newest()
    {
        problems.clear();
        final Snapshot found = new SnapshotStore(directory).newest(problem -> problems.add(problem.code()));
        return found == null ? null : found.position() + ":" + new String(found.content(), StandardCharsets.UTF_8);
    }

    private Path write(final long position, final String content) throws Exception
    {
        new SnapshotStore(directory).write(position, content.getBytes(StandardCharsets.UTF_8));
        try (var paths = Files.list(directory))
        {
            return paths.sorted().toList().get(Math.max(0, (int)Files.list(directory).count() - 1));
        }
    }

    @Test
    void shouldReadTheNewestAndKeepTheOneBefore() throws Exception
    {
        assertThat(newest()).isNull();
        assertThat(new SnapshotStore(directory.resolve("missing")).newest(problem ->
        {
        })).isNull();
        write(5, "first");
        write(0x7_0000_0000L, "second");
        write(0x1_0000_0001_0000L, "");
        assertThat(newest()).isEqualTo(0x1_0000_0001_0000L + ":");
        try (var paths = Files.list(directory))
        {
            assertThat(paths).hasSize(SnapshotStore.KEPT);
        }
    }

    @Test
    void shouldReadTheNewestThatTheCallerCanUseAndDeleteOthers() throws Exception
    {
        write(1, "used");
        write(2, "other");
        final SnapshotStore store = new SnapshotStore(directory);
        assertThat(store.newest(problem -> problems.add(problem.code()), each -> each.content().length == 4).position())
            .isEqualTo(1);
        assertThat(store.newest(problem -> problems.add(problem.code()), each -> false)).isNull();
        assertThat(problems).isEmpty();
        store.delete(2);
        store.delete(3);
        assertThat(newest()).isEqualTo("1:used");
    }

    @Test
    void shouldCheckALargeSnapshotWithoutItsContent() throws Exception
    {
        final byte[] content = new byte[5 << 20];
        content[content.length - 1] = 1;
        new SnapshotStore(directory).write(1, content);
        final Path file = new SnapshotStore(directory).files().get(0);
        assertThat(SnapshotStore.position(file)).isEqualTo(1);
        assertThat(SnapshotStore.read(file, false)).isEqualTo(new Snapshot(1, null));
        assertThat(SnapshotStore.read(file, true).content()).isEqualTo(content);
        final byte[] all = Files.readAllBytes(file);
        all[4 << 20] ^= 1;
        Files.write(file, all);
        assertThatThrownBy(() -> SnapshotStore.read(file, false)).hasMessageContaining("damaged");
    }

    @Test
    void shouldFallBackForEachChangedByteAndEachLength() throws Exception
    {
        write(1, "the one before");
        final Path file = write(2, "the newest one");
        final byte[] intact = Files.readAllBytes(file);
        for (int i = 0; i < intact.length; i++)
        {
            for (int bit = 1; bit < 256; bit <<= 1)
            {
                final byte[] changed = intact.clone();
                changed[i] ^= bit;
                Files.write(file, changed);
                assertThat(newest()).as("byte %d bit %d", i, bit).isEqualTo("1:the one before");
                assertThat(problems).hasSize(1).isSubsetOf(JournalErrorCode.SNAPSHOT, JournalErrorCode.NEWER_FORMAT);
            }
            Files.write(file, Arrays.copyOf(intact, i));
            assertThat(newest()).as("length %d", i).isEqualTo("1:the one before");
        }
        Files.write(file, intact);
        assertThat(newest()).isEqualTo("2:the newest one");
        assertThat(problems).isEmpty();
    }

    /** Otherwise the second damage in a row, after intact snapshots, would leave none. */
    @Test
    void shouldKeepTheIntactOneBeforeInsteadOfADamagedOne() throws Exception
    {
        write(1, "first");
        final Path damaged = write(2, "second");
        Files.write(damaged, new byte[] {1});
        final SnapshotStore store = new SnapshotStore(directory);
        assertThat(store.newest(problem -> problems.add(problem.code())).position()).isEqualTo(1);
        store.write(3, "third".getBytes(StandardCharsets.UTF_8));
        assertThat(damaged).doesNotExist();
        Files.write(store.files().get(1), new byte[] {1});
        assertThat(newest()).isEqualTo("1:first");
    }

    @Test
    void shouldSayWhichFileCannotBeWritten() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("file"), "no directory");
        assertThatThrownBy(() -> new SnapshotStore(file).write(1, new byte[1])).isInstanceOf(JournalException.class)
            .hasMessageStartingWith(JournalErrorCode.SNAPSHOT).hasMessageContaining("file");
    }
}
