package dev.millrace.test;

import dev.millrace.assembly.ConfigurationResource;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of an application on a class path.
 *
 * @param loader of the test
 */
record ClassPathFiles(ClassLoader loader)
{
    /** Directory of assembly files. */
    static final String SPRING = "META-INF/spring/";
    /** Directory of component configuration files. */
    static final String WLEVS = "META-INF/wlevs/";

    /**
     * Finds files by name.
     *
     * @throws IllegalArgumentException if one is not on the class path
     */
    List<ConfigurationResource> named(final List<String> names)
    {
        final List<ConfigurationResource> files = new ArrayList<>();
        for (final String name : names)
        {
            final URL found = loader.getResource(name);
            if (found == null)
            {
                throw new IllegalArgumentException("the class path does not contain the file, file=" + name);
            }
            files.add(new ConfigurationResource(name, found::openStream));
        }
        return files;
    }

    /**
     * Finds the XML files of a directory: those of the project, not of libraries. Files of the test replace those of
     * the same name, because they precede them in the class path.
     *
     * @return in order of their names
     */
    List<ConfigurationResource> in(final String directory) throws IOException
    {
        final Map<String, ConfigurationResource> files = new TreeMap<>();
        for (final URL found : Collections.list(loader.getResources(directory)))
        {
            if (found.getProtocol().equals("file"))
            {
                for (final Path file : list(found))
                {
                    files.putIfAbsent(file.getFileName().toString(),
                        new ConfigurationResource(directory + file.getFileName(), () -> Files.newInputStream(file)));
                }
            }
        }
        return List.copyOf(files.values());
    }

    private static List<Path> list(final URL directory) throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of(directory.toURI())))
        {
            return files.filter(file -> file.toString().endsWith(".xml")).toList();
        }
        catch (final URISyntaxException e)
        {
            throw new IOException("the directory cannot be read, directory=" + directory, e);
        }
    }
}
