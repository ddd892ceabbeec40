package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.spi.ApplicationSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk is full at the first, second, third... change of a file: either the old state remains or the new state is
 * complete.
 */
@Timeout(60)
class FullDiskTest
{
    private static final int MAX_CHANGES = 100;

    @TempDir
    private Path directory;

    /** Throws at one change and at all subsequent ones, like a full disk. */
    private static final class FullDisk extends DomainFiles
    {
        private int left = Integer.MAX_VALUE;

        @Override
        protected void before(final String change, final Path path) throws IOException
        {
            // Deleting needs no disk space.
            if (!change.equals("delete") && !change.equals("move") && --left < 0)
            {
                throw new IOException("No space left on device (made by a test)");
            }
        }
    }

    /** A change attempted on a full disk. */
    @FunctionalInterface
    private interface Change
    {
        void run() throws Exception;
    }

    private static Map<String, String> tree(final Path root) throws IOException
    {
        final Map<String, String> files = new TreeMap<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                files.put(root.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /**
     * Repeats a change with space for 0, 1, 2... writes until it succeeds; each failed attempt must leave the state
     * unchanged.
     */
    private int untilItFits(final FullDisk disk, final Change change) throws Exception
    {
        final Map<String, String> before = tree(directory);
        for (int room = 0; room < MAX_CHANGES; room++)
        {
            disk.left = room;
            try
            {
                change.run();
                disk.left = Integer.MAX_VALUE;
                return room;
            }
            catch (final IOException e)
            {
                assertThat(tree(directory)).as("with room for " + room + " writes").isEqualTo(before);
            }
        }
        throw new AssertionError("does not fit");
    }

    @Test
    void shouldKeepTheOldListOrWriteTheNewOne() throws Exception
    {
        final FullDisk disk = new FullDisk();
        final DeploymentsFile file = new DeploymentsFile(disk, directory);
        final Path jar = directory.resolve("applications/one.app/one.app.jar");
        file.write(List.of(new Deployment("one.app", jar, false, DeploymentsFile.START_NS)));

        final int writes = untilItFits(disk,
            () -> file.write(List.of(new Deployment("one.app", jar, true, DeploymentsFile.START_NS))));

        assertThat(writes).isEqualTo(1);
        assertThat(file.read().get("one.app").suspended()).isTrue();
    }

    @Test
    void shouldLeaveNothingOfAVersionThatDoesNotFit() throws Exception
    {
        final FullDisk disk = new FullDisk();
        final ApplicationStore store = new ApplicationStore(disk, directory);
        store.recover();
        final byte[] bundle = Apps.ticking("one.app").file("META-INF/wlevs/config.xml", "<a/>").bytes();

        final int writes = untilItFits(disk, () ->
        {
            try (Upload received = store.receive(new ByteArrayInputStream(bundle)))
            {
                store.prepareNext("one.app", received.file(),
                    new ApplicationSettings(Map.of("config.xml", "<b/>"), Map.of()));
                store.commitNext("one.app");
            }
        });

        // The upload, its directory, the directory of the version, two directories of configuration and three files.
        assertThat(writes).isGreaterThanOrEqualTo(5);
        assertThat(tree(directory)).containsKeys("applications/one.app/one.app.jar")
            .containsEntry("applications/one.app/META-INF/wlevs/config.xml", "<b/>");
    }

    @Test
    void shouldKeepTheOldRulesWhenNewOnesDoNotFit() throws Exception
    {
        final FullDisk disk = new FullDisk();
        final ApplicationStore store = new ApplicationStore(disk, directory);
        store.commitRules(store.prepareRules("one.app", "processor", "<old/>"));

        untilItFits(disk, () -> store.commitRules(store.prepareRules("one.app", "processor", "<new/>")));

        assertThat(tree(directory)).containsOnlyKeys("applications/one.app/live-rules/processor.xml")
            .containsValue("<new/>");
    }

    @Test
    void shouldMakeFilesThatOnlyTheOwnerMayRead() throws Exception
    {
        final DomainFiles files = new DomainFiles();
        files.createDirectories(directory.resolve("applications"));
        files.replace(directory.resolve("applications/file"), "text");

        assertThat(Files.getPosixFilePermissions(directory.resolve("applications"))).hasSize(3);
        assertThat(Files.getPosixFilePermissions(directory.resolve("applications/file"))).hasSize(2);
    }
}
