package dev.millrace.server.extender.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.xml.NamespaceHandler;

/**
 * Namespace handlers and schemas of all resolved bundles: their {@code META-INF/spring.handlers} and {@code
 * META-INF/spring.schemas}, read through their wirings. Thread-safe.
 */
public final class NamespaceRegistry
{
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceRegistry.class);

    private static final int RESOLVED = Bundle.RESOLVED | Bundle.STARTING | Bundle.ACTIVE | Bundle.STOPPING;

    private final BundleContext context;

    private final Map<Long, Entry> entries = new HashMap<>();

    public NamespaceRegistry(final BundleContext context)
    {
        this.context = context;
    }

    /** The handlers and schemas of a bundle; valid for one wiring. */
    private static final class Entry
    {
        private final BundleWiring wiring;

        private final Map<String, String> handlerClasses;

        private final Map<String, String> schemas;

        private final Map<String, NamespaceHandler> handlers = new HashMap<>();

        Entry(final Bundle bundle, final BundleWiring wiring)
        {
            this.wiring = wiring;
            this.handlerClasses = read(bundle, "META-INF/spring.handlers");
            this.schemas = new HashMap<>();
            read(bundle, "META-INF/spring.schemas").forEach((id, path) -> schemas.put(normal(id), path));
        }
    }

    /**
     * A handler and its bundle.
     *
     * @param handler initialized
     */
    record FoundHandler(Bundle bundle, NamespaceHandler handler)
    {
    }

    /** Returns the handler of a namespace, or {@code null}. */
    synchronized FoundHandler handler(final String namespace)
    {
        for (final Bundle bundle : context.getBundles())
        {
            final Entry entry = entry(bundle);
            if (entry != null && entry.handlerClasses.containsKey(namespace))
            {
                final NamespaceHandler handler = entry.handlers.computeIfAbsent(
                    entry.handlerClasses.get(namespace), className -> newHandler(bundle, className));
                if (handler != null)
                {
                    return new FoundHandler(bundle, handler);
                }
            }
        }
        return null;
    }

    /** Returns the schema of a system id, or {@code null}. */
    public synchronized URL schema(final String systemId)
    {
        final String wanted = normal(systemId);
        for (final Bundle bundle : context.getBundles())
        {
            final Entry entry = entry(bundle);
            final String path = entry == null ? null : entry.schemas.get(wanted);
            final URL url = path == null ? null : bundle.getResource(path);
            if (url != null)
            {
                return url;
            }
        }
        return null;
    }

    private Entry entry(final Bundle bundle)
    {
        final BundleWiring wiring = (bundle.getState() & RESOLVED) == 0 ? null : bundle.adapt(BundleWiring.class);
        // The system bundle has the class path of the launcher; namespaces come only from other bundles.
        if (wiring == null || bundle.getBundleId() == 0)
        {
            entries.remove(bundle.getBundleId());
            return null;
        }
        final Entry known = entries.get(bundle.getBundleId());
        if (known != null && known.wiring == wiring)
        {
            return known;
        }
        final Entry made = new Entry(bundle, wiring);
        entries.put(bundle.getBundleId(), made);
        return made;
    }

    private static NamespaceHandler newHandler(final Bundle bundle, final String className)
    {
        try
        {
            final Class<?> type = bundle.loadClass(className);
            if (!NamespaceHandler.class.isAssignableFrom(type))
            {
                LOG.warn("namespace handler uses another copy of Spring, bundle={} class={}", bundle.getSymbolicName(),
                    className);
                return null;
            }
            final NamespaceHandler handler = (NamespaceHandler)type.getConstructor().newInstance();
            handler.init();
            return handler;
        }
        catch (final ReflectiveOperationException | LinkageError e)
        {
            // Spring's own list contains handlers whose libraries are optional, so this alone is not an error; a file
            // that uses the namespace gets the error that it has no handler.
            LOG.info("namespace handler cannot be used, bundle={} class={} reason={}", bundle.getSymbolicName(),
                className, e.toString());
            return null;
        }
    }

    private static Map<String, String> read(final Bundle bundle, final String path)
    {
        final Map<String, String> read = new HashMap<>();
        try
        {
            final var urls = bundle.getResources(path);
            if (urls == null)
            {
                return Map.of();
            }
            for (final URL url : Collections.list(urls))
            {
                final Properties properties = new Properties();
                try (InputStream in = url.openStream())
                {
                    properties.load(in);
                }
                properties.stringPropertyNames().forEach(
                    name -> read.putIfAbsent(name.trim(), properties.getProperty(name).trim()));
            }
        }
        catch (final IOException e)
        {
            LOG.warn("cannot read namespaces, bundle={} path={} reason={}", bundle.getSymbolicName(), path,
                e.toString());
        }
        return read;
    }

    /** Normalizes the scheme, because Spring uses both schemes for the same schema. */
    public static String normal(final String systemId)
    {
        return systemId.toLowerCase(Locale.ROOT).startsWith("https://") ? "http://" + systemId.substring(8) : systemId;
    }
}
