package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.RuleFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The files of an application in a domain, as a server uses them: its bundle, the copies of its component configuration
 * files, the rules that were changed at run time, and its properties. Reads only, except that jars inside of the bundle
 * are copied to a temporary directory until {@link #close}.
 */
final class ApplicationFiles implements AutoCloseable
{
    private static final String SPRING = "META-INF/spring/";
    private static final String WLEVS = "META-INF/wlevs/";
    private static final String XML = ".xml";

    private final Path domain;
    private final String application;
    private final JarFile jar;
    private final Path folder;
    private Path nested;
    private URLClassLoader loader;

    /**
     * @throws IOException if the bundle cannot be read
     */
    ApplicationFiles(final Path domain, final String application) throws IOException
    {
        this.domain = domain;
        this.application = application;
        folder = domain.resolve("applications").resolve(application);
        jar = new JarFile(bundle().toFile());
    }

    private Path bundle()
    {
        return folder.resolve(application + ".jar");
    }

    /** The assembly files of the bundle: those that its manifest lists, or all. */
    List<ConfigurationResource> assembly() throws IOException
    {
        final Manifest manifest = jar.getManifest();
        final String header = manifest == null ? null : manifest.getMainAttributes().getValue("Spring-Context");
        final List<ConfigurationResource> listed = new ArrayList<>();
        for (final String part : header == null ? new String[0] : header.split("[,;]"))
        {
            if (!part.contains(":=") && !part.isBlank() && !part.strip().equals("*"))
            {
                listed.add(resource(part.strip()));
            }
        }
        return listed.isEmpty() ? inBundle(SPRING) : listed;
    }

    /** The component configuration files: the copies in the domain or, without any, those of the bundle. */
    List<ConfigurationResource> configuration() throws IOException
    {
        final Path copies = folder.resolve(WLEVS);
        if (!Files.isDirectory(copies))
        {
            return inBundle(WLEVS);
        }
        final List<ConfigurationResource> files = new ArrayList<>(inDomain(copies, WLEVS));
        files.addAll(inDomain(folder.resolve(RuleFiles.FOLDER), RuleFiles.FOLDER));
        return files;
    }

    private static List<ConfigurationResource> inDomain(final Path directory, final String name) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter(file -> file.toString().endsWith(XML)).sorted().map(file ->
                new ConfigurationResource(name + file.getFileName(), () -> Files.newInputStream(file))).toList();
        }
    }

    private List<ConfigurationResource> inBundle(final String directory) throws IOException
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

    /** Values of placeholders, from {@code config/NAME.properties}. */
    Properties properties() throws IOException
    {
        final Properties properties = new Properties();
        final Path file = domain.resolve("config").resolve(application + ".properties");
        if (Files.isRegularFile(file))
        {
            try (InputStream in = Files.newInputStream(file))
            {
                properties.load(in);
            }
        }
        return properties;
    }

    /** The classes of the bundle and of the jars in its class path, then those of this process. */
    ClassLoader classes() throws IOException
    {
        if (loader == null)
        {
            final List<URL> urls = new ArrayList<>();
            final Manifest manifest = jar.getManifest();
            final String header = manifest == null ? null : manifest.getMainAttributes().getValue("Bundle-ClassPath");
            for (final String part : header == null ? new String[] {"."} : header.split(","))
            {
                final JarEntry entry = part.strip().equals(".") ? null : jar.getJarEntry(part.strip());
                if (part.strip().equals("."))
                {
                    urls.add(bundle().toUri().toURL());
                }
                else if (entry != null && !entry.isDirectory())
                {
                    urls.add(copied(entry).toUri().toURL());
                }
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), ApplicationFiles.class.getClassLoader());
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
