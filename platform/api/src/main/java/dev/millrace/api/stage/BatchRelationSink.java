package dev.millrace.api.stage;

import java.util.Collection;

/** A sink of a relation that receives the changes of one timestamp together. */
public interface BatchRelationSink extends BatchStreamSink
{
    /**
     * Receives the changes of one instant; to be applied in the order deletions, updates, insertions.
     *
     * @param insertEvents rows that are added
     * @param deleteEvents rows that are removed
     * @param updateEvents rows that replace others of the same primary key
     * @throws EventRejectedException when none can be processed; a {@link BatchRejectedException} names those that
     *     cannot
     */
    void onEvents(Collection<Object> insertEvents, Collection<Object> deleteEvents, Collection<Object> updateEvents)
        throws EventRejectedException;
}
