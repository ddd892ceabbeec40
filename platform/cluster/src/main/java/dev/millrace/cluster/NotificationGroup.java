package dev.millrace.cluster;

import java.util.List;

/** A group that this member has joined. Thread-safe. */
public interface NotificationGroup extends AutoCloseable
{
    /**
     * Name of the group.
     *
     * @return as passed to join
     */
    String name();

    /**
     * Current members of the group.
     *
     * @return in joining order, which is the same on all members; empty while this member is fenced
     */
    List<Member> members();

    /**
     * Adds a listener. It receives the current members first.
     *
     * @param listener called by one thread for all groups, one call at a time
     */
    void addListener(Listener listener);

    /**
     * Removes a listener. A call in progress completes.
     *
     * @param listener as added
     */
    void removeListener(Listener listener);

    /** Leaves the group. A member that dies or is fenced leaves automatically. */
    @Override
    void close();

    /** Receives changes of a group. Must return quickly. */
    @FunctionalInterface
    interface Listener
    {
        /**
         * Members have joined or left. Changes in quick succession may be combined into one call.
         *
         * @param change of one group
         */
        void changed(Change change);
    }

    /**
     * The difference since the listener was last called.
     *
     * @param group   name
     * @param members current ones, in joining order
     * @param entered members that have joined
     * @param left    members that have left
     */
    record Change(String group, List<Member> members, List<Member> entered, List<Member> left)
    {
        /** Copies the lists. */
        public Change
        {
            members = List.copyOf(members);
            entered = List.copyOf(entered);
            left = List.copyOf(left);
        }
    }
}
