package dev.millrace.cluster.deployment;

import dev.millrace.cluster.ReplicatedMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Results published by the members. Thread-safe. */
final class MemberStatuses
{
    /** A caller may still wait for the last answers. */
    static final long GRACE_NS = TimeUnit.MINUTES.toNanos(2);

    private final ReplicatedMap map;
    private final LongSupplier clockNs;
    /** Time since when a result is unused; confined to the cleaning thread. */
    private final Map<String, Long> unusedSinceNs = new HashMap<>();

    MemberStatuses(final ReplicatedMap map, final LongSupplier clockNs)
    {
        this.map = map;
        this.clockNs = clockNs;
    }

    private static String key(final String application, final String member)
    {
        return application + '/' + member;
    }

    Optional<MemberStatus> get(final String application, final String member)
    {
        return Optional.ofNullable(map.get(key(application, member))).map(MemberStatus::of);
    }

    void put(final String application, final String member, final MemberStatus result)
    {
        final String key = key(application, member);
        final byte[] json = result.json();
        if (!Arrays.equals(json, map.get(key)))
        {
            map.put(key, json);
        }
    }

    /**
     * Removes unused results after a grace period: results of members that have left, and of deleted applications. A
     * member that rejoins publishes its results again. Confined to one thread of one member.
     *
     * @param documents all documents
     * @param members   names of the current members
     */
    void clean(final Collection<DesiredDeployment> documents, final Set<String> members)
    {
        final long nowNs = clockNs.getAsLong();
        final Set<String> live = documents.stream().filter(each -> !each.deleted()).map(DesiredDeployment::name)
            .collect(Collectors.toSet());
        final Set<String> unused = new HashSet<>(map.all().keySet());
        unused.removeIf(key -> live.contains(key.substring(0, key.lastIndexOf('/'))) &&
            members.contains(key.substring(key.lastIndexOf('/') + 1)));
        unusedSinceNs.keySet().retainAll(unused);
        for (final String key : unused)
        {
            if (nowNs - unusedSinceNs.computeIfAbsent(key, first -> nowNs) > GRACE_NS)
            {
                map.put(key, null);
            }
        }
    }
}
