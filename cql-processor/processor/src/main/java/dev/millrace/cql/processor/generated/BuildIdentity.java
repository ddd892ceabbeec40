package dev.millrace.cql.processor.generated;

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
 * Tells the build that compiles rules from every other one, without a number that somebody has to raise: by what is in
 * the jars of generator, runtime, platform and Janino (names, lengths and checksums of their entries, which each jar
 * has in its own directory), and by the version of Java. The bundle may be a jar or unpacked.
 *
 * <p>For all threads. Failure: where classes lie in directories, as in a developer's tests, the build is not known.
 */
public final class BuildIdentity
{
    /** What generated classes name and take constants from, and what writes them. */
    private static final Class<?>[] PARTS = {PipelineCompiler.class, Pipeline.class, EventBatch.class};

    private static final String REFERENCE = "reference:";

    /** Prefix of the options that Janino takes from system properties. */
    private static final String JANINO_OPTIONS = "org.codehaus.";

    /** Jars within an unpacked bundle that class files of a text depend on. */
    private static final Pattern NESTED =
        Pattern.compile("(millrace-(api|cql-(compiler|runtime|functions))|janino|commons-compiler)-.*\\.jar");

    private static final int NESTED_DEPTH = 2;

    /** A build of which Janino is not known is not known. */
    private static final Pattern JANINO = Pattern.compile("(?m)^(lib/)?janino-.*\\.jar");

    private static final Logger LOG = LoggerFactory.getLogger(BuildIdentity.class);

    private BuildIdentity()
    {
    }

    /**
     * The build that runs.
     *
     * @return some thousand characters; empty when it is not known
     */
    public static String own()
    {
        final String parts = of(PARTS);
        return JANINO.matcher(parts).find() ? parts : "";
    }

    static String of(final Class<?>... parts)
    {
        try
        {
            final Set<Path> places = new TreeSet<>();
            for (final Class<?> part : parts)
            {
                places.add(place(part));
            }
            final StringBuilder text = new StringBuilder(System.getProperty("java.vm.version")).append('\n');
            final Properties options = System.getProperties();
            new TreeSet<>(options.stringPropertyNames()).stream().filter(name -> name.startsWith(JANINO_OPTIONS))
                .forEach(name -> text.append(name).append('=').append(options.getProperty(name)).append('\n'));
            for (final Path place : places)
            {
                append(text, place);
            }
            return text.toString();
        }
        catch (final IOException | UncheckedIOException | IllegalArgumentException notAJar)
        {
            LOG.debug("generated classes are not kept, the build is not known: {}", notAJar.toString());
            return "";
        }
    }

    private static Path place(final Class<?> part) throws IOException
    {
        final Bundle bundle = FrameworkUtil.getBundle(part);
        final CodeSource source = part.getProtectionDomain().getCodeSource();
        String location = bundle != null && bundle.getBundleId() != 0 ? bundle.getLocation() :
            source == null ? "" : source.getLocation().toString();
        if (location.startsWith(REFERENCE))
        {
            location = location.substring(REFERENCE.length());
        }
        final Path place = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
        if (!Files.exists(place) || Files.exists(place.resolve(part.getName().replace('.', '/') + ".class")))
        {
            throw new IOException("not in a jar, class=" + part.getName() + " place=" + location);
        }
        return place;
    }

    /**
     * Writes down what is in a jar, or in the jars of an unpacked bundle that matter here.
     *
     * @param text  gets a line for each entry, whatever the order in the jar
     * @param place jar or directory; its path and time do not matter
     * @throws IOException when it cannot be read
     */
    static void append(final StringBuilder text, final Path place) throws IOException
    {
        if (Files.isDirectory(place))
        {
            final List<Path> jars;
            try (Stream<Path> files = Files.find(place, NESTED_DEPTH,
                (file, attributes) -> NESTED.matcher(file.getFileName().toString()).matches()))
            {
                jars = files.sorted().toList();
            }
            for (final Path jar : jars)
            {
                text.append(place.relativize(jar)).append('\n');
                append(text, jar);
            }
            return;
        }
        try (ZipFile zip = new ZipFile(place.toFile()))
        {
            zip.stream().sorted(Comparator.comparing(ZipEntry::getName)).forEach(entry -> text.append(entry.getName())
                .append(' ').append(entry.getSize()).append(' ').append(entry.getCrc()).append('\n'));
        }
    }
}
