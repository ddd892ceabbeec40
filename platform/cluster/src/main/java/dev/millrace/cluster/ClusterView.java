package dev.millrace.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Who was there at one moment, as one member saw it. Immutable.
 *
 * @param version increases with every change that this member has seen
 * @param state   of this member
 * @param self    this member, also when it is fenced
 * @param members of the cluster, coordinator first; this one alone when it is fenced
 */
public record ClusterView(long version, State state, Member self, List<Member> members)
{
    /** Copies the list. */
    public ClusterView
    {
        members = List.copyOf(members);
    }

    /** Whether a member takes part. */
    public enum State
    {
        /** It takes part. */
        MEMBER,
        /**
         * The others have gone on without it: it was paused or cut off for too long. Its output must stop, for another
         * member may do its work. It comes back by itself, as a new member.
         */
        FENCED,
        /** It has left and will not come back. */
        LEFT
    }

    /**
     * The member of the lowest identity; without identities the one that has been there longest.
     *
     * @return all members see the same one, once they have seen the same changes
     */
    public Member coordinator()
    {
        return members.get(0);
    }

    /**
     * Members of a group.
     *
     * @param group named, {@link Cluster#ALL_MEMBERS} or the name of a member
     * @return coordinator of the group first; empty when nobody is in it
     */
    public List<Member> group(final String group)
    {
        return members.stream().filter(each -> each.isIn(group)).toList();
    }

    /**
     * A member by its name.
     *
     * @param name of the server
     * @return empty when it is not there
     */
    public Optional<Member> member(final String name)
    {
        return members.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
