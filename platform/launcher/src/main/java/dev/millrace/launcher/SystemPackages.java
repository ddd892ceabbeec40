package dev.millrace.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.StringJoiner;
import org.slf4j.LoggerFactory;

/** The packages of the launcher's class path that bundles may import. */
final class SystemPackages
{
    private static final String[] SLF4J = {"org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi"};

    /** Version under which libraries built for slf4j 1 look for the same packages. */
    private static final String SLF4J_1 = "1.7.36";

    /** Oldest slf4j 2; used when the jar's manifest was lost in repackaging. */
    private static final String SLF4J_2 = "2.0.0";

    /** Version reported by the bridge from commons-logging to slf4j. */
    private static final String COMMONS_LOGGING = "1.2";

    /**
     * Packages of Apache Ignite that the cluster's bundle uses; Ignite's jars share packages, so they cannot be
     * bundles.
     */
    private static final String[] IGNITE = {"org.apache.ignite", "org.apache.ignite.cache",
        "org.apache.ignite.cache.affinity", "org.apache.ignite.cache.affinity.rendezvous",
        "org.apache.ignite.cache.query", "org.apache.ignite.cluster", "org.apache.ignite.configuration",
        "org.apache.ignite.events", "org.apache.ignite.failure", "org.apache.ignite.lang", "org.apache.ignite.plugin",
        "org.apache.ignite.spi.communication", "org.apache.ignite.spi.communication.tcp",
        "org.apache.ignite.spi.discovery", "org.apache.ignite.spi.discovery.tcp",
        "org.apache.ignite.spi.discovery.tcp.ipfinder", "org.apache.ignite.spi.discovery.tcp.ipfinder.multicast",
        "org.apache.ignite.spi.discovery.tcp.ipfinder.vm",
        // Internal packages, for which Ignite has no setting.
        "org.apache.ignite.internal", "org.apache.ignite.internal.util.nio",
        "org.apache.ignite.spi.communication.tcp.internal", "org.apache.ignite.spi.discovery.tcp.internal"};

    /** Journals: the packages of the library below them are not visible to bundles. */
    private static final String JOURNAL = "dev.millrace.journal";

    /** Packages of JCache, which bundles import by version. */
    private static final String[] CACHE = {"javax.cache", "javax.cache.configuration", "javax.cache.event"};

    private static final String CACHE_VERSION = "1.1.1";

    /**
     * The HTTP server. Its jars are bundles, but the class data archive cannot contain classes of bundles, which took
     * 0.4 s per start.
     */
    private static final String[] JETTY = {"http", "http.compression", "http.content", "http.pathmap", "io",
        "io.content", "io.ssl", "server", "server.handler", "server.handler.gzip", "util", "util.annotation",
        "util.component", "util.compression", "util.preventers", "util.resource", "util.security", "util.ssl",
        "util.statistic", "util.thread", "util.thread.strategy"};

    private static final String JETTY_POM = "META-INF/maven/org.eclipse.jetty/jetty-util/pom.properties";

    private SystemPackages()
    {
    }

    /** Value of {@code org.osgi.framework.system.packages.extra}. */
    static String extra()
    {
        final String written = LoggerFactory.class.getPackage().getImplementationVersion();
        final String slf4j = written == null ? SLF4J_2 : written;
        final StringJoiner packages = new StringJoiner(",");
        for (final String name : SLF4J)
        {
            packages.add(name + ";version=\"" + slf4j + '"');
            packages.add(name + ";version=\"" + SLF4J_1 + '"');
        }
        packages.add("org.apache.commons.logging;version=\"" + COMMONS_LOGGING + '"');
        packages.add("org.apache.commons.logging.impl;version=\"" + COMMONS_LOGGING + '"');
        for (final String name : CACHE)
        {
            packages.add(name + ";version=\"" + CACHE_VERSION + '"');
        }
        for (final String name : IGNITE)
        {
            packages.add(name);
        }
        packages.add(JOURNAL);
        final String jetty = jettyVersion();
        for (final String name : jetty.isEmpty() ? new String[0] : JETTY)
        {
            packages.add("org.eclipse.jetty." + name + ";version=\"" + jetty + '"');
        }
        return packages.toString();
    }

    /** Version of Jetty on the class path; empty when it is missing, as in tests that install it as bundles. */
    private static String jettyVersion()
    {
        try (InputStream in = SystemPackages.class.getClassLoader().getResourceAsStream(JETTY_POM))
        {
            final Properties properties = new Properties();
            if (in != null)
            {
                properties.load(in);
            }
            return properties.getProperty("version", "");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("jar of the distribution cannot be read, name=" + JETTY_POM, e);
        }
    }
}
