package dev.millrace.command.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which directory is the local repository, and what is copied into it. */
@Timeout(60)
class LocalRepositoryTest
{
    @TempDir
    private Path directory;
    private String home;

    @BeforeEach
    void useHome()
    {
        home = System.setProperty("user.home", directory.toString());
    }

    @AfterEach
    void restoreHome()
    {
        System.setProperty("user.home", home);
    }

    private Path ofUser(final String settings) throws Exception
    {
        Files.writeString(Files.createDirectories(directory.resolve(".m2")).resolve("settings.xml"), settings);
        return LocalRepository.ofUser().directory();
    }

    @Test
    void shouldUseTheDefaultOfMavenWithoutSettings() throws Exception
    {
        assertThat(LocalRepository.ofUser().directory()).isEqualTo(directory.resolve(".m2/repository"));
        assertThat(ofUser("<settings><!-- <localRepository>/other</localRepository> --></settings>"))
            .isEqualTo(directory.resolve(".m2/repository"));
    }

    @Test
    void shouldUseTheRepositoryOfTheSettings() throws Exception
    {
        assertThat(ofUser("<settings>\n<localRepository>\n  ${user.home}/own\n</localRepository></settings>"))
            .isEqualTo(directory.resolve("own"));
    }

    @Test
    void shouldReplaceFilesOfAnEarlierVersionAndKeepOthers() throws Exception
    {
        final Path source = Files.createDirectories(directory.resolve("source/a/b"));
        Files.writeString(source.resolve("new.jar"), "new");
        final Path target = Files.createDirectories(directory.resolve("target/a/b"));
        Files.writeString(target.resolve("new.jar"), "old");
        Files.writeString(target.resolve("other.jar"), "other");

        new LocalRepository(directory.resolve("target")).add("a/b/new.jar", source.resolve("new.jar"));

        assertThat(target.resolve("new.jar")).hasContent("new");
        assertThat(target.resolve("other.jar")).hasContent("other");
        assertThat(target).isDirectoryNotContaining("glob:**.tmp");
    }
}
