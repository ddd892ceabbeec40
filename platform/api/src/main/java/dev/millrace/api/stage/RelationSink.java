package dev.millrace.api.stage;

/** A sink of a relation: receives inserts, deletes and updates. */
public interface RelationSink extends StreamSink
{
    /**
     * Receives a deletion.
     *
     * @param event the row that is removed
     * @throws EventRejectedException when it cannot be processed
     */
    void onDeleteEvent(Object event) throws EventRejectedException;

    /**
     * Receives an update.
     *
     * @param event the new row; it replaces the row of the same primary key
     * @throws EventRejectedException when it cannot be processed
     */
    void onUpdateEvent(Object event) throws EventRejectedException;
}
