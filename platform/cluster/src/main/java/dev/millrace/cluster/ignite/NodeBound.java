package dev.millrace.cluster.ignite;

import org.apache.ignite.Ignite;

/** Data shared by members, bound to successive nodes. */
interface NodeBound
{
    /** Binds it to a node that has joined. Not called on threads of Ignite. */
    void open(Ignite ignite);

    /** The node has stopped. Also called on threads of Ignite. */
    void close();
}
