package dev.millrace.cql.processor.classcache;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.runtime.Pipeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identifies the build that compiles rules without a manually maintained number: by the contents of the jars of
 * generator, runtime, platform and Janino (names, lengths and checksums of their entries, which the central directory
 * of each jar contains), and by the Java version. The bundle may be a jar or unpacked.
 *
 * <p>Thread-safe. Failure: if classes are in directories, as in a developer's tests, the build is unknown.
 */
public final class BuildIdentity
{
    /**
     * The classes to which generated classes refer and whose constants they use, and the classes that generate them.
     */
    private static final Class<?>[] PARTS = {PipelineCompiler.class, Pipeline.class, EventBatch.class};

    private static final String REFERENCE = "reference:";

    /** Prefix of the options that Janino reads from system properties. */
    private static final String JANINO_OPTIONS = "org.codehaus.";

    /** Jars within an unpacked bundle on which generated class files depend. */
    private static final Pattern NESTED =
        Pattern.compile("(millrace-(api|cql-(compiler|runtime|functions))|janino|commons-compiler)-.*\\.jar");

    private static final int NESTED_DEPTH = 2;

    /** If Janino's version is unknown, the build is unknown. */
    private static final Pattern JANINO = Pattern.compile("(?m)^(lib/)?janino-.*\\.jar");

    private static final Logger LOG = LoggerFactory.getLogger(BuildIdentity.class);

    private BuildIdentity()
    {
    }

    /** The running build: some thousand characters; empty if it is unknown. */
    public static String own()
    {
        final String parts = of(PARTS);
        return JANINO.matcher(parts).find() ? parts : "";
    }

    static String of(final Class<?>... parts)
    {
        try
        {
            final Set<Path> paths = new TreeSet<>();
            for (final Class<?> part : parts)
            {
                paths.add(pathOf(part));
            }
            final StringBuilder text = new StringBuilder(System.getProperty("java.vm.version")).append('\n');
            final Properties options = System.getProperties();
            new TreeSet<>(options.stringPropertyNames()).stream().filter(name -> name.startsWith(JANINO_OPTIONS))
                .forEach(name -> text.append(name).append('=').append(options.getProperty(name)).append('\n'));
            for (final Path path : paths)
            {
                append(text, path);
            }
            return text.toString();
        }
        catch (final IOException | UncheckedIOException | IllegalArgumentException notAJar)
        {
            LOG.debug("generated classes are not cached, the build is unknown: {}", notAJar.toString());
            return "";
        }
    }

    private static Path pathOf(final Class<?> part) throws IOException
    {
        final Bundle bundle = FrameworkUtil.getBundle(part);
        final CodeSource source = part.getProtectionDomain().getCodeSource();
        String location = bundle != null && bundle.getBundleId() != 0 ? bundle.getLocation() :
            source == null ? "" : source.getLocation().toString();
        if (location.startsWith(REFERENCE))
        {
            location = location.substring(REFERENCE.length());
        }
        final Path path = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
        if (!Files.exists(path) || Files.exists(path.resolve(part.getName().replace('.', '/') + ".class")))
        {
            throw new IOException("not in a jar, class=" + part.getName() + " location=" + location);
        }
        return path;
    }

    /**
     * Appends the contents of a jar, or of the relevant jars of an unpacked bundle.
     *
     * @param text receives one line per entry, independent of the order in the jar
     * @param path jar or directory; its path and time are irrelevant
     * @throws IOException if it cannot be read
     */
    static void append(final StringBuilder text, final Path path) throws IOException
    {
        if (Files.isDirectory(path))
        {
            final List<Path> jars;
            try (Stream<Path> files = Files.find(path, NESTED_DEPTH,
                (file, attributes) -> NESTED.matcher(file.getFileName().toString()).matches()))
            {
                jars = files.sorted().toList();
            }
            for (final Path jar : jars)
            {
                text.append(path.relativize(jar)).append('\n');
                append(text, jar);
            }
            return;
        }
        try (ZipFile zip = new ZipFile(path.toFile()))
        {
            zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).forEach(entry -> text.append(entry.getName())
                .append(' ').append(entry.getSize()).append(' ').append(entry.getCrc()).append('\n'));
        }
    }
}
