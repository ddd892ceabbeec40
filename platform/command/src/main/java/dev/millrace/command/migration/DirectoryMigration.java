package dev.millrace.command.migration;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Maps a directory of sources: Java files, assembly files and manifests. Other files are copied, except those of
 * version control.
 */
final class DirectoryMigration
{
    private static final Set<String> VERSION_CONTROL = Set.of(".git", ".svn", ".hg");

    private final OldNames names = new OldNames();
    private final MigrationReport report = new MigrationReport();
    private final Set<String> packages = new TreeSet<>();
    private final Path source;

    DirectoryMigration(final Path source)
    {
        this.source = source;
    }

    /**
     * Maps the directory.
     *
     * @param output new directory; {@code null} to create only the report
     * @throws IOException when a file cannot be read or written
     */
    MigrationReport migrate(final Path output) throws IOException
    {
        final List<Path> files = files();
        // Manifests import the packages that the other files use.
        for (final boolean isManifest : new boolean[] {false, true})
        {
            for (final Path file : files)
            {
                if (file.endsWith(BundleMigration.MANIFEST) == isManifest)
                {
                    migrate(file, output);
                }
            }
        }
        return report;
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> found = Files.walk(source, FileVisitOption.FOLLOW_LINKS))
        {
            return found.filter(Files::isRegularFile).map(source::relativize).filter(file ->
                Stream.iterate(file, part -> part != null, Path::getParent)
                    .noneMatch(part -> VERSION_CONTROL.contains(part.getFileName().toString()))).sorted().toList();
        }
    }

    private void migrate(final Path file, final Path output) throws IOException
    {
        final String location = file.toString().replace('\\', '/');
        final Path target = output == null ? null : output.resolve(file);
        if (target != null)
        {
            Files.createDirectories(target.getParent());
        }
        if (!location.endsWith(".java") && !XmlMigration.isAssembly(location) &&
            !file.endsWith(BundleMigration.MANIFEST))
        {
            if (target != null)
            {
                Files.copy(source.resolve(file), target);
            }
            return;
        }
        final byte[] bytes = migrated(location, Files.readAllBytes(source.resolve(file)));
        if (target != null)
        {
            Files.write(target, bytes);
        }
    }

    private byte[] migrated(final String location, final byte[] bytes) throws IOException
    {
        if (location.endsWith(".java"))
        {
            return new SourceMigration(names, report, packages).migrate(location, bytes);
        }
        if (location.endsWith(".xml"))
        {
            return new XmlMigration(names, report, packages).migrate(location, bytes);
        }
        final Manifest manifest = new Manifest(new ByteArrayInputStream(bytes));
        new ManifestMigration(names, report).migrate(location, manifest, packages);
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        manifest.write(out);
        return out.toByteArray();
    }
}
