package dev.millrace.server.extender.bundle;

import java.io.IOException;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.xml.NamespaceHandler;
import org.springframework.beans.factory.xml.NamespaceHandlerResolver;
import org.xml.sax.EntityResolver;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Finds handlers and schemas for one context and records the bundles that provide them. An unknown schema is an error,
 * because otherwise the parser would open a network connection. Not thread-safe.
 */
public final class NamespaceResolver implements NamespaceHandlerResolver, EntityResolver
{
    private final NamespaceRegistry bundles;

    private final Set<Long> used = new HashSet<>();

    public NamespaceResolver(final NamespaceRegistry bundles)
    {
        this.bundles = bundles;
    }

    @Override
    public NamespaceHandler resolve(final String namespaceUri)
    {
        final NamespaceRegistry.FoundHandler found = bundles.handler(namespaceUri);
        if (found == null)
        {
            return null;
        }
        used.add(found.bundle().getBundleId());
        return found.handler();
    }

    @Override
    public InputSource resolveEntity(final String publicId, final String systemId) throws SAXException, IOException
    {
        final URL url = systemId == null ? null : bundles.schema(systemId);
        if (url == null)
        {
            throw new SAXException("SRV-0305: no bundle contains this schema, systemId=" + systemId
                + " hint: correct xsi:schemaLocation; schemas are never fetched from the network");
        }
        final InputSource source = new InputSource(url.openStream());
        source.setPublicId(publicId);
        source.setSystemId(systemId);
        return source;
    }

    /** Returns the ids of the bundles whose handlers were used. */
    public Set<Long> used()
    {
        return Set.copyOf(used);
    }
}
