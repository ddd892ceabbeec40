package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was opened is closed, and the user hears of it where that matters. */
@Timeout(10)
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
}
