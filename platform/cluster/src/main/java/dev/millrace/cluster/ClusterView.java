package dev.millrace.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The members of the cluster at one moment, as seen by one member. Immutable.
 *
 * @param version increases with every change that this member observes
 * @param state   of this member
 * @param self    this member, also when it is fenced
 * @param members of the cluster, coordinator first; only this member when it is fenced
 */
public record ClusterView(long version, State state, Member self, List<Member> members)
{
    /** Copies the list. */
    public ClusterView
    {
        members = List.copyOf(members);
    }

    /** Membership of this instance. */
    public enum State
    {
        /** It is a member. */
        MEMBER,
        /**
         * The other members have removed it because it was paused or disconnected for too long. It must stop its
         * output, because another member may have taken over its work. It rejoins automatically, as a new member.
         */
        FENCED,
        /** It has left permanently. */
        LEFT
    }

    /**
     * The member with the lowest identity; without identities, the longest-running member.
     *
     * @return the same on all members that have observed the same changes
     */
    public Member coordinator()
    {
        return members.get(0);
    }

    /**
     * Members of a group.
     *
     * @param group a named group, {@link Member#ALL_MEMBERS}, or the name of a member
     * @return coordinator of the group first; empty when the group has no members
     */
    public List<Member> group(final String group)
    {
        return members.stream().filter(each -> each.isIn(group)).toList();
    }

    /**
     * Finds a member by name.
     *
     * @param name of the server
     * @return empty when it is not in the view
     */
    public Optional<Member> member(final String name)
    {
        return members.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
