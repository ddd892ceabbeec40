package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers find each page: by links, beginning with docs/README.md. */
@Timeout(60)
class DocumentationIndexTest
{
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    /** Pages for those who copy a directory or change the code, not for readers of the documentation. */
    private static final Pattern APART = Pattern.compile(
        "docs/decisions/.*|.*/src/.*|.*/target/.*|\\..*|licenses/.*|apps/.*|fuzz/.*|build/.*");

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
}
