package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.jms.connect.JmsErrorCode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;

/**
 * Sends what was rejected to another destination, in the transaction of the message. Confined to the source's thread.
 * Failure: a {@code JMSException} counts as a failure of the connection, so that the message is received again.
 */
final class DeadLetters
{
    private static final String CODE = "millrace_code";
    private static final String REASON = "millrace_reason";
    private static final String DETAIL = "millrace_detail";
    private static final String STAGE = "millrace_stage";
    private static final String MESSAGE_ID = "millrace_messageId";

    private final Session session;
    private final MessageProducer producer;
    private final String stageName;

    DeadLetters(final Session session, final Destination destination, final String stageName) throws JMSException
    {
        this.session = session;
        this.stageName = stageName;
        producer = session.createProducer(destination);
    }

    /**
     * Sends a message as it was received, or a part of it as text; properties contain the cause.
     *
     * @param part as UTF-8; {@code null} for the whole message
     */
    void send(final Message original, final byte[] part, final MessageRejectedException cause) throws JMSException
    {
        final Message letter = part == null ? original :
            session.createTextMessage(new String(part, StandardCharsets.UTF_8).stripTrailing());
        final String id = original.getJMSMessageID();
        final Map<String, Object> properties = properties(original);
        if (part == null)
        {
            original.clearProperties();
        }
        for (final Map.Entry<String, Object> each : properties.entrySet())
        {
            letter.setObjectProperty(each.getKey(), each.getValue());
        }
        letter.setStringProperty(CODE, JmsErrorCode.MESSAGE.text());
        letter.setStringProperty(REASON, cause.reason());
        letter.setStringProperty(DETAIL, cause.getMessage());
        letter.setStringProperty(STAGE, stageName);
        letter.setStringProperty(MESSAGE_ID, id);
        producer.send(letter);
    }

    /** The application's properties; those of the provider belong to the original only. */
    private static Map<String, Object> properties(final Message original) throws JMSException
    {
        final Map<String, Object> properties = new HashMap<>();
        final Enumeration<?> names = original.getPropertyNames();
        while (names.hasMoreElements())
        {
            final String name = names.nextElement().toString();
            if (!name.startsWith("JMS") && !name.startsWith("_"))
            {
                properties.put(name, original.getObjectProperty(name));
            }
        }
        return properties;
    }
}
