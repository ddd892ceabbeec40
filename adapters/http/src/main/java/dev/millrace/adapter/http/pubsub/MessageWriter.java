package dev.millrace.adapter.http.pubsub;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.http.api.MessageConverterException;
import dev.millrace.adapter.http.api.OutboundMessageConverter;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.EventRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Writes rows as JSON objects, by a converter if there is one. Confined to one thread at a time. */
final class MessageWriter
{
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private final String stageName;
    private final EventFormatter formatter;
    private final OutboundMessageConverter converter;
    private final Function<BatchSchema, EventObjects> conversion;
    private final StringBuilder text = new StringBuilder();
    private EventObjects objects;
    private BatchSchema schema;

    /**
     * @param converter  {@code null} for none
     * @param conversion of the rows of a batch to objects, for a converter
     */
    MessageWriter(final String stageName, final EventFormatter formatter, final OutboundMessageConverter converter,
        final Function<BatchSchema, EventObjects> conversion)
    {
        this.stageName = stageName;
        this.formatter = formatter;
        this.converter = converter;
        this.conversion = conversion;
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
            throw new EventRejectedException(HttpErrorCode.EVENTS.message("a converter cannot distinguish rows of " +
                "a relation, stage=" + stageName, "convert the relation to a stream with IStream or DStream"));
        }
        if (!batch.schema().equals(schema))
        {
            schema = batch.schema();
            objects = conversion.apply(schema);
        }
    }

    /**
     * The messages of a row of the batch that was mapped last.
     *
     * @throws EventRejectedException if the row has no representation as a message
     */
    List<String> write(final EventBatch batch, final int row) throws EventRejectedException
    {
        if (converter == null)
        {
            text.setLength(0);
            formatter.append(batch, row, text);
            // Without the end of the line.
            return List.of(text.substring(0, text.length() - 1));
        }
        try
        {
            final List<String> messages = new ArrayList<>();
            final List<Map<String, Object>> converted =
                Objects.requireNonNull(converter.convert(objects.read(batch, row)), "the converter returned null");
            for (final Map<String, Object> message : converted)
            {
                // Messages are objects: JSON null would be none.
                messages.add(GSON.toJson(Objects.requireNonNull(message, "the converter returned null as a message")));
            }
            return messages;
        }
        catch (final MessageConverterException | RuntimeException e)
        {
            throw new EventRejectedException(HttpErrorCode.NO_MESSAGE.message("a row cannot be written as a message, " +
                "stage=" + stageName + " reason=" + e, "correct the converter, or the properties of the event"), e);
        }
    }
}
