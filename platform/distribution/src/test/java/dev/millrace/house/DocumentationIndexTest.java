package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers find each page by links, beginning with docs/README.md, and the same headings in pages of adapters. */
@Timeout(60)
class DocumentationIndexTest
{
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    /** Pages for those who copy a directory or change the code, not for readers of the documentation. */
    private static final Pattern APART = Pattern.compile(
        "docs/decisions/.*|.*/src/.*|.*/target/.*|\\..*|licenses/.*|apps/.*|fuzz/.*|build/.*");

    private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#\\s]*)#([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final List<String> ADAPTER_HEADINGS =
        List.of("Example", "The other side", "Properties", "Order and delivery", "Failures", "Figures");

    private static Set<Path> pages(final Path root) throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            return files.map(root::relativize).filter(file -> file.toString().endsWith(".md") &&
                !APART.matcher(file.toString()).matches()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<Path> reachable(final Path root, final Path first) throws IOException
    {
        final Set<Path> found = new TreeSet<>(Set.of(first));
        final Deque<Path> open = new ArrayDeque<>(found);
        while (!open.isEmpty())
        {
            final Path page = root.resolve(open.remove());
            final Matcher link = LINK.matcher(Files.readString(page));
            while (link.find())
            {
                final Path target = root.relativize(page.resolveSibling(link.group(1)).normalize());
                if (target.toString().endsWith(".md") && Files.exists(root.resolve(target)) && found.add(target))
                {
                    open.add(target);
                }
            }
        }
        return found;
    }

    @Test
    void shouldLeadToEachPage() throws IOException
    {
        final Path root = SourceTree.root().toAbsolutePath().normalize();
        assertThat(reachable(root, Path.of("docs/README.md"))).containsAll(pages(root));
    }

    /** Returns the anchors of the headings of a page, as the usual viewers form them. */
    private static Set<String> anchors(final Path page) throws IOException
    {
        return HEADING.matcher(Files.readString(page)).results().map(heading -> heading.group(1)
            .toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
            .collect(Collectors.toSet());
    }

    @Test
    void shouldLinkToHeadingsThatExist() throws IOException
    {
        final Path root = SourceTree.root().toAbsolutePath().normalize();
        final List<String> missing = new ArrayList<>();
        for (final Path page : pages(root))
        {
            final Matcher link = ANCHOR.matcher(Files.readString(root.resolve(page)));
            while (link.find())
            {
                final Path target = link.group(1).isEmpty() ? root.resolve(page) :
                    root.resolve(page).resolveSibling(link.group(1)).normalize();
                if (target.toString().endsWith(".md") && Files.exists(target) &&
                    !anchors(target).contains(link.group(2)))
                {
                    missing.add(page + ": " + link.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldDescribeAdaptersUnderTheSameHeadings() throws IOException
    {
        final Path root = SourceTree.root().toAbsolutePath().normalize();
        for (final Path page : pages(root))
        {
            // The protocol is no adapter, and generated events have no other side.
            if (page.startsWith("adapters") && !page.endsWith("PROTOCOL.md") && !page.endsWith("GENERATOR.md"))
            {
                final List<String> headings = Files.readString(root.resolve(page)).lines()
                    .filter(line -> line.startsWith("## ")).map(line -> line.substring(3))
                    .filter(ADAPTER_HEADINGS::contains).toList();
                assertThat(headings).as("%s", page).isEqualTo(ADAPTER_HEADINGS);
            }
        }
    }
}
