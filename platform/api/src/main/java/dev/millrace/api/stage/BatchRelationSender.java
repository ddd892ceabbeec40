package dev.millrace.api.stage;

import java.util.Collection;

/** The sender of a source of a batching relation channel. */
public interface BatchRelationSender extends RelationSender, BatchStreamSender
{
    /**
     * Sends the changes of one instant.
     *
     * @param insertEvents rows that are added
     * @param deleteEvents rows that are removed
     * @param updateEvents rows that replace others
     */
    void sendEvents(Collection<?> insertEvents, Collection<?> deleteEvents, Collection<?> updateEvents);
}
