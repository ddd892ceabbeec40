package dev.millrace.cluster.ignite;

import org.apache.ignite.Ignite;

/** What members share, bound to one node after the other. */
interface Replicated
{
    /** Binds it to a node that has joined. Not on a thread of Ignite. */
    void open(Ignite ignite);

    /** The node is gone; also on threads of Ignite. */
    void close();
}
