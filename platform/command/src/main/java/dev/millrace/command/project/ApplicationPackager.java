package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Packs the resources of a project without Java code into a bundle. The same files result in the same bytes.
 *
 * @param project directory with {@code src/main/resources}
 * @param name    symbolic name of the bundle
 * @param version version of the bundle
 */
public record ApplicationPackager(Path project, String name, String version)
{
    private static final String RESOURCES = "src/main/resources";
    /** 1980-01-01, the earliest time of an entry. */
    private static final long ENTRY_TIME_MS = 315_532_800_000L;

    /**
     * Writes the bundle. The file is replaced as a whole.
     *
     * @return number of files in it
     * @throws IOException when a file cannot be read or written
     */
    public int write(final Path bundle) throws IOException
    {
        checkHasNoJava();
        final Path resources = project.resolve(RESOURCES);
        final List<Path> files = files(resources);
        if (files.stream().noneMatch(file -> isAssembly(resources.relativize(file))))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0264",
                "no assembly file, directory=" + resources.resolve("META-INF/spring").toAbsolutePath(),
                "run the command in the directory of a project; millrace app new --template no-java NAME creates one");
        }
        final Path unfinished = bundle.resolveSibling(bundle.getFileName() + ".tmp");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(unfinished)))
        {
            begin(jar, "META-INF/MANIFEST.MF");
            manifest().write(jar);
            for (final Path file : files)
            {
                begin(jar, resources.relativize(file).toString().replace('\\', '/'));
                Files.copy(file, jar);
            }
        }
        Files.move(unfinished, bundle, StandardCopyOption.REPLACE_EXISTING);
        return files.size();
    }

    private void checkHasNoJava() throws IOException
    {
        if (Files.exists(project.resolve("pom.xml")) || Files.exists(project.resolve("src/main/java")))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0263",
                "the project has Java code or a pom.xml, directory=" + project.toAbsolutePath(),
                "build it with mvn package, and install the jar in its directory target");
        }
    }

    private static List<Path> files(final Path resources) throws IOException
    {
        if (!Files.isDirectory(resources))
        {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(resources))
        {
            return found.filter(Files::isRegularFile).filter(file -> !file.endsWith("META-INF/MANIFEST.MF")).sorted()
                .toList();
        }
    }

    private static boolean isAssembly(final Path file)
    {
        return file.startsWith("META-INF/spring") && file.toString().endsWith(".xml");
    }

    private Manifest manifest() throws IOException
    {
        final Manifest manifest = new Manifest();
        final Path own = project.resolve(RESOURCES).resolve("META-INF/MANIFEST.MF");
        if (Files.exists(own))
        {
            try (InputStream in = Files.newInputStream(own))
            {
                manifest.read(in);
            }
        }
        final Attributes attributes = manifest.getMainAttributes();
        attributes.putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putIfAbsent(new Attributes.Name("Bundle-ManifestVersion"), "2");
        attributes.putIfAbsent(new Attributes.Name("Bundle-SymbolicName"), name);
        attributes.putIfAbsent(new Attributes.Name("Bundle-Version"), version);
        return manifest;
    }

    private static void begin(final JarOutputStream jar, final String name) throws IOException
    {
        final JarEntry entry = new JarEntry(name);
        entry.setTime(ENTRY_TIME_MS);
        jar.putNextEntry(entry);
    }
}
