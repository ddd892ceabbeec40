package dev.millrace.cluster.partition;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.SharedMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The documents of one channel in the map of all members. Safe for all threads. */
final class SharedState
{
    private final SharedMap map;
    private final String prefix;

    SharedState(final SharedMap map, final String application, final String channel)
    {
        this.map = map;
        prefix = "channel/" + application + '/' + channel + '/';
    }

    boolean isMine(final String name)
    {
        return name.startsWith(prefix);
    }

    private String memberKey(final String name)
    {
        return prefix + "member/" + name;
    }

    /** Who takes part: those that have registered and are in the cluster, by stay, coordinator first. */
    Map<String, Registration> live(final ClusterView view)
    {
        final Map<String, Registration> live = new LinkedHashMap<>();
        for (final Member member : view.members())
        {
            final byte[] json = map.get(memberKey(member.name()));
            final Registration registration = json == null ? null : Registration.of(json);
            if (registration != null && registration.memberId().equals(member.id().toString()))
            {
                live.put(registration.stay(), registration);
            }
        }
        return live;
    }

    void register(final Registration registration)
    {
        final byte[] json = registration.json();
        if (!Arrays.equals(json, map.get(memberKey(registration.name()))))
        {
            map.put(memberKey(registration.name()), json);
        }
    }

    /** Removes a registration, unless another stay has taken its place. */
    void unregister(final Registration registration)
    {
        final byte[] now = map.get(memberKey(registration.name()));
        if (now != null && Registration.of(now).stay().equals(registration.stay()))
        {
            map.put(memberKey(registration.name()), null);
        }
    }

    Table table()
    {
        return Table.of(map.get(prefix + "table"));
    }

    /**
     * Makes a new table when the owners are not those that should be; the first of those that take part does it.
     *
     * @param self who asks
     * @param live who takes part
     */
    void decide(final String self, final Map<String, Registration> live)
    {
        final Optional<String> first = live.keySet().stream().findFirst();
        if (first.isEmpty() || !first.get().equals(self))
        {
            return;
        }
        final byte[] now = map.get(prefix + "table");
        final Table table = Table.of(now);
        final List<Owner> owners = live.values().stream().filter(Registration::owner)
            .map(each -> new Owner(each.name(), each.stay()))
            .sorted((one, other) -> one.name().compareTo(other.name())).toList();
        if (table == null ? !owners.isEmpty() : !table.now().owners().equals(owners))
        {
            map.replace(prefix + "table", now, Table.next(table, owners).json());
        }
    }
}
