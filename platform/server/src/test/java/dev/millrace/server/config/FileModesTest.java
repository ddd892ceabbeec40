package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(60)
class FileModesTest
{
    @TempDir
    private Path domain;

    private final Logger log = (Logger)LoggerFactory.getLogger(FileModes.class);

    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @BeforeEach
    void makeDomain() throws IOException
    {
        for (final String directory : List.of("config", "var", "logs", "applications"))
        {
            mode(Files.createDirectory(domain.resolve(directory)), "rwx------");
        }
        for (final String file : List.of("config/config.xml", "config/secret.key", "deployments.xml"))
        {
            mode(Files.createFile(domain.resolve(file)), "rw-------");
        }
        for (final String file : List.of("config/logback.xml", "config/jvm.options", "startwlevs.sh"))
        {
            mode(Files.createFile(domain.resolve(file)), "rwxr-xr-x");
        }
        warnings.start();
        log.addAppender(warnings);
    }

    @AfterEach
    void detach()
    {
        log.detachAppender(warnings);
    }

    private void mode(final Path path, final String mode) throws IOException
    {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private List<String> check()
    {
        FileModes.check(domain);
        return warnings.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void shouldWarnOfEachFileAndDirectoryThatOthersMayReadOrWrite() throws IOException
    {
        mode(domain.resolve("config/config.xml"), "rw-r-----");
        mode(domain.resolve("deployments.xml"), "rw-----w-");
        mode(domain.resolve("var"), "rwxr-xr-x");

        assertThat(check()).containsExactly(warning("config/config.xml", "rw-r-----", "600"),
            warning("deployments.xml", "rw-----w-", "600"), warning("var", "rwxr-xr-x", "700"));
    }

    private String warning(final String path, final String mode, final String wanted)
    {
        return "SRV-0148: other users can access a file that may contain secrets or events, path="
            + domain.resolve(path) + " mode=" + mode + " hint: chmod " + wanted + " " + domain.resolve(path);
    }

    @Test
    void shouldSayNothingWhenOnlyTheOwnerMayReadAndWrite()
    {
        assertThat(check()).isEmpty();
    }

    @Test
    void shouldNotWarnOfFilesThatDoNotExist() throws IOException
    {
        Files.delete(domain.resolve("deployments.xml"));
        Files.delete(domain.resolve("applications"));

        assertThat(check()).isEmpty();
    }
}
