package dev.millrace.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LaunchSettingsTest
{
    @TempDir
    private Path directory;

    private Properties properties(final String home, final String domain, final String timeout)
    {
        final Properties properties = new Properties();
        properties.setProperty(LaunchSettings.HOME, home);
        properties.setProperty(LaunchSettings.DOMAIN, domain);
        if (timeout != null)
        {
            properties.setProperty(LaunchSettings.STOP_TIMEOUT, timeout);
        }
        return properties;
    }

    @Test
    void shouldTakeDirectoriesAndDefaultsWhenPropertiesAreGiven() throws Exception
    {
        final LaunchSettings settings =
            LaunchSettings.of(properties(directory.toString(), directory.toString(), null));

        assertThat(settings.home()).isEqualTo(directory);
        assertThat(settings.var()).isEqualTo(directory.resolve("var"));
        assertThat(settings.stopTimeoutNs()).isEqualTo(TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void shouldSayWhatToGiveWhenAPropertyIsMissingOrWrong() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("file"));
        refused(new Properties(), "SRV-0001", "wlevs.home", "startwlevs.sh");
        refused(properties(directory.toString(), file.toString(), null), "SRV-0001", "wlevs.domain.home");
        refused(properties(directory.toString(), directory.toString(), "0"), "SRV-0001", "1 to 600");
        refused(properties(directory.toString(), directory.toString(), "soon"), "SRV-0001", "1 to 600");
    }

    private static void refused(final Properties properties, final String... texts)
    {
        assertThatThrownBy(() -> LaunchSettings.of(properties)).isInstanceOfSatisfying(LaunchException.class, refused ->
        {
            assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(refused.getMessage()).contains(texts);
        });
    }

    @Test
    void shouldGiveTheFolderNumberAsStartLevelWhenFoldersAreRead() throws Exception
    {
        for (final String path : new String[] {"30-platform/b.jar", "30-platform/a.jar", "05-base/c.jar",
            "30-platform/notes.txt"})
        {
            Files.createDirectories(directory.resolve(path).getParent());
            Files.createFile(directory.resolve(path));
        }
        assertThat(BundleFolders.read(directory)).extracting(
            file -> file.startLevel() + " " + directory.relativize(file.path()))
            .containsExactly("5 05-base/c.jar", "30 30-platform/a.jar", "30 30-platform/b.jar");

        Files.createDirectories(directory.resolve("old"));
        assertThatThrownBy(() -> BundleFolders.read(directory)).isInstanceOf(LaunchException.class)
            .hasMessageContaining("SRV-0004").hasMessageContaining("old");
        assertThatThrownBy(() -> BundleFolders.read(directory.resolve("nowhere")))
            .isInstanceOf(LaunchException.class).hasMessageContaining("SRV-0004");
    }

    @Test
    void shouldKeepASecondStarterOutWhileTheDomainIsLocked() throws Exception
    {
        final Path var = directory.resolve("var");
        final DomainLock lock = DomainLock.take(var);
        assertThatThrownBy(() -> DomainLock.take(var)).isInstanceOfSatisfying(LaunchException.class, refused ->
        {
            assertThat(refused.exitCode()).isEqualTo(ExitCode.ALREADY_RUNNING);
            assertThat(refused.getMessage()).contains("SRV-0002", "pid=" + ProcessHandle.current().pid());
        });
        lock.close();
        assertThat(var.resolve("pid")).doesNotExist();
        DomainLock.take(var).close();
    }

    @Test
    void shouldExportLoggingTwiceVersionedWhenBundlesAskForIt()
    {
        assertThat(SystemPackages.extra()).contains("org.slf4j;version=\"2.", "org.slf4j;version=\"1.7.36\"",
            "org.apache.commons.logging;version=\"1.2\"");
    }
}
