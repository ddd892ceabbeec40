package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * The files of an application in a domain, as a server uses them: its bundle, the copies of its component configuration
 * files, the rules that were changed at run time, and its properties.
 */
final class DomainFiles implements ApplicationFiles
{
    private final Path domain;
    private final String application;
    private final Path folder;
    private final BundleFiles bundle;

    /**
     * @throws IOException if the bundle cannot be read
     */
    DomainFiles(final Path domain, final String application) throws IOException
    {
        this.domain = domain;
        this.application = application;
        folder = domain.resolve("applications").resolve(application);
        bundle = new BundleFiles(folder.resolve(application + ".jar"), List.of());
    }

    @Override
    public String name()
    {
        return application;
    }

    @Override
    public List<ConfigurationResource> assembly() throws IOException
    {
        return bundle.assembly();
    }

    /** The copies in the domain or, without any, the files of the bundle. */
    @Override
    public List<ConfigurationResource> configuration() throws IOException
    {
        final Path copies = folder.resolve(WLEVS);
        if (!Files.isDirectory(copies))
        {
            return bundle.configuration();
        }
        final List<ConfigurationResource> files = new ArrayList<>(ProjectFiles.xmlFiles(copies, WLEVS));
        files.addAll(ProjectFiles.xmlFiles(folder.resolve(RuleFiles.FOLDER), RuleFiles.FOLDER));
        return files;
    }

    @Override
    public Map<String, byte[]> contents() throws IOException
    {
        return bundle.contents();
    }

    @Override
    public Map<String, String> headers() throws IOException
    {
        return bundle.headers();
    }

    /** Values of placeholders, from {@code config/NAME.properties}. */
    @Override
    public Properties properties() throws IOException
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

    @Override
    public ClassLoader classes() throws IOException
    {
        return bundle.classes();
    }

    @Override
    public boolean imports(final String packageName)
    {
        return bundle.imports(packageName);
    }

    /** From the bundles of the domain. */
    @Override
    public DeclaredTypes typesOf(final Set<String> applications) throws IOException, DeploymentException
    {
        final DeclaredTypes types = new DeclaredTypes();
        for (final String name : applications)
        {
            if (Files.isRegularFile(folder.resolveSibling(name).resolve(name + ".jar")))
            {
                try (DomainFiles other = new DomainFiles(domain, name))
                {
                    types.declare(this, name, OfflineReader.declaredTypes(other), Map.of());
                }
            }
        }
        return types;
    }

    @Override
    public void close() throws IOException
    {
        bundle.close();
    }
}
