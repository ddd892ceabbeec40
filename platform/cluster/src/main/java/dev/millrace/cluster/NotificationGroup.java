package dev.millrace.cluster;

import java.util.List;

/** A group that this member has entered. Safe for all threads. */
public interface NotificationGroup extends AutoCloseable
{
    /**
     * Its name.
     *
     * @return as it was entered
     */
    String name();

    /**
     * Who is in it.
     *
     * @return in order of entering, which is the same for all members; empty while this member is fenced
     */
    List<Member> members();

    /**
     * Asks to be told of changes, beginning with who is there now.
     *
     * @param listener called by one thread of all groups, one call at a time
     */
    void addListener(Listener listener);

    /**
     * Ends that; a call that runs goes on.
     *
     * @param listener as added
     */
    void removeListener(Listener listener);

    /** Leaves the group. Somebody who dies or is fenced leaves by himself. */
    @Override
    void close();

    /** Is told of changes; should not take long. */
    @FunctionalInterface
    interface Listener
    {
        /**
         * Somebody has entered or left, or both. Changes that followed each other closely may be told as one.
         *
         * @param change of one group
         */
        void changed(Change change);
    }

    /**
     * What has changed since the listener was told last.
     *
     * @param group   name
     * @param members now, in order of entering
     * @param entered those of them that were not there before
     * @param left    those that are not there any more
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
