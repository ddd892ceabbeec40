package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/**
 * A replica of a cache whose changes can be stored and replayed: it changes only between two batches, when its thread
 * asks for the waiting changes.
 *
 * <p>Confined to the thread of its pipeline or flow, except for {@link #recordAgain()}.
 */
public interface RecordedReplica
{
    /** Name for messages, the same after a restart. */
    String name();

    /** Schema of the stored changes. */
    BatchSchema schema();

    /** Stores all changes from now on, first of all the whole content. */
    void recordTo(ChangeLog log);

    /**
     * Stores and applies the waiting changes; reads only two fields if no change is waiting. After a failure, the next
     * call stores and applies the whole content of the cache.
     */
    void takeChanges();

    /** Stores the whole content at the next {@link #takeChanges()}; called while no batch is in progress. */
    void recordAgain();

    /** Applies stored changes. */
    void replay(EventBatch changes);

    /** Removes all rows, as stored. */
    void replayClear();
}
