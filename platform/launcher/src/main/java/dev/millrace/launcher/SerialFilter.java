package dev.millrace.launcher;

import java.io.ObjectInputFilter;

/**
 * The serialization filter of the process: it accepts classes of the platform and of Apache Ignite, of bounded depth
 * and size. {@code -Djdk.serialFilter=...} in {@code config/jvm.options} replaces it.
 */
final class SerialFilter
{
    /**
     * Limits above what members send to each other; nested hash tables take practically forever at a depth of one
     * hundred.
     */
    static final String PATTERN = "maxdepth=40;maxrefs=10000000;maxarray=67108864;" +
        "java.base/*;javax.cache.**;org.apache.ignite.**;dev.millrace.**;!*";

    private static final String PROPERTY = "jdk.serialFilter";

    private SerialFilter()
    {
    }

    static ObjectInputFilter of()
    {
        return ObjectInputFilter.Config.createFilter(PATTERN);
    }

    /** Sets the filter for the process, unless the user has set one. */
    static void install()
    {
        if (System.getProperty(PROPERTY) == null && ObjectInputFilter.Config.getSerialFilter() == null)
        {
            ObjectInputFilter.Config.setSerialFilter(of());
        }
    }
}
