package dev.millrace.launcher;

import java.io.ObjectInputFilter;

/**
 * Which serialized Java objects the process reads: those of the platform and of Apache Ignite, of bounded depth and
 * size. Whoever writes {@code -Djdk.serialFilter=...} into {@code config/jvm.options} chooses others.
 */
final class SerialFilter
{
    /** Beyond what members say to each other; a hash table of hash tables of ... takes for ever at a hundred. */
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

    /** Sets it for the process, unless the user has set one. */
    static void install()
    {
        if (System.getProperty(PROPERTY) == null && ObjectInputFilter.Config.getSerialFilter() == null)
        {
            ObjectInputFilter.Config.setSerialFilter(of());
        }
    }
}
