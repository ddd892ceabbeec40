package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Containerfile of the home: no image is built, but each path in it must exist. */
@Timeout(300)
class ContainerfileIT
{
    private static final String INSTALLED = "/opt/millrace/";
    private static final Pattern PATH = Pattern.compile("/opt/millrace/([\\w./-]+)");

    /** Instructions with their continuation lines, without comments. */
    private static List<String> instructions() throws IOException
    {
        return Files.readString(Product.HOME.directory().resolve("Containerfile")).replaceAll("(?m)^#.*\\R", "")
            .replaceAll("\\\\\\R\\s*", "").lines().filter(line -> !line.isBlank()).toList();
    }

    @Test
    void shouldCopyOnlyWhatTheHomeContains() throws IOException
    {
        final List<String> copied = new ArrayList<>();
        for (final String line : instructions())
        {
            final List<String> words = new ArrayList<>(List.of(line.split(" ")));
            if (words.remove(0).equals("COPY"))
            {
                words.removeIf(word -> word.startsWith("--"));
                final String target = words.remove(words.size() - 1);
                for (final String source : words)
                {
                    final Path file = Product.HOME.directory().resolve(source);
                    assertThat(file).exists();
                    // The content of a directory is copied, not the directory.
                    assertThat(target).isEqualTo(Files.isDirectory(file) ? INSTALLED + source : INSTALLED);
                    copied.add(source);
                }
            }
        }
        assertThat(copied).contains("bin", "lib", "bundles", "user_projects", "LICENSE").doesNotHaveDuplicates();
    }

    @Test
    void shouldUseOnlyPathsOfTheHome() throws IOException
    {
        for (final String line : instructions())
        {
            if (!line.startsWith("COPY"))
            {
                assertThat(PATH.matcher(line).results().map(found -> found.group(1)))
                    .allSatisfy(path -> assertThat(Product.HOME.directory().resolve(path)).exists());
            }
        }
    }

    @Test
    void shouldRunAnInstanceWithoutRoot() throws IOException
    {
        final List<String> instructions = instructions();
        assertThat(instructions.get(0)).startsWith("FROM eclipse-temurin:");
        assertThat(instructions.indexOf("USER millrace")).isPositive()
            .isLessThan(instructions.size() - 1);
        assertThat(instructions.get(instructions.size() - 1))
            .isEqualTo("ENTRYPOINT [\"/opt/millrace/user_projects/domains/defaultserver/startwlevs.sh\"]");
        assertThat(instructions).allMatch(line -> line.matches(
            "(FROM|RUN|COPY|USER|WORKDIR|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT) .*"));
    }
}
