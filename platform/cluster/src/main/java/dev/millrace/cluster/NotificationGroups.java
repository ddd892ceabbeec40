package dev.millrace.cluster;

/**
 * Groups that members make while they run, to learn who works with them: who enters first is first, and all see the
 * same order. A service of each instance that takes part in a cluster. Safe for all threads.
 */
public interface NotificationGroups
{
    /**
     * Enters a group, which is made when nobody is in it. A member that enters twice is in it once, and leaves when
     * each of the two has been closed.
     *
     * <p>While this member is fenced it is in no group; when it is back it enters again by itself, as the last one.
     *
     * @param name of the group: letters, digits, '.', '_' and '-'
     * @return to be closed
     * @throws IllegalArgumentException when it is no name
     */
    NotificationGroup join(String name);
}
