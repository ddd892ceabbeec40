package dev.millrace.cql.replay;

import dev.millrace.assembly.ConfigurationResource;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The files of the next version of an application of a domain, which has the domain's values of placeholders. */
final class NextVersionFiles implements ApplicationFiles
{
    private final ApplicationFiles next;
    private final Properties properties;

    /**
     * @param next       owned
     * @param properties of the domain
     */
    NextVersionFiles(final ApplicationFiles next, final Properties properties)
    {
        this.next = next;
        this.properties = properties;
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
    public Properties properties()
    {
        return properties;
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
    public void close() throws IOException
    {
        next.close();
    }
}
