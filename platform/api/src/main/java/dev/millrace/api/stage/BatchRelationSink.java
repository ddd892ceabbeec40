package dev.millrace.api.stage;

import java.util.Collection;

/** A sink of a relation that takes changes of one timestamp together. */
public interface BatchRelationSink extends BatchStreamSink
{
    /**
     * Takes the changes of one instant: deletions first, then updates, then insertions.
     *
     * @param insertEvents rows that enter
     * @param deleteEvents rows that leave
     * @param updateEvents rows that replace others of the same primary key
     * @throws BatchRejectedException when some or all cannot be taken
     */
    void onEvents(Collection<Object> insertEvents, Collection<Object> deleteEvents, Collection<Object> updateEvents)
        throws BatchRejectedException;
}
