package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.PayloadDecoder;
import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.jms.api.InboundMessageConverter;
import dev.millrace.adapter.jms.api.MessageConverterException;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the rows of messages to the batch: text and bytes by a decoder, maps by the names of their entries, all
 * messages by a converter if there is one. Messages with objects are never read. Confined to the source's thread.
 */
final class MessageReader
{
    private final SourceSettings settings;
    private final RowBatch rows;
    private final EventType type;
    private final EventObjects objects;
    private final InboundMessageConverter converter;
    private final MessageBody body;
    private final int[] columns;
    /** -1 for none. */
    private final int idColumn;
    private final RowWriter writer;
    private final PayloadDecoder decoder;

    /**
     * @param objects   {@code null} if no network runs the stage
     * @param converter {@code null} for none
     * @throws IllegalArgumentException if the columns do not match the type of the events
     */
    MessageReader(final SourceSettings settings, final RowBatch rows, final EventType type, final EventObjects objects,
        final InboundMessageConverter converter)
    {
        this.settings = settings;
        this.rows = rows;
        this.type = type;
        this.objects = objects;
        this.converter = converter;
        body = new MessageBody(settings.charset(), settings.maxMessageBytes());
        idColumn = settings.messageIdColumn() == null ? -1 : type.indexOf(settings.messageIdColumn());
        columns = converter != null ? new int[0] : ColumnNames.of(type, names());
        writer = new RowWriter(rows.batch(), columns);
        decoder = new PayloadDecoder(rowDecoder(), writer);
    }

    private RowDecoder rowDecoder()
    {
        return settings.format() == PayloadFormat.CSV ? new CsvDecoder(writer, type, columns, settings.hasHeader(),
            settings.hasHeader() && settings.columns() == null, settings.separator(), settings.nullText(),
            settings.isMissingNull()) :
            new JsonDecoder(writer, type, settings.isMissingNull(), settings.format() == PayloadFormat.JSONLINES);
    }

    private List<String> names()
    {
        return settings.columns() != null || idColumn < 0 ? settings.columns() : type.properties().stream()
            .map(property -> property.name()).filter(name -> type.indexOf(name) != idColumn).toList();
    }

    /** Writes the rows of a message; rows that cannot be decoded, and messages without rows, are rejected. */
    void read(final Message message, final RowConsumer to) throws JMSException, IOException
    {
        try
        {
            if (converter != null)
            {
                convert(message, to);
            }
            else if (message instanceof final TextMessage text)
            {
                decode(body.of(text), message, to);
            }
            else if (message instanceof final BytesMessage bytes)
            {
                decode(body.of(bytes), message, to);
            }
            else if (message instanceof final MapMessage map)
            {
                map(map, to);
            }
            else
            {
                throw new MessageRejectedException("unsupported-message", "messages of this kind are refused, class=" +
                    message.getClass().getName());
            }
        }
        catch (final MessageRejectedException e)
        {
            to.reject(e, null);
        }
        catch (final MessageFormatException e)
        {
            to.reject(new MessageRejectedException("unreadable-message", e.toString()), null);
        }
    }

    /** Clears a row that was written and is not sent. */
    void abandon()
    {
        writer.abandon(rows.rows());
    }

    private void convert(final Message message, final RowConsumer to)
        throws JMSException, IOException, MessageRejectedException
    {
        final List<?> events;
        try
        {
            events = converter.convert(message);
        }
        catch (final MessageConverterException | RuntimeException e)
        {
            throw new MessageRejectedException("converter-failed", e.toString());
        }
        for (final Object event : events == null ? List.of() : events)
        {
            try
            {
                objects.write(event, rows.batch(), rows.rows());
                add(message, to);
            }
            catch (final EventRejectedException e)
            {
                to.reject(new MessageRejectedException("wrong-event", e.getMessage()), null);
            }
        }
    }

    private void map(final MapMessage message, final RowConsumer to)
        throws JMSException, IOException, MessageRejectedException
    {
        final Map<String, Object> values = new HashMap<>();
        for (final int column : columns)
        {
            final String name = column == ColumnNames.SKIPPED ? null : type.properties().get(column).name();
            if (name != null && message.itemExists(name))
            {
                values.put(name, decimal(type.properties().get(column).type(), message.getObject(name)));
            }
            else if (name != null && !settings.isMissingNull())
            {
                throw new MessageRejectedException("missing-field", "column=" + name);
            }
        }
        try
        {
            objects.write(values, rows.batch(), rows.rows());
        }
        catch (final EventRejectedException e)
        {
            writer.abandon(rows.rows());
            throw new MessageRejectedException("wrong-type", e.getMessage());
        }
        add(message, to);
    }

    /** Messages have no decimals; they are strings. */
    private static Object decimal(final CqlType of, final Object value) throws MessageRejectedException
    {
        if (of != CqlType.BIGDECIMAL || !(value instanceof final String text) || text.isEmpty())
        {
            return value;
        }
        try
        {
            return new BigDecimal(text);
        }
        catch (final NumberFormatException e)
        {
            throw new MessageRejectedException("wrong-type", "type=bigdecimal value=" + text);
        }
    }

    private void decode(final byte[] bytes, final Message message, final RowConsumer to)
        throws JMSException, IOException, MessageRejectedException
    {
        boolean isEmpty = true;
        decoder.begin(bytes);
        while (decoder.next(rows.rows()))
        {
            isEmpty = false;
            if (decoder.isRow())
            {
                add(message, to);
            }
            else
            {
                to.reject(new MessageRejectedException(decoder.reason().reason(), decoder.detail()), decoder.part());
            }
        }
        if (isEmpty)
        {
            throw new MessageRejectedException("empty-message", "the body has no row, bytes=" + bytes.length);
        }
    }

    private void add(final Message message, final RowConsumer to) throws JMSException, IOException
    {
        if (idColumn >= 0)
        {
            final String id = message.getJMSMessageID();
            if (id == null)
            {
                rows.batch().setNull(idColumn, rows.rows());
            }
            else
            {
                rows.batch().clearNull(idColumn, rows.rows());
                rows.batch().texts(idColumn).set(rows.rows(), id);
            }
        }
        to.add();
    }
}
