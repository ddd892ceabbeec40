package dev.millrace.cql.processor.classcache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.processor.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Class cache files: from one store to the next, damaged files, too many files, and unusable directories. */
@Timeout(60)
class FileClassCacheTest
{
    private static final byte[] BYTES = {(byte)0xca, (byte)0xfe, 7, 0, -1};
    private static final Map<String, byte[]> FILES = Map.of("p.A", BYTES, "p.A$B", new byte[0]);

    @TempDir
    private Path home;

    private final ManualClock clock = new ManualClock(TimeUnit.DAYS.toNanos(20_000));

    private Path directory()
    {
        return home.resolve("generated");
    }

    private FileClassCache store(final String build, final int maxFiles)
    {
        return new FileClassCache(directory(), () -> build, maxFiles, clock);
    }

    private FileClassCache store()
    {
        return store("build 1", 10);
    }

    /** The classes that a new store finds, which is closed afterwards. */
    private Map<String, byte[]> found(final String build, final String text) throws Exception
    {
        final FileClassCache store = store(build, 10);
        final Map<String, byte[]> found = store.find("p.A", text);
        assertThat(store.close(10_000)).isTrue();
        return found;
    }

    private void kept(final String... texts) throws Exception
    {
        final FileClassCache store = store();
        for (final String text : texts)
        {
            store.keep("p.A", text, FILES);
        }
        assertThat(store.close(10_000)).isTrue();
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory()))
        {
            return files.sorted().toList();
        }
    }

    private Path onlyFile() throws IOException
    {
        assertThat(files()).hasSize(1);
        return files().get(0);
    }

    private void assertFound(final Map<String, byte[]> found)
    {
        assertThat(found).containsOnlyKeys("p.A", "p.A$B");
        assertThat(found.get("p.A")).containsExactly(0xca, 0xfe, 7, 0, 0xff);
        assertThat(found.get("p.A$B")).isEmpty();
    }

    @Test
    void shouldFindInTheNextProcessWhatWasKeptInThisOne() throws Exception
    {
        assertThat(found("build 1", "text")).isNull();
        assertThat(directory()).doesNotExist();
        kept("text");
        assertFound(found("build 1", "text"));
    }

    @Test
    void shouldFindNothingForAnotherTextNameOrBuild() throws Exception
    {
        kept("text");
        assertThat(found("build 1", "text ")).isNull();
        assertThat(found("build 2", "text")).isNull();
        assertThat(store().find("p.B", "text")).isNull();
        // Parts whose concatenation is the same.
        assertThat(found("build 1p.A", "text")).isNull();
    }

    @Test
    void shouldLetNobodyButTheOwnerReadOrWrite() throws Exception
    {
        kept("text");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory()))).isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile()))).isEqualTo("rw-------");
    }

    private void assertRepaired() throws Exception
    {
        final FileClassCache store = store();
        try (LogLines log = new LogLines(FileClassCache.class))
        {
            assertThat(store.find("p.A", "text")).isNull();
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0)).startsWith("CQL-8105: ").contains("file=" + onlyFile(), "class=p.A");
        }
        store.keep("p.A", "text", FILES);
        assertThat(store.close(10_000)).isTrue();
        assertFound(found("build 1", "text"));
    }

    @Test
    void shouldRefuseAFileWhicheverOfItsBytesIsFlipped() throws Exception
    {
        kept("text");
        final byte[] whole = Files.readAllBytes(onlyFile());
        final FileClassCache store = store();
        for (int i = 0; i < whole.length; i++)
        {
            final byte[] flipped = whole.clone();
            flipped[i] ^= 0x10;
            Files.write(onlyFile(), flipped);
            assertThat(store.find("p.A", "text")).as("byte " + i).isNull();
        }
        store.close(10_000);
        assertRepaired();
    }

    @Test
    void shouldRefuseAFileWhereverItIsCut() throws Exception
    {
        kept("text");
        final byte[] whole = Files.readAllBytes(onlyFile());
        final FileClassCache store = store();
        for (int length = 0; length < whole.length; length++)
        {
            Files.write(onlyFile(), Arrays.copyOf(whole, length));
            assertThat(store.find("p.A", "text")).as("length " + length).isNull();
        }
        Files.write(onlyFile(), Arrays.copyOf(whole, whole.length + 1));
        assertThat(store.find("p.A", "text")).as("one byte more").isNull();
        store.close(10_000);
        assertRepaired();
    }

    @Test
    void shouldReplaceAFileOfAnotherText() throws Exception
    {
        kept("other");
        final byte[] other = Files.readAllBytes(onlyFile());
        Files.delete(onlyFile());
        kept("text");
        Files.write(onlyFile(), other);
        assertRepaired();
    }

    @Test
    void shouldReplaceAnEmptyFile() throws Exception
    {
        kept("text");
        Files.write(onlyFile(), new byte[0]);
        assertRepaired();
    }

    @Test
    void shouldReplaceADirectoryInPlaceOfAFile() throws Exception
    {
        kept("text");
        final Path file = onlyFile();
        Files.delete(file);
        Files.createDirectory(file);
        assertRepaired();
    }

    @Test
    void shouldNotReadAFileOfAnyLength() throws Exception
    {
        kept("text");
        Files.write(onlyFile(), new byte[ClassDirectory.MAX_FILE_BYTES + 1]);
        assertRepaired();
    }

    @Test
    void shouldKeepNoMoreFilesThanItMayAndThoseUsedLast() throws Exception
    {
        final List<String> texts = IntStream.range(0, 5).mapToObj(i -> "text " + i).toList();
        for (final String text : texts)
        {
            final FileClassCache store = store("build 1", 3);
            store.keep("p.A", text, FILES);
            assertThat(store.close(10_000)).isTrue();
            clock.advance(TimeUnit.HOURS.toNanos(1));
            final FileClassCache user = store("build 1", 3);
            // The first one is used after each other one.
            user.find("p.A", text);
            clock.advance(TimeUnit.HOURS.toNanos(1));
            user.find("p.A", texts.get(0));
            assertThat(user.close(10_000)).isTrue();
            assertThat(files()).hasSizeLessThanOrEqualTo(3);
        }
        assertThat(files()).hasSize(3);
        assertThat(texts.stream().filter(text -> store("build 1", 3).find("p.A", text) != null))
            .containsExactly("text 0", "text 3", "text 4");
    }

    @Test
    void shouldHoldWholeFilesOnlyWhenManyKeepTheSameAtOnce() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(4);
        try
        {
            final FileClassCache one = store();
            final FileClassCache other = store();
            final Callable<Void> work = () ->
            {
                for (int i = 0; i < 60; i++)
                {
                    final FileClassCache store = i % 2 == 0 ? one : other;
                    final Map<String, byte[]> found = store.find("p.A", "text " + i % 3);
                    if (found == null)
                    {
                        store.keep("p.A", "text " + i % 3, FILES);
                    }
                    else
                    {
                        assertFound(found);
                    }
                }
                return null;
            };
            try (LogLines log = new LogLines(FileClassCache.class))
            {
                for (final var done : threads.invokeAll(List.of(work, work, work, work)))
                {
                    done.get();
                }
                assertThat(one.close(10_000) && other.close(10_000)).isTrue();
                assertThat(log.lines()).isEmpty();
            }
            assertThat(files()).hasSize(3).allMatch(file -> file.toString().endsWith(".classes"));
            for (int i = 0; i < 3; i++)
            {
                assertFound(found("build 1", "text " + i));
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldRemoveWhatAKilledProcessHasNotFinishedButNotWhatIsBeingWritten() throws Exception
    {
        kept("text");
        final Path old = Files.createFile(directory().resolve("a.classes1.unfinished"));
        final Path fresh = Files.createFile(directory().resolve("b.classes2.unfinished"));
        Files.setLastModifiedTime(
            old, FileTime.from(clock.epochNs() - TimeUnit.HOURS.toNanos(1), TimeUnit.NANOSECONDS));
        Files.setLastModifiedTime(fresh, FileTime.from(clock.epochNs(), TimeUnit.NANOSECONDS));
        assertFound(found("build 1", "text"));
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    private void assertKeepsNothing(final String reason) throws Exception
    {
        try (LogLines log = new LogLines(FileClassCache.class))
        {
            final FileClassCache store = store();
            for (int i = 0; i < 3; i++)
            {
                assertThat(store.find("p.A", "text " + i)).isNull();
                store.keep("p.A", "text " + i, FILES);
            }
            assertThat(store.close(10_000)).isTrue();
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0)).startsWith("CQL-8106: ").contains("directory=" + directory(), reason);
        }
    }

    @Test
    void shouldWarnOnceAndGoOnWhenAFileIsInPlaceOfTheDirectory() throws Exception
    {
        Files.createFile(directory());
        assertKeepsNothing("not a directory");
    }

    @Test
    void shouldWarnOnceAndGoOnWhenTheDirectoryCannotBeMade() throws Exception
    {
        // A file as its parent: even the superuser, for whom no directory is read-only, cannot write there.
        final Path file = Files.createFile(home.resolve("var"));
        try (LogLines log = new LogLines(FileClassCache.class))
        {
            final FileClassCache store =
                new FileClassCache(file.resolve("generated"), () -> "build 1", 10, clock);
            store.keep("p.A", "text", FILES);
            store.keep("p.A", "text 2", FILES);
            assertThat(store.close(10_000)).isTrue();
            assertThat(log.lines()).hasSize(1);
            assertThat(log.lines().get(0)).startsWith("CQL-8106: ");
        }
    }

    @Test
    void shouldTakeNothingFromADirectoryThatOthersMayWriteTo() throws Exception
    {
        kept("text 0");
        Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwxrwx---"));
        assertKeepsNothing("other users may write to it, mode=rwxrwx---");
    }

    @Test
    void shouldKeepNothingWhenTheBuildIsNotKnown() throws Exception
    {
        final FileClassCache store = store("", 10);
        store.keep("p.A", "text", FILES);
        assertThat(store.find("p.A", "text")).isNull();
        assertThat(store.close(10_000)).isTrue();
        assertThat(directory()).doesNotExist();
    }

    @Test
    void shouldGoOnWithoutAWordWhenItIsClosed() throws Exception
    {
        kept("text");
        final FileClassCache store = store();
        assertThat(store.close(10_000)).isTrue();
        try (LogLines log = new LogLines(FileClassCache.class))
        {
            assertFound(store.find("p.A", "text"));
            store.keep("p.A", "text 2", FILES);
            assertThat(log.lines()).isEmpty();
        }
    }
}
