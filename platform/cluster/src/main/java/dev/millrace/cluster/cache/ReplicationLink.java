package dev.millrace.cluster.cache;

import java.util.UUID;

/** The environment of {@link Replication}. */
interface ReplicationLink
{
    /** Sends a message to another member; it may be lost. */
    void send(UUID member, byte[] message);

    /** Whether this member may act for the cluster. */
    boolean mayLead();
}
