package dev.millrace.cluster.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.SharedMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Who has entered which group, as the shared map has it. For one thread, except where it says so. */
final class Entries
{
    private static final int DIGITS = 19;

    private final SharedMap map;
    /** Stays that were seen in the cluster; one that was not seen yet may begin, and is not over. */
    private final Set<UUID> seen = new HashSet<>();

    Entries(final SharedMap map)
    {
        this.map = map;
    }

    /**
     * Draws a number and enters; for any thread.
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

    /** For any thread. */
    void leave(final String entry)
    {
        map.put(entry, null);
    }

    /** Members of a group that are there, in order of their numbers; for any thread. */
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

    /** Removes the entries of those who were there and are not any more. */
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
