package dev.millrace.command.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles classes against stand-ins for the old API, and packs them into a bundle. */
final class OldSources
{
    /** Interfaces with some methods of the old API. */
    static final Map<String, String> API = Map.of(
        "com.bea.wlevs.ede.api.StreamSink", "public interface StreamSink { void onInsertEvent(Object event); }",
        "com.bea.wlevs.ede.api.StreamSender",
        "public interface StreamSender { void sendInsertEvent(Object event); void sendAll(int count); }",
        "com.bea.wlevs.ede.api.BatchStreamSink",
        "public interface BatchStreamSink { void onInsertEvents(Object[] events); }",
        "com.bea.wlevs.ede.api.RelationSource", "public interface RelationSource { void setEventSender("
            + "com.bea.wlevs.ede.api.StreamSender sender); }",
        "com.bea.wlevs.ede.api.EventBuilder", "public interface EventBuilder { Object createEvent(); }",
        "com.bea.wlevs.util.Service", "@java.lang.annotation.Retention("
            + "java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Service { int timeout() default 0; }",
        "com.bea.cache.jcache.CacheLoader", "public interface CacheLoader<K, V> { V load(K key);"
            + " java.util.Map<K, V> loadAll(java.util.Collection<K> keys); java.util.Map<K, V> loadAll(); }",
        "javax.jms.Message", "public interface Message { String getText(); }");

    private OldSources()
    {
    }

    /** Returns the class files of sources without package, by entry of a jar. */
    static Map<String, byte[]> compile(final Path directory, final Map<String, String> sources) throws IOException
    {
        final List<Path> files = new ArrayList<>();
        final Map<String, String> all = new HashMap<>(API);
        all.putAll(sources);
        for (final Map.Entry<String, String> source : all.entrySet())
        {
            final Path file = directory.resolve("src").resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, "package " +
                source.getKey().substring(0, source.getKey().lastIndexOf('.')) + ";\n" + source.getValue()));
        }
        final Path classes = Files.createDirectories(directory.resolve("classes"));
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter output = new StringWriter();
        assertThat(compiler.getTask(output, null, null, List.of("-d", classes.toString(), "-cp", classes.toString(),
            "--release", "8", "-Xlint:-options"), null, compiler.getStandardFileManager(null, null, null)
            .getJavaFileObjectsFromPaths(files)).call()).as(output.toString()).isTrue();
        final Map<String, byte[]> entries = new HashMap<>();
        try (Stream<Path> found = Files.walk(classes))
        {
            for (final Path file : found.filter(Files::isRegularFile).toList())
            {
                entries.put(classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return entries;
    }

    /** Writes a bundle with the classes of a package and other entries. */
    static Path bundle(final Path file, final Map<String, byte[]> classes, final Map<String, byte[]> others)
        throws IOException
    {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file)))
        {
            for (final Map<String, byte[]> each : List.of(others, classes))
            {
                for (final Map.Entry<String, byte[]> entry : each.entrySet())
                {
                    if (each == others || entry.getKey().startsWith("app/"))
                    {
                        zip.putNextEntry(new ZipEntry(entry.getKey()));
                        zip.write(entry.getValue());
                        zip.closeEntry();
                    }
                }
            }
        }
        return file;
    }

    static byte[] manifest(final String... lines)
    {
        return ("Manifest-Version: 1.0\r\nBundle-SymbolicName: app\r\n" +
            String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
    }

    static Manifest manifest(final Path bundle) throws IOException
    {
        try (JarFile jar = new JarFile(bundle.toFile()))
        {
            return jar.getManifest();
        }
    }

    static byte[] entry(final Path bundle, final String name) throws IOException
    {
        try (JarFile jar = new JarFile(bundle.toFile()))
        {
            final JarEntry entry = jar.getJarEntry(name);
            return entry == null ? null : jar.getInputStream(entry).readAllBytes();
        }
    }
}
