package dev.millrace.api.stage;

/** A sink of a relation: sees inserts, deletes and updates. */
public interface RelationSink extends StreamSink
{
    /**
     * Takes a deletion.
     *
     * @param event the row that leaves
     * @throws EventRejectedException when it cannot be taken
     */
    void onDeleteEvent(Object event) throws EventRejectedException;

    /**
     * Takes an update.
     *
     * @param event the new row; it replaces the one of the same primary key
     * @throws EventRejectedException when it cannot be taken
     */
    void onUpdateEvent(Object event) throws EventRejectedException;
}
