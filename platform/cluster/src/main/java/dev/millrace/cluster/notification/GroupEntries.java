package dev.millrace.cluster.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Group entries in the shared map. Confined to the groups thread, except where noted. */
final class GroupEntries
{
    private static final int DIGITS = 19;

    private final ReplicatedMap map;
    /** Incarnations that have been in the view. One that is not in this set may still join, so its entries are kept. */
    private final Set<UUID> seen = new HashSet<>();

    GroupEntries(final ReplicatedMap map)
    {
        this.map = map;
    }

    /**
     * Assigns the next number and adds an entry. Thread-safe.
     *
     * @return the entry
     */
    String enter(final String group, final UUID stay)
    {
        while (true)
        {
            final byte[] last = map.get(group);
            final long number = last == null ? 1 : Long.parseLong(new String(last, UTF_8)) + 1;
            if (map.replace(group, last, Long.toString(number).getBytes(UTF_8)))
            {
                final String entry = group + '/' + String.format("%0" + DIGITS + "d", number);
                map.put(entry, stay.toString().getBytes(UTF_8));
                return entry;
            }
        }
    }

    /** Thread-safe. */
    void leave(final String entry)
    {
        map.put(entry, null);
    }

    /** Members of a group that are in the view, in order of their numbers. Thread-safe. */
    List<Member> members(final String group, final ClusterView view)
    {
        final List<Member> members = new ArrayList<>();
        for (final Map.Entry<String, byte[]> entry : map.all().entrySet())
        {
            if (entry.getKey().startsWith(group + '/'))
            {
                final UUID stay = UUID.fromString(new String(entry.getValue(), UTF_8));
                view.members().stream().filter(member -> member.id().equals(stay)).forEach(members::add);
            }
        }
        return members;
    }

    /** Removes entries of members that were in the view and have left. */
    void clean(final ClusterView view)
    {
        final Set<UUID> now = new HashSet<>();
        view.members().forEach(member -> now.add(member.id()));
        seen.addAll(now);
        final Set<UUID> named = new HashSet<>(now);
        for (final Map.Entry<String, byte[]> entry : map.all().entrySet())
        {
            if (entry.getKey().indexOf('/') >= 0)
            {
                final UUID stay = UUID.fromString(new String(entry.getValue(), UTF_8));
                named.add(stay);
                if (seen.contains(stay) && !now.contains(stay))
                {
                    map.put(entry.getKey(), null);
                }
            }
        }
        seen.retainAll(named);
    }
}
