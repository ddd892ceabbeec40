package dev.millrace.cql.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Format of the documents: titles, links, width. */
@Timeout(60)
class DocumentsTest
{
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final int WIDTH = 140;

    @Test
    void shouldHaveOneTitleEach()
    {
        for (final Path document : Fence.documents())
        {
            assertThat(prose(document).stream().filter(line -> line.startsWith("# "))).as(document.toString())
                .hasSize(1);
        }
    }

    @Test
    void shouldLinkToWhatIsThere()
    {
        final List<String> broken = new ArrayList<>();
        for (final Path document : Fence.documents())
        {
            for (final String line : prose(document))
            {
                final Matcher links = LINK.matcher(line);
                while (links.find())
                {
                    if (!links.group(1).startsWith("http") && !isThere(document, links.group(1)))
                    {
                        broken.add(Fence.root().relativize(document) + ": " + links.group(1));
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldFitOnAScreen()
    {
        final List<String> wide = new ArrayList<>();
        for (final Path document : Fence.documents())
        {
            prose(document).stream()
                .filter(line -> line.length() > WIDTH && !line.startsWith("|") && !isGenerated(document))
                .forEach(line -> wide.add(Fence.root().relativize(document) + ": " + line));
        }
        assertThat(wide).isEmpty();
    }

    private static boolean isGenerated(final Path document)
    {
        return document.getFileName().toString().matches("(cql-errors|cql-functions|error-codes|http-api)\\.md");
    }

    private static boolean isThere(final Path document, final String link)
    {
        final int mark = link.indexOf('#');
        final String file = mark < 0 ? link : link.substring(0, mark);
        final Path target = file.isEmpty() ? document : document.resolveSibling(file).normalize();
        return Files.exists(target) && (mark < 0 || prose(target).stream().filter(line -> line.startsWith("#"))
            .map(DocumentsTest::anchor).toList().contains(link.substring(mark + 1)));
    }

    /** The anchor that a heading gets. */
    private static String anchor(final String heading)
    {
        return heading.replaceFirst("#+\\s+", "").toLowerCase(Locale.ROOT).codePoints()
            .filter(c -> Character.isLetterOrDigit(c) || c == ' ' || c == '-' || c == '_')
            .mapToObj(Character::toString).collect(Collectors.joining()).replace(' ', '-');
    }

    /** Lines outside of fences. */
    private static List<String> prose(final Path document)
    {
        final List<String> lines = new ArrayList<>();
        boolean isOpen = false;
        for (final String line : Fence.lines(document))
        {
            if (line.startsWith("```"))
            {
                isOpen = !isOpen;
            }
            else if (!isOpen)
            {
                lines.add(line);
            }
        }
        return lines;
    }
}
