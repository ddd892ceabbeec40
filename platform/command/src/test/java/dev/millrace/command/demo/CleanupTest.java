package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was opened is closed, and the user hears of it where that matters. */
@Timeout(30)
class CleanupTest
{
    private final StringWriter said = new StringWriter();
    private final Cleanup cleanup = new Cleanup(new PrintWriter(said));

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
            try (Cleanup cleanup = new Cleanup(new PrintWriter(System.err)))
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
}
