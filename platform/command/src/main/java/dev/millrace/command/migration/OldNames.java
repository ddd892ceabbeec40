package dev.millrace.command.migration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The table of class names of the old API: their counterparts, or what to do without one. Immutable. */
final class OldNames
{
    private static final String ALL = ".*";

    private final Map<String, String> classes = new TreeMap<>();
    private final Map<String, String> packages = new TreeMap<>();
    private final Map<String, String> hints = new TreeMap<>();
    private final Map<String, String> packageHints = new TreeMap<>();

    /** Reads the table. */
    OldNames()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
            OldNames.class.getResourceAsStream("names.txt"), StandardCharsets.UTF_8)))
        {
            in.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#")).forEach(this::add);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private void add(final String line)
    {
        final boolean isHint = line.contains(" : ");
        final String[] parts = line.split(isHint ? " : " : " = ", 2);
        if (parts[0].endsWith(ALL))
        {
            final String prefix = parts[0].substring(0, parts[0].length() - 1);
            (isHint ? packageHints : packages).put(prefix, isHint ? parts[1] :
                parts[1].substring(0, parts[1].length() - 1));
        }
        else
        {
            (isHint ? hints : classes).put(parts[0], parts[1]);
        }
    }

    /** Returns the classes with a counterpart that have their own line, by the old name. */
    Map<String, String> classes()
    {
        return Collections.unmodifiableMap(classes);
    }

    /** Returns the classes that have their own line, with or without counterpart. */
    Set<String> known()
    {
        final Set<String> known = new TreeSet<>(classes.keySet());
        known.addAll(hints.keySet());
        return known;
    }

    /** Returns the packages all of whose classes have counterparts, by the old name; both names end with a dot. */
    Map<String, String> packages()
    {
        return Collections.unmodifiableMap(packages);
    }

    /**
     * Returns the class to use instead of a class.
     *
     * @param name with dots
     * @return {@code null} if it is not of the old API, or has no counterpart
     */
    String counterpart(final String name)
    {
        final String known = classes.get(name);
        if (known != null)
        {
            return known;
        }
        final int simpleName = name.lastIndexOf('.') + 1;
        final String renamed = packages.get(name.substring(0, simpleName));
        return renamed == null ? null : renamed + name.substring(simpleName);
    }

    /**
     * Returns what to do about a class of the old API without counterpart.
     *
     * @param name with dots
     * @return {@code null} if it is not of the old API, or has a counterpart
     */
    String hint(final String name)
    {
        if (counterpart(name) != null)
        {
            return null;
        }
        final String known = hints.get(name);
        return known != null ? known : packageHints.entrySet().stream().filter(each -> name.startsWith(each.getKey()))
            .max(Map.Entry.comparingByKey()).map(Map.Entry::getValue).orElse(null);
    }

    /** Whether a package is one of the old API. */
    boolean isOldPackage(final String name)
    {
        return Stream.concat(packages.keySet().stream(), packageHints.keySet().stream())
            .anyMatch((name + '.')::startsWith);
    }
}
