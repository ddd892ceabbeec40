package dev.millrace.api.event;

import dev.millrace.api.memory.MemoryScope;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Decides which char columns of an application share a dictionary: each starts alone, columns that are compared or
 * copied into each other are joined, then {@link #freeze()} gives each group its dictionary.
 *
 * <p>Types that come later, with rules that are changed while the application runs, get domains of their own that know
 * these: {@link #extended}.
 *
 * <p>Used while an application is deployed, by one thread; after {@link #freeze()} it may be read by all.
 */
public final class DictionaryDomains
{
    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Dictionary> dictionaries = new HashMap<>();
    private final int maxEntriesPerDomain;
    private final MemoryScope memory;
    /** Types that came after the others were fixed, with names that no other type has; empty in the first domains. */
    private final Map<EventType, String> late = new IdentityHashMap<>();
    private final Set<String> lateNames = new HashSet<>();
    /** What the late types are added to; {@code null} in the first domains. */
    private final DictionaryDomains fixed;
    private boolean frozen;

    /**
     * Makes domains of the default bound, without a bound of memory.
     */
    public DictionaryDomains()
    {
        this(Dictionary.DEFAULT_MAX_ENTRIES);
    }

    /**
     * Makes domains of the default bound.
     *
     * @param memory of the application
     */
    public DictionaryDomains(final MemoryScope memory)
    {
        this(Dictionary.DEFAULT_MAX_ENTRIES, memory);
    }

    /**
     * Makes domains without a bound of memory.
     *
     * @param maxEntriesPerDomain bound of each dictionary
     */
    public DictionaryDomains(final int maxEntriesPerDomain)
    {
        this(maxEntriesPerDomain, MemoryScope.unlimited());
    }

    private DictionaryDomains(final int maxEntriesPerDomain, final MemoryScope memory)
    {
        this.maxEntriesPerDomain = maxEntriesPerDomain;
        this.memory = memory;
        fixed = null;
    }

    private DictionaryDomains(final DictionaryDomains fixed, final Collection<EventType> types)
    {
        this.fixed = fixed;
        maxEntriesPerDomain = fixed.maxEntriesPerDomain;
        memory = fixed.memory;
        types.forEach(type -> late.put(type, type.name() + " late " + late.size()));
        lateNames.addAll(late.values());
        frozen = true;
    }

    /**
     * These domains with further types. Each char column of theirs starts alone and can still be joined, once with a
     * domain that is there already; all other columns keep their domains and dictionaries.
     *
     * @param types types that come after these domains were frozen; a type of the same name may be known here
     * @return domains for one change, to be used by one thread while columns are joined
     * @throws IllegalStateException before {@link #freeze()}
     */
    public synchronized DictionaryDomains extended(final Collection<EventType> types)
    {
        if (!frozen || fixed != null)
        {
            throw new IllegalStateException("only the domains of an application are extended, once they are frozen");
        }
        return new DictionaryDomains(this, types);
    }

    /**
     * Joins the domains of two char columns when that is still possible.
     *
     * @param type          a type
     * @param property      its property, case ignored
     * @param otherType     another type, or the same
     * @param otherProperty its property
     * @return false when both have a domain that is fixed, and not the same
     * @throws IllegalArgumentException when a type has no char property of that name
     */
    public synchronized boolean tryJoin(
        final EventType type, final String property, final EventType otherType, final String otherProperty)
    {
        final String root = root(key(type, property));
        final String otherRoot = root(key(otherType, otherProperty));
        if (root.equals(otherRoot))
        {
            return true;
        }
        if (frozen && isFixed(root) && isFixed(otherRoot))
        {
            return false;
        }
        // A domain that is fixed keeps its name, for its dictionary is found by it.
        final boolean isOtherKept = frozen && isFixed(otherRoot);
        parents.put(isOtherKept ? root : otherRoot, isOtherKept ? otherRoot : root);
        return true;
    }

    private boolean isFixed(final String root)
    {
        return fixed == null || !lateNames.contains(root.substring(0, root.lastIndexOf('.')));
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
        if (!tryJoin(type, property, otherType, otherProperty))
        {
            throw new IllegalStateException("domains are fixed once deployed, domain=" + root(key(type, property)) +
                " other=" + root(key(otherType, otherProperty)));
        }
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
        return dictionary(root(key(type, property)));
    }

    private synchronized Dictionary dictionary(final String root)
    {
        return fixed != null && isFixed(root) ? fixed.dictionary(root) :
            dictionaries.computeIfAbsent(root, domain ->
                new Dictionary(domain, maxEntriesPerDomain, memory.open("", "", "dictionary " + domain)));
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

    private String key(final EventType type, final String property)
    {
        final int column = type.indexOf(property);
        if (column < 0 || type.properties().get(column).type().storage() != ColumnStorage.DICTIONARY)
        {
            throw new IllegalArgumentException("no such char property, type=" + type + " property=" + property);
        }
        return late.getOrDefault(type, type.name()) + '.' + property.toLowerCase(Locale.ROOT);
    }

    private String root(final String key)
    {
        String current = key;
        for (String parent = parents.get(current); parent != null; parent = parents.get(current))
        {
            current = parent;
        }
        return fixed == null || !isFixed(current) ? current : fixed.fixedRoot(current);
    }

    private synchronized String fixedRoot(final String key)
    {
        return root(key);
    }
}
