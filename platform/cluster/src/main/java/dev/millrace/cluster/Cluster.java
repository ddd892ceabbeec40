package dev.millrace.cluster;

/**
 * The cluster, as one instance sees it. Safe for all threads; the view changes while one looks at it, so take it once.
 */
public interface Cluster extends AutoCloseable
{
    /** The group that every member of a domain belongs to. */
    String ALL_MEMBERS = "AllDomainMembers";

    /**
     * Who is there now.
     *
     * @return a snapshot
     */
    ClusterView view();

    /**
     * Whether this member may act for the cluster, put out above all: it takes part, and was not silent for so long
     * that the others may have given it up. That is known at once when a process that was paused runs again, before
     * the view says so. Costs a volatile read and a look at the clock: ask once a batch.
     *
     * @return false when nothing may be put out
     */
    boolean holdsLease();

    /**
     * Asks to be told of changes, beginning with the view of now.
     *
     * @param listener called by one thread of the cluster, one call at a time
     */
    void addListener(ClusterListener listener);

    /**
     * Ends that; a call that runs goes on.
     *
     * @param listener as added
     */
    void removeListener(ClusterListener listener);

    /**
     * A map that all members share, made when it is asked for first.
     *
     * @param name of the map
     * @return the same object for the same name
     */
    SharedMap map(String name);

    /**
     * Large values that all members share, made when they are asked for first.
     *
     * @param name of them, which no map has
     * @return the same object for the same name
     */
    SharedBytes bytes(String name);

    /**
     * Messages to other members; stays open while this one leaves and comes back.
     *
     * @param name     the same on all members, asked for once on each
     * @param receiver called by threads of the cluster, several at once
     * @return for messages of this member
     */
    Mailbox mailbox(String name, Mailbox.Receiver receiver);

    /** Leaves the cluster. The others see it at once. */
    @Override
    void close();
}
