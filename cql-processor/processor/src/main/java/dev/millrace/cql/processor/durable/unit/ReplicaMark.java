package dev.millrace.cql.processor.durable.unit;

import dev.millrace.journal.Journal;

/**
 * A position in the journal of a unit between two batches, after which the whole content of its replicas follows.
 * Snapshots do not contain replicas, and no part of a batch, so one that is written while the unit runs has such a
 * position.
 *
 * <p>Threads: requested by the thread that writes snapshots, written by the thread that acts as the unit's worker.
 */
public final class ReplicaMark
{
    private final UnitReplicas replicas;
    private final Journal journal;
    private volatile boolean isRequested;
    private volatile long position;

    /** @param replicas those of the unit */
    ReplicaMark(final UnitReplicas replicas, final Journal journal)
    {
        this.replicas = replicas;
        this.journal = journal;
    }

    /** Lets the next batch write a new mark. */
    public void request()
    {
        isRequested = true;
    }

    public boolean isRequested()
    {
        return isRequested;
    }

    /** Called between two batches. */
    void write()
    {
        replicas.recordAgain();
        position = journal.lastPosition();
        isRequested = false;
    }

    /** Position of the newest mark; {@link Journal#NONE} before the first one. */
    public long position()
    {
        return position;
    }
}
