package dev.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/testing-applications.md runs, and fails with the table that the page shows. */
@Timeout(60)
class TestingPageTest
{
    private static final Path PAGE = Path.of("../../docs/testing-applications.md");
    private static final Path EXAMPLE = Path.of("src/test/java/dev/millrace/test/OrdersExample.java");

    @Test
    void shouldFailWithTheTableThatThePageShows() throws Exception
    {
        final String page = Files.readString(PAGE);
        assertThat(lines(Files.readString(EXAMPLE))).containsSubsequence(lines(block(page, "```java\n")));
        final OrdersExample example = new OrdersExample();
        example.app.start(OrdersExample.class);
        final Throwable failure;
        try
        {
            failure = catchThrowable(example::shouldReportOrdersAboveTheLimit);
        }
        finally
        {
            example.app.stop(true);
        }
        assertThat(failure.getMessage().stripTrailing()).isEqualTo(block(page, "```text\n").stripTrailing());
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
