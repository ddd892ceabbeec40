package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of docs/installing.md lists each environment variable that scripts and classes read. */
@Timeout(60)
class EnvironmentVariablesTest
{
    /** Variables of the product, in scripts, classes, and descriptions of options. */
    private static final Pattern OURS = Pattern.compile("\\b(?:MILLRACE|WLEVS|LOADGEN)_[A-Z_]*[A-Z]\\b");
    /** A variable of the environment that a class reads by its name. */
    private static final Pattern OF_CLASSES = Pattern.compile("getenv\\(\"(\\w+)\"\\)|\\$\\{env:(\\w+)\\}");
    /** A variable for which a script has a default: it may be absent. */
    private static final Pattern OF_SCRIPTS = Pattern.compile("\\$\\{([A-Z][A-Z_]*):?[-+]");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|");
    /** Not read from the environment: a line at the top of startwlevs.sh. */
    private static final String OF_THE_FILE = "PROCESSOR_SET";

    private static Stream<Path> sources()
    {
        final Stream<Path> modules = SourceTree.modules().stream().flatMap(module -> SourceTree.files(
            SourceTree.root().resolve(module + "/src/main"), file -> true).stream());
        return Stream.concat(modules, SourceTree.files(SourceTree.root().resolve("domains"), file -> true).stream())
            .filter(file -> file.toString().matches(".*(\\.java|\\.sh|\\.cmd|/millrace|\\.service|Containerfile)"));
    }

    private static Set<String> found(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map(match -> IntStream.rangeClosed(1, match.groupCount())
            .mapToObj(match::group).filter(Objects::nonNull).findFirst().orElse(match.group()))
            .collect(Collectors.toSet());
    }

    @Test
    void shouldListEveryVariableOfTheProduct()
    {
        final Set<String> read = new TreeSet<>();
        Stream.concat(sources(), Stream.of(SourceTree.root().resolve("millrace"))).forEach(file ->
        {
            final String text = SourceTree.read(file);
            read.addAll(found(OURS, text));
            read.addAll(found(file.toString().endsWith(".java") ? OF_CLASSES : OF_SCRIPTS, text));
        });
        read.remove(OF_THE_FILE);

        final String page = SourceTree.read(SourceTree.root().resolve("docs/installing.md"));
        assertThat(found(ROW, page)).containsExactlyInAnyOrderElementsOf(read).contains("JAVA_HOME", "MILLRACE_OPTS");
    }
}
