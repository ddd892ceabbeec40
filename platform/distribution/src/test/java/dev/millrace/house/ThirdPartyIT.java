package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every foreign jar of the distribution, alone or nested in a bundle, is named in THIRD-PARTY.md, and nothing else. */
@Timeout(60)
class ThirdPartyIT
{
    private static final Pattern JAR = Pattern.compile("([A-Za-z0-9._-]+?)-[0-9]+\\.[0-9][^/]*\\.jar$");

    @Test
    void shouldNameEveryShippedJar() throws IOException
    {
        final Set<String> shipped = new TreeSet<>();
        final Path target = SourceTree.root().resolve("platform/distribution/target");
        final List<Path> jars = jarsBelow(target);
        assertThat(jars).as("the distribution has been assembled").isNotEmpty();
        for (final Path jar : jars)
        {
            add(jar.getFileName().toString(), shipped);
            try (ZipFile zip = new ZipFile(jar.toFile()))
            {
                zip.stream().forEach(entry -> add(entry.getName(), shipped));
            }
        }
        assertThat(shipped).containsExactlyInAnyOrderElementsOf(documented());
    }

    private static List<Path> jarsBelow(final Path target) throws IOException
    {
        final List<Path> jars = new ArrayList<>();
        try (var files = java.nio.file.Files.walk(target))
        {
            files.filter(file -> file.toString().endsWith(".jar"))
                .filter(file -> target.relativize(file).getName(0).toString().startsWith("millrace-"))
                .filter(file -> target.relativize(file).getNameCount() > 1)
                .filter(file -> !file.toString().contains("user_projects"))
                .forEach(jars::add);
        }
        return jars;
    }

    private static void add(final String path, final Set<String> shipped)
    {
        final Matcher matcher = JAR.matcher(path.substring(path.lastIndexOf('/') + 1));
        if (matcher.find() && !matcher.group(1).startsWith("millrace-"))
        {
            shipped.add(matcher.group(1));
        }
    }

    private static Set<String> documented()
    {
        final Set<String> names = new TreeSet<>();
        SourceTree.read(SourceTree.root().resolve("THIRD-PARTY.md")).lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| Jar"))
            .forEach(line ->
            {
                for (final String name : line.split("\\|")[1].split(","))
                {
                    names.add(name.strip());
                }
            });
        return names;
    }
}
