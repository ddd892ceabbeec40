package dev.millrace.launcher;

import java.util.StringJoiner;
import org.slf4j.LoggerFactory;

/** The packages of the launcher's class path that bundles may import. */
final class SystemPackages
{
    private static final String[] SLF4J = {"org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi"};

    /** Version under which libraries of the slf4j 1 generation look for the same packages. */
    private static final String SLF4J_1 = "1.7.36";

    /** Oldest slf4j 2; used when the jar's manifest was lost in repackaging. */
    private static final String SLF4J_2 = "2.0.0";

    /** What the bridge from commons-logging to slf4j calls itself. */
    private static final String COMMONS_LOGGING = "1.2";

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
        return packages.toString();
    }
}
