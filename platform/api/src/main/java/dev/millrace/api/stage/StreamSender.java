package dev.millrace.api.stage;

/** The sender of an object source of a stream. Thread-safe; calls are serialized. */
public interface StreamSender
{
    /**
     * Sends one event.
     *
     * @param event bean, map or tuple of the channel's event type; not changed and not stored
     */
    void sendInsertEvent(Object event);

    /**
     * Promises that no later event of this source is older.
     *
     * @param timestampNs nanoseconds, by the channel's application time
     */
    void sendHeartbeat(long timestampNs);
}
