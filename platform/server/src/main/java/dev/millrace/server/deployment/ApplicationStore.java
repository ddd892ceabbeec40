package dev.millrace.server.deployment;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.RuleFiles;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.spi.ApplicationSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files below {@code applications}: for each application, its bundle and copies of its component configuration
 * files, which a user may edit. A new version is written next to the old one and replaces it by renaming. Confined to
 * one thread at a time.
 *
 * <pre>
 *   applications/NAME/NAME.jar, NAME/META-INF/wlevs/*.xml   the deployed version
 *   applications/NAME/live-rules/PROCESSOR.xml              rules changed at run time, valid until its next version
 *   applications/NAME/changed-configuration/*.xml           copies of the configuration files that were changed
 *   applications/.next-NAME/                                a new version until it has started
 *   applications/.old-NAME/                                 the previous version during the replacement
 * </pre>
 */
final class ApplicationStore
{
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationStore.class);

    private static final String CONFIGURATION = "META-INF/wlevs";

    private static final String CHANGED = "changed-configuration";

    private static final String XML = ".xml";

    private static final String PREPARED = ".next";

    private static final String INCOMING = ".incoming";

    private static final String NEXT = ".next-";

    private static final String OLD = ".old-";

    private final DomainFiles files;

    private final Path root;

    /** The state of durable processors, by application. */
    private final Path state;

    ApplicationStore(final DomainFiles files, final Path domain)
    {
        this.files = files;
        this.root = domain.resolve("applications");
        this.state = domain.resolve("var").resolve("state");
    }

    /** Repairs the state that a crash left between two renames. */
    void recover() throws IOException
    {
        files.createDirectories(root);
        for (final Path directory : list(root))
        {
            final String name = directory.getFileName().toString();
            if (name.startsWith(OLD))
            {
                final Path current = root.resolve(name.substring(OLD.length()));
                if (Files.exists(current))
                {
                    files.deleteTree(directory);
                }
                else
                {
                    files.move(directory, current);
                }
            }
        }
        for (final Path directory : list(root))
        {
            final String name = directory.getFileName().toString();
            if (name.startsWith(NEXT) || name.equals(INCOMING))
            {
                files.deleteTree(directory);
            }
        }
    }

    /** Stores an upload until its application is known; the caller closes it. */
    Upload receive(final InputStream content) throws IOException
    {
        return new Upload(files.receive(root.resolve(INCOMING), "upload-", content));
    }

    /** Lays out a received bundle as the next version of an application, with the given changed settings. */
    void prepareNext(final String name, final Path received, final ApplicationSettings settings) throws IOException
    {
        final Path next = root.resolve(NEXT + name);
        files.deleteTree(next);
        try
        {
            files.createDirectories(next);
            final Path jar = next.resolve(name + ".jar");
            files.move(received, jar);
            final Path configuration = files.createDirectories(next.resolve(CONFIGURATION));
            for (final Map.Entry<String, byte[]> file : configurationIn(jar).entrySet())
            {
                files.write(configuration.resolve(file.getKey()), file.getValue());
            }
            for (final Map.Entry<String, String> file : settings.configuration().entrySet())
            {
                files.write(configuration.resolve(file.getKey()), file.getValue());
                files.write(files.createDirectories(next.resolve(CHANGED)).resolve(file.getKey()), file.getValue());
            }
            for (final Map.Entry<String, String> rules : settings.rules().entrySet())
            {
                files.write(files.createDirectories(next.resolve(RuleFiles.FOLDER)).resolve(rules.getKey() + XML),
                    rules.getValue());
            }
        }
        catch (final IOException e)
        {
            files.deleteTree(next);
            throw e;
        }
    }

    /** Returns the configuration files in a bundle, by name without folder. */
    static Map<String, byte[]> configurationIn(final Path jar) throws IOException
    {
        final Map<String, byte[]> files = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile()))
        {
            for (final ZipEntry entry : Collections.list(zip.entries()))
            {
                if (entry.getName().matches(CONFIGURATION + "/[^/]+\\.xml"))
                {
                    try (InputStream in = zip.getInputStream(entry))
                    {
                        files.put(entry.getName().substring(CONFIGURATION.length() + 1), in.readAllBytes());
                    }
                }
            }
        }
        return files;
    }

    /** Returns the changed settings of the application that this bundle belongs to. */
    static ApplicationSettings settings(final Path jar) throws IOException
    {
        final Map<String, String> configuration = new TreeMap<>();
        for (final Path file : xmlFiles(jar.resolveSibling(CHANGED)))
        {
            configuration.put(file.getFileName().toString(), Files.readString(file));
        }
        final Map<String, String> rules = new TreeMap<>();
        for (final Path file : xmlFiles(jar.resolveSibling(RuleFiles.FOLDER)))
        {
            final String name = file.getFileName().toString();
            rules.put(name.substring(0, name.length() - XML.length()), Files.readString(file));
        }
        return new ApplicationSettings(configuration, rules);
    }

    private static List<Path> xmlFiles(final Path folder) throws IOException
    {
        return !Files.isDirectory(folder) ? List.of() :
            list(folder).stream().filter(file -> file.getFileName().toString().endsWith(XML)).toList();
    }

    /** Replaces the current version with the next one; on failure the current one stays. */
    void commitNext(final String name) throws IOException
    {
        exchange(name);
        forgetOld(name);
    }

    /** Replaces the current version with the next one, until {@link #exchangeBack} is called. */
    void exchange(final String name) throws IOException
    {
        final Path current = root.resolve(name);
        final Path old = root.resolve(OLD + name);
        files.deleteTree(old);
        final boolean isUpdate = Files.exists(current);
        if (isUpdate)
        {
            files.move(current, old);
        }
        try
        {
            files.move(root.resolve(NEXT + name), current);
        }
        catch (final IOException e)
        {
            if (isUpdate)
            {
                files.move(old, current);
            }
            throw e;
        }
    }

    /** Restores the previous version as the current one. */
    void exchangeBack(final String name) throws IOException
    {
        final Path current = root.resolve(name);
        final Path next = root.resolve(NEXT + name);
        files.deleteTree(next);
        files.move(current, next);
        if (Files.exists(root.resolve(OLD + name)))
        {
            files.move(root.resolve(OLD + name), current);
        }
        files.deleteTree(next);
    }

    /** Deletes the previous version. Files that cannot be deleted are deleted at the next start. */
    void forgetOld(final String name)
    {
        try
        {
            files.deleteTree(root.resolve(OLD + name));
        }
        catch (final IOException e)
        {
            LOG.warn("files of the previous version cannot be removed, name={} reason={}", name, e.toString());
        }
    }

    void dropNext(final String name) throws IOException
    {
        files.deleteTree(root.resolve(NEXT + name));
    }

    void remove(final String name) throws IOException
    {
        files.deleteTree(root.resolve(name));
        files.deleteTree(state.resolve(name));
    }

    Path jar(final String name)
    {
        return root.resolve(name).resolve(name + ".jar");
    }

    Path nextJar(final String name)
    {
        return root.resolve(NEXT + name).resolve(name + ".jar");
    }

    /** Returns the configuration files next to a bundle, or {@code null} when it has no folder for them. */
    static List<ConfigurationResource> configuration(final Path jar) throws IOException
    {
        final Path folder = jar.resolveSibling(CONFIGURATION);
        if (!Files.isDirectory(folder))
        {
            return null;
        }
        final List<ConfigurationResource> resources = new ArrayList<>();
        for (final Path file : xmlFiles(folder))
        {
            resources.add(new ConfigurationResource(
                CONFIGURATION + '/' + file.getFileName(), () -> Files.newInputStream(file)));
        }
        addLiveRules(jar, resources);
        return resources;
    }

    /** Adds the files of rules that were changed at run time. */
    private static void addLiveRules(final Path jar, final List<ConfigurationResource> resources) throws IOException
    {
        for (final Path file : xmlFiles(jar.resolveSibling(RuleFiles.FOLDER)))
        {
            resources.add(new ConfigurationResource(
                RuleFiles.FOLDER + file.getFileName(), () -> Files.newInputStream(file)));
        }
    }

    /**
     * Writes the rules of a processor to a temporary file; {@link #commitRules} replaces the current file with it.
     *
     * @return the file to commit or delete
     */
    Path prepareRules(final String name, final String processor, final String text) throws IOException
    {
        final Path folder = files.createDirectories(root.resolve(name).resolve(RuleFiles.FOLDER));
        final Path next = folder.resolve(processor + XML + PREPARED);
        try
        {
            files.write(next, text);
            return next;
        }
        catch (final IOException e)
        {
            Files.deleteIfExists(next);
            throw e;
        }
    }

    /** Replaces the current rules file with the prepared one. */
    void commitRules(final Path next) throws IOException
    {
        final String name = next.getFileName().toString();
        files.move(next, next.resolveSibling(name.substring(0, name.length() - PREPARED.length())));
    }

    /** Deletes prepared rules. A file that cannot be deleted is never read. */
    void dropRules(final Path next)
    {
        try
        {
            Files.deleteIfExists(next);
        }
        catch (final IOException e)
        {
            LOG.warn("prepared rules cannot be removed, file={} reason={}", next, e.toString());
        }
    }

    /** Deletes the changed rules of a processor. */
    void removeRules(final String name, final String processor) throws IOException
    {
        files.delete(root.resolve(name).resolve(RuleFiles.FOLDER).resolve(processor + XML));
    }

    /** Whether an application has rules changed at run time that its next version does not have. */
    boolean losesLiveRules(final String name)
    {
        return Files.isDirectory(root.resolve(name).resolve(RuleFiles.FOLDER)) &&
            !Files.isDirectory(root.resolve(NEXT + name).resolve(RuleFiles.FOLDER));
    }

    private static List<Path> list(final Path directory) throws IOException
    {
        final List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory))
        {
            stream.forEach(paths::add);
        }
        Collections.sort(paths);
        return paths;
    }
}
