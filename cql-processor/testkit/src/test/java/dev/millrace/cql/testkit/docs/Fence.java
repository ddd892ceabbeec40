package dev.millrace.cql.testkit.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fenced block of a document.
 *
 * @param file  document
 * @param line  number of the line with the opening fence
 * @param info  text after the opening fence
 * @param lines between the fences
 */
record Fence(Path file, int line, String info, List<String> lines)
{
    private static final String MARK = "```";

    /** The root of the sources. */
    static Path root()
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs")) || !Files.isRegularFile(root.resolve("README.md")))
        {
            root = root.getParent();
        }
        return root;
    }

    /** All documents for users. */
    static List<Path> documents()
    {
        final List<Path> documents = new ArrayList<>(List.of(root().resolve("README.md"),
            root().resolve("ARCHITECTURE.md"), root().resolve("CHANGELOG.md")));
        try (Stream<Path> files = Files.walk(root().resolve("docs")))
        {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
        return documents;
    }

    /** All fences of a document. */
    static List<Fence> of(final Path file)
    {
        final List<Fence> fences = new ArrayList<>();
        Fence open = null;
        int number = 0;
        for (final String line : lines(file))
        {
            number++;
            if (open == null && line.startsWith(MARK))
            {
                open = new Fence(file, number, line.substring(MARK.length()).strip(), new ArrayList<>());
            }
            else if (open != null && line.strip().equals(MARK))
            {
                fences.add(open);
                open = null;
            }
            else if (open != null)
            {
                open.lines.add(line);
            }
        }
        if (open != null)
        {
            throw new IllegalStateException("fence is not closed, place=" + open.place());
        }
        return fences;
    }

    static List<String> lines(final Path file)
    {
        try
        {
            return Files.readAllLines(file);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    /** Document and line. */
    String place()
    {
        return root().relativize(file) + ":" + line;
    }

    /** First word of the info. */
    String kind()
    {
        return info.split("\\s+")[0];
    }

    /** Whether the info contains a word. */
    boolean has(final String word)
    {
        return List.of(info.split("\\s+")).contains(word);
    }
}
