package dev.millrace.server.spi;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was changed of a deployed application since its bundle was installed. Immutable.
 *
 * @param configuration component configuration files by name, {@code channels.xml}: each stands for the bundle's file
 *                      of its name below {@code META-INF/wlevs}, or is one more
 * @param rules         rules by processor, each a component configuration file with that one processor; they stand for
 *                      the rules that configuration files give it
 */
public record ApplicationSettings(Map<String, String> configuration, Map<String, String> rules)
{
    /** Nothing was changed. */
    public static final ApplicationSettings NONE = new ApplicationSettings(Map.of(), Map.of());

    /** Copies the maps; one that is missing is empty. */
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
     * With other rules of a processor.
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
     * With another configuration file.
     *
     * @param fileName of it
     * @param file     its text; null for that of the bundle
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
     * How much all of it is.
     *
     * @return characters
     */
    public long sizeChars()
    {
        return configuration.values().stream().mapToLong(String::length).sum() +
            rules.values().stream().mapToLong(String::length).sum();
    }

    /** Names alone, for texts may be long. */
    @Override
    public String toString()
    {
        return "ApplicationSettings[configuration=" + configuration.keySet() + ", rules=" + rules.keySet() + ']';
    }
}
