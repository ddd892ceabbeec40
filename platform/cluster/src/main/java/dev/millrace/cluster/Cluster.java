package dev.millrace.cluster;

/**
 * The cluster as seen by this instance. Thread-safe. The view can change at any time, so read it once per decision.
 */
public interface Cluster extends AutoCloseable
{
    /**
     * Returns the current view.
     *
     * @return an immutable snapshot
     */
    ClusterView view();

    /**
     * Whether this member may act for the cluster, in particular emit output: it is a member, and it has not been
     * unresponsive for so long that the other members may have removed it. A process that was paused gets the correct
     * answer as soon as it runs again, before the view changes. Costs one volatile read and one clock read: call it
     * once per batch.
     *
     * @return false when this member must not emit
     */
    boolean holdsLease();

    /**
     * Adds a listener for view changes. It receives the current view first.
     *
     * @param listener called by one thread of the cluster, one call at a time
     */
    void addListener(ClusterListener listener);

    /**
     * Removes a listener. A call in progress completes.
     *
     * @param listener as added
     */
    void removeListener(ClusterListener listener);

    /**
     * Returns a map that all members share. It is created on first use.
     *
     * @param name of the map
     * @return the same object for the same name
     */
    ReplicatedMap map(String name);

    /**
     * Returns a store of large values that all members share. It is created on first use.
     *
     * @param name must differ from the names of all maps
     * @return the same object for the same name
     */
    ReplicatedBlobStore bytes(String name);

    /**
     * Opens a mailbox for messages to other members. It stays open when this member leaves and rejoins.
     *
     * @param name     the same on all members; open it once per member
     * @param receiver called by several threads of the cluster at the same time
     * @return sends messages of this member
     */
    Mailbox mailbox(String name, Mailbox.Receiver receiver);

    /** Leaves the cluster. The other members are notified immediately. */
    @Override
    void close();
}
