package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the pages for users tell to type exists: commands, options and linked files. */
@Timeout(300)
class DocumentationIT
{
    private static final Pattern COMMAND = Pattern.compile("\\./millrace ([a-z][^`\\n|]*)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    private static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("cql-processor")))
        {
            directory = directory.getParent();
        }
        return directory;
    }

    private static List<Path> pages()
    {
        return List.of(
            root().resolve("README.md"), root().resolve("CONTRIBUTING.md"), root().resolve("ARCHITECTURE.md"),
            root().resolve("apps/signal-generation/README.md"), root().resolve("adapters/loadgen/README.md"),
            root().resolve("docs/from-oracle-event-processing.md"), root().resolve("docs/caches.md"),
            root().resolve("domains/README.md"), root().resolve("loadgen/README.md"),
            root().resolve("CHANGELOG.md"));
    }

    @Test
    void shouldKnowEveryDocumentedCommandAndOption() throws IOException, InterruptedException
    {
        final Set<String> commands = new TreeSet<>();
        for (final Path page : pages())
        {
            final Matcher matcher = COMMAND.matcher(Files.readString(page));
            while (matcher.find())
            {
                commands.add(matcher.group(1).strip());
            }
        }
        assertThat(commands).as("documented commands").hasSizeGreaterThan(5);
        for (final String command : commands)
        {
            checkCommand(command);
        }
    }

    private static void checkCommand(final String command) throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>();
        final List<String> options = new ArrayList<>();
        for (final String word : command.split("[ ,]+"))
        {
            if (word.startsWith("--"))
            {
                options.add(word);
            }
            else if (options.isEmpty() && word.matches("[a-z]+"))
            {
                words.add(word);
            }
        }
        words.add("--help");
        final Product.Result help = Product.millrace(words.toArray(String[]::new));
        assertThat(help.exitCode()).as("millrace %s\n%s", words, help.output()).isZero();
        assertThat(options).as("options of: %s", command).allMatch(help.output()::contains);
    }

    @Test
    void shouldLinkOnlyWhatExists() throws IOException
    {
        assertThat(brokenLinks(pages())).isEmpty();
    }

    @Test
    void shouldShipTheDocumentsSoThatTheirLinksHold() throws IOException
    {
        final Path home = Product.HOME.directory();
        final List<Path> shipped = new ArrayList<>(List.of(home.resolve("README.md")));
        try (Stream<Path> files = Files.walk(home.resolve("documents")))
        {
            files.filter(file -> file.toString().endsWith(".md")).forEach(shipped::add);
        }
        assertThat(shipped).hasSizeGreaterThan(20);
        assertThat(brokenLinks(shipped)).isEmpty();
    }

    private static List<String> brokenLinks(final List<Path> pages) throws IOException
    {
        final List<String> broken = new ArrayList<>();
        for (final Path page : pages)
        {
            final Matcher matcher = LINK.matcher(Files.readString(page).replaceAll("(?s)```.*?```", ""));
            while (matcher.find())
            {
                if (!Files.exists(page.resolveSibling(matcher.group(1))))
                {
                    broken.add(page + " -> " + matcher.group(1));
                }
            }
        }
        return broken;
    }
}
