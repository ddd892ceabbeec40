package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The class archive that the start script selects, as a dry run: Java rejects an archive that was created at another
 * path.
 */
@Timeout(300)
class ClassArchiveIT
{
    private static final Pattern MADE = Pattern.compile("-XX:ArchiveClassesAtExit=(\\S+)\\.\\d+ ");

    @TempDir
    private Path directory;

    /** Creates the parts of a home that the start script needs. */
    private Path home() throws IOException
    {
        final Path home = Files.createDirectory(directory.resolve("home"));
        Files.createDirectory(home.resolve("lib"));
        for (final String part : List.of("bin", "user_projects/domains/defaultserver"))
        {
            final Path from = Product.HOME.directory().resolve(part);
            try (Stream<Path> files = Files.walk(from))
            {
                for (final Path file : files.filter(Files::isRegularFile).toList())
                {
                    final Path to = home.resolve(part).resolve(from.relativize(file).toString());
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to);
                }
            }
        }
        return home;
    }

    private String start(final Path home, final String name) throws IOException, InterruptedException
    {
        final Path domain =
            DomainTemplate.create(new Home(home), directory.resolve(name), new Ports(3, 1, 2), 0).directory();
        return Product.run(Map.of(), domain.resolve("startwlevs.sh"), "-dryrun").output();
    }

    @Test
    void shouldMakeAnArchiveOfItsOwnWhenTheHomeWasMoved() throws Exception
    {
        final Path home = home();
        final String first = start(home, "first");
        final Matcher made = MADE.matcher(first);
        assertThat(made.find()).as(first).isTrue();
        Files.createFile(Path.of(made.group(1)));
        assertThat(start(home, "second")).contains("-XX:SharedArchiveFile=" + made.group(1) + " ");

        final Path moved = Files.move(home, directory.resolve("moved"));
        assertThat(start(moved, "third")).contains("-XX:ArchiveClassesAtExit=" + moved)
            .doesNotContain("-XX:SharedArchiveFile");
    }

    /** Writes a library like a build: the same size and the same time, regardless of its content. */
    private static void library(final Path home, final String content) throws IOException
    {
        final Path jar = Files.writeString(home.resolve("lib/millrace-launcher-1.0.jar"), content);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    }

    @Test
    void shouldReplaceTheArchiveOfOtherLibraries() throws Exception
    {
        final Path home = home();
        library(home, "old");
        final Matcher made = MADE.matcher(start(home, "first"));
        assertThat(made.find()).isTrue();
        final Path archive = Files.createFile(Path.of(made.group(1)));
        library(home, "new");

        assertThat(start(home, "second")).contains("-XX:ArchiveClassesAtExit=").doesNotContain(made.group(1))
            .doesNotContain("-XX:SharedArchiveFile");
        Product.run(Map.of(), directory.resolve("second/startwlevs.sh"));
        assertThat(archive).doesNotExist();
    }
}
