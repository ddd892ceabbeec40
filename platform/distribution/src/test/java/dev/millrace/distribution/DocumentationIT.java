package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands, options and linked files in the pages for users exist. */
@Timeout(300)
class DocumentationIT
{
    private static final Pattern COMMAND =
        Pattern.compile("(?m)(?:\\./|bin/|^ {4}(?:\\S+=\\S+ )*|`)millrace ([a-z][^`\\n|#;&]*)");
    private static final Pattern OPTION = Pattern.compile("--?[a-zA-Z][a-z-]*");
    /** A command and its verb. */
    private static final int MOST_WORDS = 2;
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
            root().resolve("apps/signal-generation/README.md"), root().resolve("apps/helloworld/README.md"),
            root().resolve("apps/foreign-exchange/README.md"), root().resolve("apps/vehicle-tracking/README.md"),
            root().resolve("apps/fraud-detection/README.md"), root().resolve("apps/sensor-monitoring/README.md"),
            root().resolve("adapters/loadgen/README.md"),
            root().resolve("docs/from-oracle-event-processing.md"), root().resolve("docs/caches.md"),
            root().resolve("docs/first-application.md"), root().resolve("docs/migrating.md"),
            root().resolve("domains/README.md"), root().resolve("domains/start-and-stop.md"),
            root().resolve("domains/ports-and-secrets.md"), root().resolve("domains/cluster.md"),
            root().resolve("domains/groups.md"), root().resolve("domains/updates.md"),
            root().resolve("domains/channels-over-members.md"), root().resolve("loadgen/README.md"),
            root().resolve("tuning/README.md"), root().resolve("tuning/INSTANCES.md"),
            root().resolve("tuning/SCALE.md"), root().resolve("tuning/STORES.md"),
            root().resolve("CHANGELOG.md"));
    }

    @Test
    void shouldKnowEveryDocumentedCommandAndOption() throws IOException, InterruptedException
    {
        // The options that are documented for each command.
        final Map<List<String>, Set<String>> commands = new HashMap<>();
        for (final Path page : pages())
        {
            final Matcher matcher = COMMAND.matcher(Files.readString(page));
            while (matcher.find())
            {
                note(matcher.group(1).strip(), commands);
            }
        }
        assertThat(commands.keySet()).as("documented commands").hasSizeGreaterThan(30)
            .contains(List.of("bench", "scaling"), List.of("app", "install"), List.of("domain", "clone"));
        for (final Map.Entry<List<String>, Set<String>> command : commands.entrySet())
        {
            final List<String> words = new ArrayList<>(command.getKey());
            words.add("--help");
            final Product.Result help = Product.help(words.toArray(String[]::new));
            assertThat(help.exitCode()).as("millrace %s\n%s", words, help.output()).isZero();
            assertThat(command.getValue()).as("options of: %s", command.getKey()).allMatch(help.output()::contains);
        }
    }

    private static void note(final String command, final Map<List<String>, Set<String>> commands)
    {
        final List<String> words = new ArrayList<>();
        final Set<String> options = new TreeSet<>();
        for (final String word : command.split("[ ,]+"))
        {
            if ("...".equals(word))
            {
                // Some subcommand, which the text around it names.
                break;
            }
            if (OPTION.matcher(word).matches())
            {
                options.add(word);
            }
            else if (options.isEmpty() && words.size() < MOST_WORDS && word.matches("[a-z]+(-[a-z]+)?"))
            {
                words.add(word);
            }
        }
        commands.computeIfAbsent(words, none -> new TreeSet<>()).addAll(options);
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
            // CONTRIBUTING links to sources, which are not shipped; the test above checks these links.
            files.filter(file -> file.toString().endsWith(".md") && !file.endsWith("CONTRIBUTING.md"))
                .forEach(shipped::add);
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
