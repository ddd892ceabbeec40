package dev.millrace.api.event;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ids of producers in this process: small numbers for names, which {@link RowSequence} contains. An id is never
 * given back. Thread-safe.
 */
public final class Producers
{
    /** Maximum number of producers in the life of a process. */
    public static final int MAX = 65_535;

    private static final Map<String, Integer> IDS = new HashMap<>();
    private static final List<String> NAMES = new ArrayList<>();

    private Producers()
    {
    }

    /**
     * Returns the id of a producer, and assigns one to a new name.
     *
     * @param name unique in the process, and the same after a restart
     * @return 1 to {@link #MAX}; 0 if all ids are assigned
     */
    public static synchronized int id(final String name)
    {
        final Integer known = IDS.get(name);
        if (known != null)
        {
            return known;
        }
        if (NAMES.size() == MAX)
        {
            return 0;
        }
        NAMES.add(name);
        IDS.put(name, NAMES.size());
        return NAMES.size();
    }

    /**
     * Returns the name of a producer.
     *
     * @param id as assigned by {@link #id}
     * @throws IndexOutOfBoundsException if it was not assigned
     */
    public static synchronized String name(final int id)
    {
        return NAMES.get(id - 1);
    }
}
