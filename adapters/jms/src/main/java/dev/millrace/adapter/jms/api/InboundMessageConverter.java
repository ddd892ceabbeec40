package dev.millrace.adapter.jms.api;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;

/**
 * Converts messages to events: the {@code converterBean} of an adapter {@code jms-inbound}.
 *
 * <p>Threads: an adapter makes one call at a time. Failure: a {@link MessageConverterException}, a runtime exception
 * or a {@code jakarta.jms.MessageFormatException} rejects the message; any other {@code JMSException} counts as a
 * failure of the connection, after which the message is received again.
 */
@FunctionalInterface
public interface InboundMessageConverter
{
    /**
     * Converts a message.
     *
     * @param message owned by the adapter; must not be used after the call, and must not be acknowledged
     * @return beans, maps or tuples of the channel's event type, in order; an empty list to ignore the message
     * @throws MessageConverterException if the message cannot be converted
     * @throws JMSException if the message cannot be read
     */
    List<?> convert(Message message) throws MessageConverterException, JMSException;
}
