package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.jms.api.MessageConverterException;
import dev.millrace.adapter.jms.api.OutboundMessageConverter;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Creates the messages of rows. Confined to one thread at a time. */
final class MessageWriter
{
    private final SinkSettings settings;
    private final EventFormatter formatter;
    private final OutboundMessageConverter converter;
    private final Function<EventBatch, EventObjects> conversion;
    private final MapEntries entries;
    private final StringBuilder text = new StringBuilder();
    private EventObjects objects;
    private EventBatch mapped;

    /**
     * @param converter  {@code null} for none
     * @param conversion of the rows of a batch to objects, for a converter
     */
    MessageWriter(final SinkSettings settings, final EventFormatter formatter,
        final OutboundMessageConverter converter, final Function<EventBatch, EventObjects> conversion)
    {
        this.settings = settings;
        this.formatter = formatter;
        this.converter = converter;
        this.conversion = conversion;
        entries = new MapEntries(settings.format());
    }

    /** Prepares for the rows of a batch. */
    void map(final EventBatch batch) throws EventRejectedException
    {
        if (converter == null)
        {
            formatter.map(batch);
            return;
        }
        if (batch.hasKinds())
        {
            throw new EventRejectedException(JmsErrorCode.EVENTS.message("a converter cannot distinguish the rows of " +
                "a relation, stage=" + settings.stageName(), "convert the relation to a stream with IStream or " +
                "DStream"));
        }
        if (mapped == null || !mapped.schema().equals(batch.schema()))
        {
            objects = conversion.apply(batch);
            mapped = batch;
        }
    }

    /**
     * Creates the messages of a row of the batch that was mapped last.
     *
     * @throws EventRejectedException if the row has no representation as a message
     */
    List<Message> write(final Session session, final EventBatch batch, final int row)
        throws JMSException, EventRejectedException
    {
        try
        {
            return converter != null ? converter.convert(session, objects.read(batch, row)) :
                List.of(message(session, batch, row));
        }
        catch (final MessageConverterException | MessageFormatException | RuntimeException e)
        {
            throw new EventRejectedException(JmsErrorCode.EVENTS.message("a row cannot be written as a message, " +
                "stage=" + settings.stageName() + " reason=" + e,
                "correct the converter, or the properties of the event"), e);
        }
    }

    private Message message(final Session session, final EventBatch batch, final int row) throws JMSException
    {
        if (settings.messageType() == MessageType.MAP)
        {
            final MapMessage map = session.createMapMessage();
            entries.write(batch, row, map);
            return map;
        }
        text.setLength(0);
        formatter.append(batch, row, text);
        text.setLength(text.length() - 1);
        if (formatter.header() != null)
        {
            text.insert(0, formatter.header() + '\n');
        }
        if (settings.messageType() == MessageType.TEXT)
        {
            return session.createTextMessage(text.toString());
        }
        final BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
        return bytes;
    }
}
