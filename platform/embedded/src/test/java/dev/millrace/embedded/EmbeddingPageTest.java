package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/embedding.md runs, and prints what the page shows. */
@Timeout(60)
class EmbeddingPageTest
{
    private static final Path PAGE = Path.of("../../docs/embedding.md");
    private static final Path EXAMPLE = Path.of("src/test/java/dev/millrace/embedded/EmbeddingExample.java");

    @Test
    void shouldPrintWhatThePageShows() throws Exception
    {
        final String page = Files.readString(PAGE);

        assertThat(lines(Files.readString(EXAMPLE))).containsSubsequence(lines(block(page, "```java\n")));
        final PrintStream before = System.out;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try
        {
            EmbeddingExample.main(new String[0]);
        }
        finally
        {
            System.setOut(before);
        }
        assertThat(lines(printed.toString(StandardCharsets.UTF_8))).isEqualTo(lines(block(page, "```text\n")));
    }

    private static String block(final String page, final String begin)
    {
        final int from = page.indexOf(begin) + begin.length();
        return page.substring(from, page.indexOf("```", from));
    }

    private static List<String> lines(final String text)
    {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
