package dev.millrace.cql.replay;

import dev.millrace.assembly.BundleDifference;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.advertised.DeclaredTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The files of a bundle. Jars inside of the bundle are copied to a temporary directory until {@link #close}. */
final class BundleFiles implements ApplicationFiles
{
    private static final String XML = ".xml";

    private final Path bundle;
    private final JarFile jar;
    private final List<Path> classPath;
    private Path nested;
    private URLClassLoader loader;

    /**
     * @param classPath further jars and directories of classes
     * @throws IOException if the bundle cannot be read
     */
    BundleFiles(final Path bundle, final List<Path> classPath) throws IOException
    {
        this.classPath = List.copyOf(classPath);
        this.bundle = bundle;
        jar = new JarFile(bundle.toFile());
    }

    @Override
    public String name()
    {
        final String header = header("Bundle-SymbolicName");
        final String file = bundle.getFileName().toString();
        return header == null ? file.replaceFirst("\\.jar$", "") : header.split(";")[0].strip();
    }

    private String header(final String name)
    {
        try
        {
            final Manifest manifest = jar.getManifest();
            return manifest == null ? null : manifest.getMainAttributes().getValue(name);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("the manifest cannot be read, bundle=" + bundle, e);
        }
    }

    /** The assembly files: those that the manifest lists, or all. */
    @Override
    public List<ConfigurationResource> assembly() throws IOException
    {
        final String header = header("Spring-Context");
        final List<ConfigurationResource> listed = new ArrayList<>();
        for (final String part : header == null ? new String[0] : header.split("[,;]"))
        {
            if (!part.contains(":=") && !part.isBlank() && !part.strip().equals("*"))
            {
                listed.add(resource(part.strip()));
            }
        }
        return listed.isEmpty() ? files(SPRING) : listed;
    }

    @Override
    public List<ConfigurationResource> configuration() throws IOException
    {
        return files(WLEVS);
    }

    @Override
    public Map<String, byte[]> contents() throws IOException
    {
        final Map<String, byte[]> contents = new TreeMap<>();
        for (final JarEntry entry : Collections.list(jar.entries()))
        {
            if (!entry.isDirectory() && BundleDifference.isContent(entry.getName()))
            {
                try (InputStream in = jar.getInputStream(entry))
                {
                    contents.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return contents;
    }

    @Override
    public Map<String, String> headers() throws IOException
    {
        return jar.getManifest() == null ? Map.of() : BundleDifference.headers(jar.getManifest());
    }

    private List<ConfigurationResource> files(final String directory) throws IOException
    {
        final List<ConfigurationResource> files = new ArrayList<>();
        for (final JarEntry entry : jar.stream().sorted((a, b) -> a.getName().compareTo(b.getName())).toList())
        {
            final String name = entry.getName();
            if (name.startsWith(directory) && name.endsWith(XML) && name.indexOf('/', directory.length()) < 0)
            {
                files.add(resource(name));
            }
        }
        return files;
    }

    private ConfigurationResource resource(final String name) throws IOException
    {
        final JarEntry entry = jar.getJarEntry(name);
        if (entry == null)
        {
            throw new IOException("the bundle does not contain the file, path=" + name);
        }
        try (InputStream in = jar.getInputStream(entry))
        {
            final byte[] content = in.readAllBytes();
            return new ConfigurationResource(name, () -> new ByteArrayInputStream(content));
        }
    }

    @Override
    public Properties properties()
    {
        return new Properties();
    }

    /** The classes of the bundle and of the jars in its class path, then those of this process. */
    @Override
    public ClassLoader classes() throws IOException
    {
        if (loader == null)
        {
            final List<URL> urls = new ArrayList<>();
            final String header = header("Bundle-ClassPath");
            for (final String part : header == null ? new String[] {"."} : header.split(","))
            {
                final JarEntry entry = part.strip().equals(".") ? null : jar.getJarEntry(part.strip());
                if (part.strip().equals("."))
                {
                    urls.add(bundle.toUri().toURL());
                }
                else if (entry != null && !entry.isDirectory())
                {
                    urls.add(copied(entry).toUri().toURL());
                }
            }
            for (final Path further : classPath)
            {
                urls.add(further.toUri().toURL());
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), BundleFiles.class.getClassLoader());
        }
        return loader;
    }

    private Path copied(final JarEntry entry) throws IOException
    {
        if (nested == null)
        {
            nested = Files.createTempDirectory("millrace-replay");
        }
        try (InputStream in = jar.getInputStream(entry); Stream<Path> before = Files.list(nested))
        {
            final Path copy = nested.resolve(before.count() + ".jar");
            Files.copy(in, copy);
            return copy;
        }
    }

    @Override
    public boolean imports(final String packageName)
    {
        final String header = header("Import-Package");
        // Commas also separate the bounds of versions, whose parts are not names of packages.
        return header != null && Arrays.stream(header.split("[,;]")).map(String::strip).anyMatch(packageName::equals);
    }

    @Override
    public DeclaredTypes typesOf(final Set<String> applications)
    {
        return null;
    }

    @Override
    public void close() throws IOException
    {
        try (jar)
        {
            if (loader != null)
            {
                loader.close();
            }
            if (nested != null)
            {
                try (Stream<Path> copies = Files.list(nested))
                {
                    for (final Path copy : copies.toList())
                    {
                        Files.delete(copy);
                    }
                }
                Files.delete(nested);
            }
        }
    }
}
