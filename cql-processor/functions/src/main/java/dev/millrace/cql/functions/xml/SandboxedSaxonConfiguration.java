package dev.millrace.cql.functions.xml;

import java.util.Set;
import net.sf.saxon.Configuration;
import net.sf.saxon.lib.EnvironmentVariableResolver;
import net.sf.saxon.lib.Feature;
import net.sf.saxon.lib.Logger;
import net.sf.saxon.trans.XPathException;
import org.xml.sax.XMLReader;

/**
 * A Saxon configuration without access to the outside: no files, no look-ups, no class loading, no output, no system
 * properties.
 */
final class SandboxedSaxonConfiguration extends Configuration
{
    SandboxedSaxonConfiguration()
    {
        setBooleanProperty(Feature.ALLOW_EXTERNAL_FUNCTIONS, false);
        setConfigurationProperty(Feature.ALLOWED_PROTOCOLS, "");
        setBooleanProperty(Feature.XINCLUDE, false);
        setBooleanProperty(Feature.DTD_VALIDATION, false);
        setResourceResolver(request ->
        {
            throw closed(request.uri);
        });
        setUnparsedTextURIResolver((uri, encoding, configuration) ->
        {
            throw closed(String.valueOf(uri));
        });
        setCollectionFinder((context, uri) ->
        {
            throw closed(uri);
        });
        setModuleURIResolver((module, base, locations) ->
        {
            throw closed(module);
        });
        setConfigurationProperty(Feature.ENVIRONMENT_VARIABLE_RESOLVER, new NoVariables());
        setLogger(new Silent());
    }

    private static XPathException closed(final String what)
    {
        return new XPathException("nothing outside the value can be read, uri=" + what);
    }

    @Override
    public XMLReader getSourceParser()
    {
        return HardenedXml.newReader();
    }

    /** No environment. */
    private static final class NoVariables implements EnvironmentVariableResolver
    {
        @Override
        public Set<String> getAvailableEnvironmentVariables()
        {
            return Set.of();
        }

        @Override
        public String getEnvironmentVariable(final String name)
        {
            return null;
        }
    }

    /** Logs nothing: failures are part of the row's rejection. */
    private static final class Silent extends Logger
    {
        @Override
        public void println(final String message, final int severity)
        {
        }
    }
}
