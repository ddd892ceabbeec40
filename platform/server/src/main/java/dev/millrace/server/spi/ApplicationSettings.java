package dev.millrace.server.spi;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The changes made to a deployed application since its bundle was installed. Immutable.
 *
 * @param configuration component configuration files by name, such as {@code channels.xml}. Each file replaces the
 *                      bundle's file with that name below {@code META-INF/wlevs}, or is additional
 * @param rules         rules by processor, each a component configuration file with that one processor; they replace
 *                      the rules in configuration files
 */
public record ApplicationSettings(Map<String, String> configuration, Map<String, String> rules)
{
    /** No changes. */
    public static final ApplicationSettings NONE = new ApplicationSettings(Map.of(), Map.of());

    /** Copies the maps; null becomes an empty map. */
    public ApplicationSettings
    {
        configuration = inOrder(configuration);
        rules = inOrder(rules);
    }

    private static Map<String, String> inOrder(final Map<String, String> map)
    {
        return map == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
    }

    /**
     * Returns a copy with different rules of a processor.
     *
     * @param processor id
     * @param file      a configuration file; null for the rules of the bundle
     * @return a copy
     */
    public ApplicationSettings withRules(final String processor, final String file)
    {
        return new ApplicationSettings(configuration, with(rules, processor, file));
    }

    /**
     * Returns a copy with a different configuration file.
     *
     * @param fileName name of the file
     * @param file     its content; null for the file of the bundle
     * @return a copy
     */
    public ApplicationSettings withConfiguration(final String fileName, final String file)
    {
        return new ApplicationSettings(with(configuration, fileName, file), rules);
    }

    private static Map<String, String> with(final Map<String, String> before, final String key, final String value)
    {
        final Map<String, String> after = new TreeMap<>(before);
        if (value == null)
        {
            after.remove(key);
        }
        else
        {
            after.put(key, value);
        }
        return after;
    }

    /**
     * Returns the total size.
     *
     * @return characters
     */
    public long sizeChars()
    {
        return configuration.values().stream().mapToLong(String::length).sum() +
            rules.values().stream().mapToLong(String::length).sum();
    }

    /** Contains only names, because contents may be long. */
    @Override
    public String toString()
    {
        return "ApplicationSettings[configuration=" + configuration.keySet() + ", rules=" + rules.keySet() + ']';
    }
}
