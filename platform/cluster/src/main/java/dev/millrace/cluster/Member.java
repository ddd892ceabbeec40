package dev.millrace.cluster;

import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * An instance that is a member of the cluster. An instance that leaves and rejoins is a new member.
 *
 * @param id       of this incarnation
 * @param name     of the server, unique in the cluster
 * @param identity as configured, the lowest is coordinator; {@link #NO_IDENTITY} when not configured
 * @param order    ascending in the order of joining; breaks ties between equal identities
 * @param host     address at which it can be reached
 * @param groups   named groups, without {@link #ALL_MEMBERS} and the member's own group
 */
public record Member(UUID id, String name, int identity, long order, String host, Set<String> groups)
    implements Comparable<Member>
{
    /** The group that contains every member of the domain. */
    public static final String ALL_MEMBERS = "AllDomainMembers";
    /** Identity of a member without a configured one: sorts after all configured identities. */
    public static final int NO_IDENTITY = Integer.MAX_VALUE;

    /** Copies the groups. */
    public Member
    {
        groups = Set.copyOf(groups);
    }

    /**
     * Whether this member belongs to a group.
     *
     * @param group a named group, {@link #ALL_MEMBERS}, or the name of a member, which is a group with that
     * member only
     * @return true if it belongs to the group
     */
    public boolean isIn(final String group)
    {
        return group.equals(ALL_MEMBERS) || group.equals(name) || groups.contains(group);
    }

    /** Sorts the coordinator first. */
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
