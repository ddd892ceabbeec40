package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.charset.StandardCharsets;

/** Encodes rows as JSON or CSV, which is always possible. Not thread-safe. */
final class TextEncoder implements ValueEncoder
{
    private final EventFormatter formatter;
    private final StringBuilder text = new StringBuilder();

    TextEncoder(final EventFormatter formatter)
    {
        this.formatter = formatter;
    }

    @Override
    public void map(final EventBatch batch) throws EventRejectedException
    {
        formatter.map(batch);
    }

    @Override
    public byte[] encode(final EventBatch batch, final int row)
    {
        text.setLength(0);
        formatter.append(batch, row, text);
        // Without the end of the line.
        return text.substring(0, text.length() - 1).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String refusal()
    {
        return "";
    }
}
