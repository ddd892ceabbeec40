package dev.millrace.cluster;

/**
 * Groups that members join at run time to find other members with the same task. All members see the same joining
 * order, so the first one can act for the group. A service of each instance in a cluster. Thread-safe.
 */
public interface NotificationGroups
{
    /**
     * Joins a group, which is created when it has no members. A member that joins twice appears once, and leaves when
     * both results have been closed.
     *
     * <p>A fenced member is in no group. When it is back in the cluster it rejoins its groups automatically, in last
     * position.
     *
     * @param name of the group: letters, digits, '.', '_' and '-'
     * @return to be closed by the caller
     * @throws IllegalArgumentException when the name is invalid
     */
    NotificationGroup join(String name);
}
