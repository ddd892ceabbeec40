package dev.millrace.adapter.http.pubsub;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import dev.millrace.adapter.common.decode.JsonDecoder;
import dev.millrace.adapter.common.decode.PayloadDecoder;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.adapter.http.api.InboundMessageConverter;
import dev.millrace.adapter.http.api.MessageConverterException;
import dev.millrace.adapter.http.channel.JsonValues;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes the rows of messages to the batch, by a converter if there is one. Confined to the source's thread. */
final class MessageReader
{
    private static final int SHOWN_CHARS = 500;
    private static final Gson GSON =
        new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();
    private static final TypeToken<Map<String, Object>> OBJECT = new TypeToken<>()
    {
    };

    private final RowBatch rows;
    private final SourceCounters counters;
    private final EventObjects objects;
    private final InboundMessageConverter converter;
    private final Clock clock;
    private final int maxMessageBytes;
    private final RowWriter writer;
    private final PayloadDecoder decoder;

    /**
     * @param columns   that are read
     * @param objects   {@code null} without a converter
     * @param converter {@code null} for none
     */
    MessageReader(final RowBatch rows, final EventType type, final int[] columns, final boolean isMissingNull,
        final int maxMessageBytes, final EventObjects objects, final InboundMessageConverter converter,
        final SourceCounters counters, final Clock clock)
    {
        this.rows = rows;
        this.counters = counters;
        this.objects = objects;
        this.converter = converter;
        this.clock = clock;
        this.maxMessageBytes = maxMessageBytes;
        writer = new RowWriter(rows.batch(), columns);
        decoder = new PayloadDecoder(new JsonDecoder(writer, type, isMissingNull, false), writer);
    }

    /** Adds the rows of a message: a JSON object, or an array of objects. */
    void read(final byte[] message)
    {
        if (message.length > maxMessageBytes)
        {
            reject("too-large", "bytes=" + message.length + " limit=" + maxMessageBytes, message);
            return;
        }
        if (message.length > 0 && message[0] == '{')
        {
            object(message);
            return;
        }
        try
        {
            JsonValues.objects(new String(message, StandardCharsets.UTF_8))
                .forEach(value -> object(value.getBytes(StandardCharsets.UTF_8)));
        }
        catch (final IllegalArgumentException e)
        {
            reject("broken-json", e.getMessage(), message);
        }
    }

    private void object(final byte[] object)
    {
        if (converter != null)
        {
            convert(object);
            return;
        }
        decoder.begin(object);
        while (decoder.next(rows.rows()))
        {
            if (decoder.isRow())
            {
                add();
            }
            else
            {
                reject(decoder.reason().reason(), decoder.detail(), object);
            }
        }
    }

    private void convert(final byte[] object)
    {
        final List<?> events;
        try
        {
            events = converter.convert(GSON.fromJson(new String(object, StandardCharsets.UTF_8), OBJECT));
        }
        catch (final MessageConverterException | RuntimeException e)
        {
            reject("converter-failed", e.toString(), object);
            return;
        }
        for (final Object event : events == null ? List.of() : events)
        {
            try
            {
                objects.write(event, rows.batch(), rows.rows());
                add();
            }
            catch (final EventRejectedException e)
            {
                writer.abandon(rows.rows());
                reject("wrong-event", e.getMessage(), object);
            }
        }
    }

    private void add()
    {
        rows.add(rows.lastNumber() + 1, clock.epochNs());
    }

    private void reject(final String reason, final String detail, final byte[] message)
    {
        final String text = new String(message, StandardCharsets.UTF_8);
        counters.rejected(reason, detail, text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS));
    }
}
