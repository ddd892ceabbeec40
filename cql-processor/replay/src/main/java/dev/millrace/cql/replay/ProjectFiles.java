package dev.millrace.cql.replay;

import dev.millrace.assembly.BundleDifference;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.advertised.DeclaredTypes;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a project: those below {@code src/main/resources} or, without that directory, those below the directory
 * itself, and the compiled classes in {@code target/classes}.
 */
final class ProjectFiles implements ApplicationFiles
{
    private final Path project;
    private final Path resources;
    private final List<Path> classPath;
    private URLClassLoader loader;

    ProjectFiles(final Path project, final List<Path> classPath)
    {
        this.classPath = List.copyOf(classPath);
        this.project = project.toAbsolutePath().normalize();
        final Path nested = this.project.resolve("src/main/resources");
        resources = Files.isDirectory(nested) ? nested : this.project;
    }

    @Override
    public String name()
    {
        return String.valueOf(project.getFileName());
    }

    @Override
    public List<ConfigurationResource> assembly() throws IOException
    {
        return xmlFiles(resources.resolve(SPRING), SPRING);
    }

    @Override
    public List<ConfigurationResource> configuration() throws IOException
    {
        return xmlFiles(resources.resolve(WLEVS), WLEVS);
    }

    /** The compiled classes with the resources that the build has copied, and the current resources. */
    @Override
    public Map<String, byte[]> contents() throws IOException
    {
        final Map<String, byte[]> contents = new TreeMap<>();
        final boolean isBuilt = !resources.equals(project);
        for (final Path root : isBuilt ? List.of(compiled(), resources) : List.of(resources))
        {
            try (Stream<Path> files = Files.isDirectory(root) ? Files.walk(root) : Stream.empty())
            {
                for (final Path file : files.filter(Files::isRegularFile).toList())
                {
                    final String path = root.relativize(file).toString().replace('\\', '/');
                    if (BundleDifference.isContent(path))
                    {
                        contents.put(path, Files.readAllBytes(file));
                    }
                }
            }
        }
        return contents;
    }

    @Override
    public Map<String, String> headers()
    {
        return null;
    }

    /** The XML files of a directory, in order of their names; none if there is no such directory. */
    static List<ConfigurationResource> xmlFiles(final Path directory, final String name) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter(file -> file.toString().endsWith(".xml")).sorted().map(file ->
                new ConfigurationResource(name + file.getFileName(), () -> Files.newInputStream(file))).toList();
        }
    }

    @Override
    public Properties properties()
    {
        return new Properties();
    }

    @Override
    public ClassLoader classes() throws IOException
    {
        if (loader == null)
        {
            final List<URL> urls = new ArrayList<>();
            urls.add(resources.toUri().toURL());
            urls.add(compiled().toUri().toURL());
            for (final Path further : classPath)
            {
                urls.add(further.toUri().toURL());
            }
            loader = new URLClassLoader(urls.toArray(URL[]::new), ProjectFiles.class.getClassLoader());
        }
        return loader;
    }

    private Path compiled()
    {
        return project.resolve("target/classes");
    }

    /** Whether the project has Java code that was not compiled. */
    boolean isUncompiled()
    {
        return Files.isDirectory(project.resolve("src/main/java")) && !Files.isDirectory(compiled());
    }

    @Override
    public boolean imports(final String packageName)
    {
        return false;
    }

    @Override
    public DeclaredTypes typesOf(final Set<String> applications)
    {
        return null;
    }

    @Override
    public void close() throws IOException
    {
        if (loader != null)
        {
            loader.close();
        }
    }
}
