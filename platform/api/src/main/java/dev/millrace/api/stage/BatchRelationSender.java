package dev.millrace.api.stage;

import java.util.Collection;

/** What a source of a batching relation channel sends through. */
public interface BatchRelationSender extends RelationSender, BatchStreamSender
{
    /**
     * Sends the changes of one instant.
     *
     * @param insertEvents rows that enter
     * @param deleteEvents rows that leave
     * @param updateEvents rows that replace others
     */
    void sendEvents(Collection<?> insertEvents, Collection<?> deleteEvents, Collection<?> updateEvents);
}
