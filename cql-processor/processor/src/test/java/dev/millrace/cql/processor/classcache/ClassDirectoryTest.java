package dev.millrace.cql.processor.classcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory that several processes use at the same time. */
@Timeout(60)
class ClassDirectoryTest
{
    private static final int FILES = 500;

    @TempDir
    private Path home;

    @Test
    void shouldTidyUpWhileAnotherProcessFinishesFiles() throws Exception
    {
        final ClassDirectory writing = new ClassDirectory(home, 3);
        final ClassDirectory tidying = new ClassDirectory(home, 3);
        final FileTime longAgo = FileTime.fromMillis(0);
        final ExecutorService thread = Executors.newSingleThreadExecutor();
        try
        {
            final Future<Void> writes = thread.submit(() ->
            {
                for (int i = 0; i < FILES; i++)
                {
                    writing.write(ClassKey.of("build", "p.A", "text " + i).fileName(), new byte[10]);
                }
                return null;
            });
            while (!writes.isDone())
            {
                tidying.removeUnfinished(longAgo);
            }
            writes.get();
        }
        finally
        {
            thread.shutdownNow();
        }
        try (Stream<Path> files = Files.list(home))
        {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void shouldDeleteTheOldestFilesWhileAnotherProcessDeletesThem() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(2);
        try
        {
            final List<Future<Void>> writes = Stream.of("a", "b").map(build -> threads.submit(() ->
            {
                final ClassDirectory directory = new ClassDirectory(home, 3);
                for (int i = 0; i < FILES; i++)
                {
                    directory.write(ClassKey.of(build, "p.A", "text " + i).fileName(), new byte[10]);
                }
                return (Void)null;
            })).toList();
            for (final Future<Void> each : writes)
            {
                each.get();
            }
        }
        finally
        {
            threads.shutdownNow();
        }
        try (Stream<Path> files = Files.list(home))
        {
            // Each process keeps three; both may delete the same file.
            assertThat(files).hasSizeBetween(1, 3);
        }
    }
}
