package dev.millrace.command.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jars of artifacts are found anywhere in the home. */
@Timeout(60)
class HomeArtifactsTest
{
    @TempDir
    private Path home;

    @BeforeEach
    void create() throws IOException
    {
        file("maven/dev/millrace/api/1/api-1.pom", "<project/>");
        file("maven/dev/millrace/api/1/api-1.jar", "");
        file("maven/org/parent/2/parent-2.pom", "<project><packaging>pom</packaging></project>");
        file("maven/org/library/3/library-3.pom", "<project/>");
        Files.createDirectories(home.resolve("bundles"));
    }

    private Path file(final String name, final String content) throws IOException
    {
        final Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    @Test
    void shouldFindTheJarsOfLibrariesInOtherDirectories() throws IOException
    {
        final Path jar = file("lib/tuning/library-3.jar", "");
        file("lib/tuning/library-2.jar", "");

        assertThat(new HomeArtifacts(home).files()).hasSize(5)
            .containsEntry("org/library/3/library-3.jar", jar)
            .containsEntry("dev/millrace/api/1/api-1.jar", home.resolve("maven/dev/millrace/api/1/api-1.jar"))
            .containsKey("org/parent/2/parent-2.pom");
    }

    @Test
    void shouldReportAnIncompleteHome() throws IOException
    {
        Files.createDirectories(home.resolve("lib"));

        assertThatThrownBy(() -> new HomeArtifacts(home).files()).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0267").hasMessageContaining("missing=org/library/3/library-3.jar");
        assertThatThrownBy(() -> new HomeArtifacts(home.resolve("lib")).files()).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0267");
    }
}
