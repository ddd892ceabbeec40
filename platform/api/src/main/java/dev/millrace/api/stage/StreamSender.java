package dev.millrace.api.stage;

/**
 * What an object source of a stream sends through. Safe for several threads; calls are taken one at a time.
 */
public interface StreamSender
{
    /**
     * Sends one event.
     *
     * @param event bean, map or tuple of the channel's event type; not changed and not kept
     */
    void sendInsertEvent(Object event);

    /**
     * Promises that no later event of this source is older.
     *
     * @param timestampNs nanoseconds, by the channel's application time
     */
    void sendHeartbeat(long timestampNs);
}
