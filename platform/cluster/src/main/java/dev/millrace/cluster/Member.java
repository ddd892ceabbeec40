package dev.millrace.cluster;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * An instance of the domain, as long as it takes part. One that leaves and comes back is another member.
 *
 * @param id       of this stay in the cluster
 * @param name     of the server, unique in the cluster
 * @param identity as configured, the lowest is coordinator; {@link #NO_IDENTITY} when nothing is
 * @param order    ascending in the order of joining; tells members of one identity apart
 * @param host     where it can be reached
 * @param groups   named ones, without {@link Cluster#ALL_MEMBERS} and the group of itself
 */
public record Member(UUID id, String name, int identity, long order, String host, Set<String> groups)
    implements Comparable<Member>
{
    /** Of a member without configured identity: after all that have one. */
    public static final int NO_IDENTITY = Integer.MAX_VALUE;

    /** Copies the groups. */
    public Member
    {
        groups = Set.copyOf(groups);
    }

    /**
     * Whether it belongs to a group.
     *
     * @param group a named one, {@link Cluster#ALL_MEMBERS}, or the name of the member, whose group it is alone in
     * @return true when it does
     */
    public boolean isIn(final String group)
    {
        return group.equals(Cluster.ALL_MEMBERS) || group.equals(name) || groups.contains(group);
    }

    /** Coordinator first. */
    @Override
    public int compareTo(final Member other)
    {
        final int byIdentity = Integer.compare(identity, other.identity);
        return byIdentity != 0 ? byIdentity : Long.compare(order, other.order);
    }

    @Override
    public String toString()
    {
        return name + (groups.isEmpty() ? "" : new TreeSet<>(groups));
    }
}
