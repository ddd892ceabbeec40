package dev.millrace.adapter.jms.api;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;

/**
 * Converts events to messages: the {@code converterBean} of an adapter {@code jms-outbound}.
 *
 * <p>Threads: an adapter makes one call at a time. Failure: a {@link MessageConverterException} or a runtime exception
 * rejects the event; a {@code JMSException} counts as a failure of the connection, after which the event is converted
 * again.
 */
@FunctionalInterface
public interface OutboundMessageConverter
{
    /**
     * Converts an event.
     *
     * @param session creates messages; must not be committed, rolled back or closed
     * @param event   bean, map or tuple, by the channel's event type
     * @return messages to send in order; an empty list to ignore the event
     * @throws MessageConverterException if the event cannot be converted
     * @throws JMSException if a message cannot be created
     */
    List<Message> convert(Session session, Object event) throws MessageConverterException, JMSException;
}
