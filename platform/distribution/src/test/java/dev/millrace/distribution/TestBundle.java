package dev.millrace.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A bundle that a test deploys: an assembly file and, optionally, a configuration file and classes. */
final class TestBundle
{
    private final String symbolicName;
    private final Manifest manifest = new Manifest();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    TestBundle(final String symbolicName, final String assembly)
    {
        this.symbolicName = symbolicName;
        header("Manifest-Version", "1.0").header("Bundle-ManifestVersion", "2")
            .header("Bundle-SymbolicName", symbolicName).header("Bundle-Version", "1.0.0");
        entries.put("META-INF/spring/context.xml", assembly.getBytes(StandardCharsets.UTF_8));
    }

    TestBundle configuration(final String text)
    {
        entries.put("META-INF/wlevs/configuration.xml", text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    TestBundle header(final String name, final String value)
    {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    /** Adds a class of the tests. */
    TestBundle type(final Class<?> type) throws IOException
    {
        final String name = type.getName().replace('.', '/') + ".class";
        try (InputStream code = type.getClassLoader().getResourceAsStream(name))
        {
            entries.put(name, code.readAllBytes());
        }
        return this;
    }

    /** Writes the bundle to a file that has its name. */
    Path write(final Path directory) throws IOException
    {
        final Path file = directory.resolve(symbolicName + "-" +
            manifest.getMainAttributes().getValue("Bundle-Version") + ".jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest))
        {
            for (final Map.Entry<String, byte[]> entry : entries.entrySet())
            {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
        return file;
    }
}
