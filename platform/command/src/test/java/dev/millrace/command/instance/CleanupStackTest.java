package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Opened resources are closed, and relevant failures are printed. */
@Timeout(60)
class CleanupStackTest
{
    private final StringWriter said = new StringWriter();
    private final CleanupStack cleanup = new CleanupStack(new PrintWriter(said));

    @Test
    void shouldCloseWhatWasOpenedLastFirst()
    {
        final List<String> closed = new ArrayList<>();
        cleanup.add(() -> closed.add("first"));
        cleanup.add(() -> closed.add("second"));
        cleanup.close();
        assertThat(closed).containsExactly("second", "first");
        assertThat(said).hasToString("");
    }

    @Test
    void shouldCloseTheOthersAndSaySoWhenOneCannotBeClosed()
    {
        final List<String> closed = new ArrayList<>();
        cleanup.add(() -> closed.add("first"));
        cleanup.add(() ->
        {
            throw new IOException("held by somebody");
        });
        cleanup.close();
        assertThat(closed).containsExactly("first");
        assertThat(said.toString()).startsWith("CMD-0150: cannot clean up").contains("held by somebody");
    }

    @Test
    void shouldRemoveADirectoryWithWhatIsInItUnlessItIsKept() throws IOException
    {
        final Path gone = cleanup.directory(false);
        final Path kept = cleanup.directory(true);
        Files.createDirectories(gone.resolve("logs"));
        Files.writeString(gone.resolve("logs/server.log"), "a line");
        cleanup.close();
        assertThat(gone).doesNotExist();
        assertThat(kept).isEmptyDirectory();
        assertThat(said).hasToString("domains kept in " + kept + System.lineSeparator());
        Files.delete(kept);
    }

    /** Prints the directory that it gets. */
    static final class Directory
    {
        private Directory()
        {
        }

        public static void main(final String[] arguments) throws IOException
        {
            try (CleanupStack cleanup = new CleanupStack(new PrintWriter(System.err)))
            {
                System.out.print(cleanup.directory(false));
            }
        }
    }

    @Test
    void shouldGiveAnAbsoluteDirectoryWhenTheOneForTemporaryFilesIsRelative(@TempDir final Path here) throws IOException
    {
        Files.createDirectory(here.resolve("tmp"));
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=tmp", "-cp", System.getProperty("java.class.path"), Directory.class.getName())
            .directory(here.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith(here.resolve("tmp/millrace-").toString());
    }

    /** Fails as soon as Ctrl-C has closed its resources, and has enough time to print the failure. */
    static final class Interrupted
    {
        private static volatile boolean hasFailed;

        private Interrupted()
        {
        }

        public static void main(final String[] arguments) throws InterruptedException
        {
            final Thread main = Thread.currentThread();
            final CountDownLatch closed = new CountDownLatch(1);
            try (CleanupStack cleanup = new CleanupStack(new PrintWriter(System.err)))
            {
                cleanup.add(() ->
                {
                    while (!hasFailed || main.getState() != Thread.State.WAITING &&
                        main.getState() != Thread.State.TERMINATED)
                    {
                        Thread.onSpinWait();
                    }
                });
                cleanup.add(closed::countDown);
                System.out.println("ready");
                closed.await();
                hasFailed = true;
                throw new IllegalStateException("no answer from what is gone");
            }
        }
    }

    @Test
    void shouldSayNothingOfWhatFailsBecauseOfAnInterrupt() throws Exception
    {
        final Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), Interrupted.class.getName())
            .redirectErrorStream(true).start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8))
        {
            assertThat(said.readLine()).isEqualTo("ready");
            process.toHandle().destroy();
            assertThat(said.lines()).isEmpty();
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
