package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.journal.Journal;
import java.util.List;

/**
 * A position in the journal of a unit between two batches, after which the whole content of its replicas follows.
 * Snapshots do not contain replicas, and no part of a batch, so one that is written while the unit runs has such a
 * position.
 *
 * <p>Threads: requested by the thread that writes snapshots, written by the thread that acts as the unit's worker.
 */
final class ReplicaMark
{
    private final List<RecordedReplica> replicas;
    private final Journal journal;
    private volatile boolean isRequested;
    private volatile long position;

    /** @param replicas those of the unit; more may be added before the first batch */
    ReplicaMark(final List<RecordedReplica> replicas, final Journal journal)
    {
        this.replicas = replicas;
        this.journal = journal;
    }

    /** Lets the next batch write a new mark. */
    void request()
    {
        isRequested = true;
    }

    boolean isRequested()
    {
        return isRequested;
    }

    /** Called between two batches. */
    void write()
    {
        replicas.forEach(RecordedReplica::recordAgain);
        position = journal.lastPosition();
        isRequested = false;
    }

    /** Position of the newest mark; {@link Journal#NONE} before the first one. */
    long position()
    {
        return position;
    }
}
