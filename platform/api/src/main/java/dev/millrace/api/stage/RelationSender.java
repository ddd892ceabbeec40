package dev.millrace.api.stage;

/** What an object source of a relation sends through. */
public interface RelationSender extends StreamSender
{
    /**
     * Sends a deletion.
     *
     * @param event the row that leaves
     */
    void sendDeleteEvent(Object event);

    /**
     * Sends an update.
     *
     * @param event the new row
     */
    void sendUpdateEvent(Object event);
}
