package dev.millrace.api.stage;

/** The sender of an object source of a relation. */
public interface RelationSender extends StreamSender
{
    /**
     * Sends a deletion.
     *
     * @param event the row that is removed
     */
    void sendDeleteEvent(Object event);

    /**
     * Sends an update.
     *
     * @param event the new row
     */
    void sendUpdateEvent(Object event);
}
