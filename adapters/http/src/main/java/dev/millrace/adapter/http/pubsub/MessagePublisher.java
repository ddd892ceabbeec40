package dev.millrace.adapter.http.pubsub;

import dev.millrace.api.stage.EventRejectedException;
import java.util.List;
import java.util.Map;

/** Publishes messages to a channel. Called by one thread at a time, except where a method states otherwise. */
interface MessagePublisher extends AutoCloseable
{
    /**
     * Publishes messages in order.
     *
     * @param messages JSON, each on one line
     * @throws EventRejectedException if they were not published
     */
    void publish(List<String> messages) throws EventRejectedException;

    /** The figures of the server, for statistics; called by any thread. */
    Map<String, Object> statistics();

    /** Ends; called by any thread. */
    @Override
    void close();
}
