package dev.millrace.adapter.mqtt.inbound;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.CsvDecoder;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.PayloadDecoder;
import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.mqtt.connect.Incoming;
import dev.millrace.adapter.mqtt.connect.MqttException;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes the rows of messages to the batch. Confined to the source's thread. */
final class MessageReader
{
    /** Receives the rows of messages. */
    interface RowConsumer
    {
        /** Adds the row that was written to the batch. */
        void add();

        /**
         * Rejects a row, or the whole message.
         *
         * @param part the rejected bytes
         */
        void reject(String reason, String detail, byte[] part) throws MqttException;
    }

    private final SourceSettings settings;
    private final RowBatch rows;
    private final EventType type;
    private final int[] columns;
    /** -1 for none. */
    private final int topicColumn;
    private final RowWriter writer;
    private final PayloadDecoder decoder;

    /** @throws IllegalArgumentException if the columns do not match the type of the events */
    MessageReader(final SourceSettings settings, final RowBatch rows, final EventType type)
    {
        this.settings = settings;
        this.rows = rows;
        this.type = type;
        topicColumn = settings.topicColumn() == null ? -1 : type.indexOf(settings.topicColumn());
        columns = ColumnNames.of(type, names());
        writer = new RowWriter(rows.batch(), columns);
        decoder = new PayloadDecoder(rowDecoder(), writer);
    }

    private List<String> names()
    {
        return settings.columns() != null || topicColumn < 0 ? settings.columns() : type.properties().stream()
            .map(EventProperty::name).filter(name -> type.indexOf(name) != topicColumn).toList();
    }

    private RowDecoder rowDecoder()
    {
        return settings.format() == PayloadFormat.CSV ? new CsvDecoder(writer, type, columns, settings.hasHeader(),
            settings.hasHeader() && settings.columns() == null, settings.separator(), settings.nullText(),
            settings.isMissingNull()) :
            new JsonDecoder(writer, type, settings.isMissingNull(), settings.format() == PayloadFormat.JSONLINES);
    }

    /** Writes the rows of a message; rows that cannot be decoded, and messages without rows, are rejected. */
    void read(final Incoming message, final RowConsumer to) throws MqttException
    {
        final byte[] payload = message.payload();
        if (payload.length > settings.maxMessageBytes())
        {
            to.reject("message-too-long", "bytes=" + payload.length + " maxMessageBytes=" + settings.maxMessageBytes(),
                payload);
            return;
        }
        final byte[] text = utf8(payload);
        if (text == null)
        {
            to.reject("invalid-bytes", "charset=" + settings.charset(), payload);
            return;
        }
        boolean isEmpty = true;
        decoder.begin(text);
        while (decoder.next(rows.rows()))
        {
            isEmpty = false;
            if (decoder.isRow())
            {
                setTopic(message.topic());
                to.add();
            }
            else
            {
                to.reject(decoder.reason().reason(), decoder.detail(), decoder.part());
            }
        }
        if (isEmpty)
        {
            to.reject("empty-message", "the payload has no row, bytes=" + payload.length, payload);
        }
    }

    private void setTopic(final String topic)
    {
        if (topicColumn >= 0)
        {
            rows.batch().clearNull(topicColumn, rows.rows());
            rows.batch().texts(topicColumn).set(rows.rows(), topic);
        }
    }

    /** The payload as UTF-8, which the decoders check themselves; {@code null} if it is invalid in another charset. */
    private byte[] utf8(final byte[] payload)
    {
        if (settings.charset().equals(StandardCharsets.UTF_8))
        {
            // The decoder changes what it gets, and a rejected payload may be published again.
            return settings.deadLetters() == null ? payload : payload.clone();
        }
        try
        {
            final ByteBuffer bytes = StandardCharsets.UTF_8.encode(settings.charset().newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(payload)));
            return Arrays.copyOf(bytes.array(), bytes.limit());
        }
        catch (final CharacterCodingException e)
        {
            return null;
        }
    }
}
