package dev.millrace.adapter.http.pubsub;

import java.io.IOException;

/** Receives the messages of a channel and puts them into a queue. Confined to the source's thread. */
interface MessageFeed extends AutoCloseable
{
    /** Subscribes, or begins to connect. */
    void open() throws IOException;

    /** Why no messages are received; {@code null} if the subscription exists. */
    String check();

    @Override
    void close();
}
