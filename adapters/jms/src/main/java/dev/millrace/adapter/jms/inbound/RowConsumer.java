package dev.millrace.adapter.jms.inbound;

import jakarta.jms.JMSException;
import java.io.IOException;

/** Receives the rows of messages. Confined to the source's thread. */
interface RowConsumer
{
    /** Adds the row that was written to the batch. */
    void add() throws IOException;

    /**
     * Rejects a row, or the whole message.
     *
     * @param part the text of the row as UTF-8; {@code null} for the message
     */
    void reject(MessageRejectedException cause, byte[] part) throws JMSException;
}
