package dev.millrace.api.event;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Decides which char columns of an application share a dictionary: each starts alone, columns that are compared or
 * copied into each other are joined, then {@link #freeze()} gives each group its dictionary.
 *
 * <p>Used while an application is deployed, by one thread; after {@link #freeze()} it may be read by all.
 */
public final class DictionaryDomains
{
    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Dictionary> dictionaries = new HashMap<>();
    private final int maxEntriesPerDomain;
    private boolean frozen;

    /**
     * Makes domains of the default bound.
     */
    public DictionaryDomains()
    {
        this(Dictionary.DEFAULT_MAX_ENTRIES);
    }

    /**
     * Makes domains.
     *
     * @param maxEntriesPerDomain bound of each dictionary
     */
    public DictionaryDomains(final int maxEntriesPerDomain)
    {
        this.maxEntriesPerDomain = maxEntriesPerDomain;
    }

    /**
     * Joins the domains of two char columns.
     *
     * @param type          a type
     * @param property      its property, case ignored
     * @param otherType     another type, or the same
     * @param otherProperty its property
     * @throws IllegalArgumentException when a type has no char property of that name
     * @throws IllegalStateException when the domains are frozen and the two are not in one already
     */
    public synchronized void join(
        final EventType type, final String property, final EventType otherType, final String otherProperty)
    {
        final String root = root(key(type, property));
        final String otherRoot = root(key(otherType, otherProperty));
        if (root.equals(otherRoot))
        {
            return;
        }
        if (frozen)
        {
            throw new IllegalStateException("domains are fixed once deployed, domain=" + root + " other=" + otherRoot);
        }
        parents.put(otherRoot, root);
    }

    /** Ends joining. */
    public synchronized void freeze()
    {
        frozen = true;
    }

    /**
     * The dictionary of a char column.
     *
     * @param type     type
     * @param property its property, case ignored
     * @return the dictionary of its domain
     * @throws IllegalArgumentException when the type has no char property of that name
     * @throws IllegalStateException before {@link #freeze()}
     */
    public synchronized Dictionary dictionary(final EventType type, final String property)
    {
        if (!frozen)
        {
            throw new IllegalStateException("domains are still being joined, type=" + type.name());
        }
        return dictionaries.computeIfAbsent(
            root(key(type, property)), domain -> new Dictionary(domain, maxEntriesPerDomain));
    }

    /**
     * The schema of batches of a type.
     *
     * @param type type
     * @return schema whose char columns have the dictionaries of their domains
     * @throws IllegalStateException before {@link #freeze()}
     */
    public BatchSchema schema(final EventType type)
    {
        final Dictionary[] columns = new Dictionary[type.properties().size()];
        for (int i = 0; i < columns.length; i++)
        {
            final EventProperty property = type.properties().get(i);
            if (property.type().storage() == ColumnStorage.DICTIONARY)
            {
                columns[i] = dictionary(type, property.name());
            }
        }
        return new BatchSchema(type, columns);
    }

    private static String key(final EventType type, final String property)
    {
        final int column = type.indexOf(property);
        if (column < 0 || type.properties().get(column).type().storage() != ColumnStorage.DICTIONARY)
        {
            throw new IllegalArgumentException("no such char property, type=" + type + " property=" + property);
        }
        return type.name() + '.' + property.toLowerCase(Locale.ROOT);
    }

    private String root(final String key)
    {
        String current = key;
        for (String parent = parents.get(current); parent != null; parent = parents.get(current))
        {
            current = parent;
        }
        return current;
    }
}
