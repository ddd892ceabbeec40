package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The files of the next version of an application of a domain, which has the domain's values of placeholders
 * and applications. */
final class NextVersionFiles implements ApplicationFiles
{
    private final ApplicationFiles next;
    private final ApplicationFiles deployed;

    /**
     * @param next     owned
     * @param deployed files of the deployed version
     */
    NextVersionFiles(final ApplicationFiles next, final ApplicationFiles deployed)
    {
        this.next = next;
        this.deployed = deployed;
    }

    @Override
    public String name()
    {
        return next.name();
    }

    @Override
    public List<ConfigurationResource> assembly() throws IOException
    {
        return next.assembly();
    }

    @Override
    public List<ConfigurationResource> configuration() throws IOException
    {
        return next.configuration();
    }

    @Override
    public Map<String, byte[]> contents() throws IOException
    {
        return next.contents();
    }

    @Override
    public Map<String, String> headers() throws IOException
    {
        return next.headers();
    }

    @Override
    public Properties properties() throws IOException
    {
        return deployed.properties();
    }

    @Override
    public ClassLoader classes() throws IOException
    {
        return next.classes();
    }

    @Override
    public boolean imports(final String packageName) throws IOException
    {
        return next.imports(packageName);
    }

    @Override
    public DeclaredTypes typesOf(final Set<String> applications) throws IOException, DeploymentException
    {
        return deployed.typesOf(applications);
    }

    @Override
    public void close() throws IOException
    {
        next.close();
    }
}
