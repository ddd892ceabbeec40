package dev.millrace.api.stage;

import java.util.Collection;

/** The sender of a source of a batching stream channel. */
public interface BatchStreamSender extends StreamSender
{
    /**
     * Sends several events in order.
     *
     * @param insertEvents beans, maps or tuples
     */
    void sendInsertEvents(Collection<?> insertEvents);
}
