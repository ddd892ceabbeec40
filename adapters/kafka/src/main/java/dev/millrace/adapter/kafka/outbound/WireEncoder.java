package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.WireLayout;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes rows in the wire format. Not thread-safe. Failure: rows with strings that are too long are refused. */
final class WireEncoder implements ValueEncoder
{
    private static final int INITIAL_BYTES = 256;

    private final SinkSettings settings;
    private final EventFormatter formatter;
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int[] columns = {};
    private CqlType[] types = {};
    private String refusal = "";

    /** @param formatter that finds the columns */
    WireEncoder(final SinkSettings settings, final EventFormatter formatter)
    {
        this.settings = settings;
        this.formatter = formatter;
    }

    @Override
    public void map(final EventBatch batch) throws EventRejectedException
    {
        formatter.map(batch);
        if (columns == formatter.indexes())
        {
            return;
        }
        final int[] found = formatter.indexes();
        final CqlType[] foundTypes = new CqlType[found.length];
        for (int i = 0; i < found.length; i++)
        {
            final EventProperty property = batch.schema().type().properties().get(found[i]);
            foundTypes[i] = property.type();
            if (WireLayout.bytes(property.type()) == 0)
            {
                throw new EventRejectedException(KafkaErrorCode.EVENTS.message("the wire format does not contain the " +
                    "type of a property, stage=" + settings.stageName() + " property=" + property.name() + " type=" +
                    property.type().cqlName(), "select other properties with columns"));
            }
        }
        columns = found;
        types = foundTypes;
    }

    @Override
    public byte[] encode(final EventBatch batch, final int row)
    {
        final int bitmapBytes = hasNull(batch, row) ? WireLayout.bitmapBytes(columns.length) : 0;
        int at = WireLayout.HEADER_BYTES + bitmapBytes;
        reserve(at);
        Arrays.fill(bytes, 0, at, (byte)0);
        bytes[0] = WireLayout.VERSION;
        bytes[1] = bitmapBytes > 0 ? WireLayout.HAS_NULLS : 0;
        for (int i = 0; i < columns.length; i++)
        {
            final int size = WireLayout.bytes(types[i]);
            reserve(at + size);
            if (batch.isNull(columns[i], row))
            {
                bytes[WireLayout.HEADER_BYTES + (i >>> 3)] |= (byte)(1 << (i & 7));
                Arrays.fill(bytes, at, at + size, (byte)0);
                at += size;
            }
            else if (types[i] == CqlType.CHAR)
            {
                final byte[] text = batch.texts(columns[i]).string(row).getBytes(StandardCharsets.UTF_8);
                if (text.length > WireLayout.MAX_TEXT_BYTES)
                {
                    refusal = "a string is too long for the wire format, property=" +
                        batch.schema().type().properties().get(columns[i]).name() + " bytes=" + text.length +
                        " maxBytes=" + WireLayout.MAX_TEXT_BYTES;
                    return null;
                }
                reserve(at + size + text.length);
                WireLayout.SHORT.set(bytes, at, (short)text.length);
                System.arraycopy(text, 0, bytes, at + size, text.length);
                at += size + text.length;
            }
            else
            {
                put(batch, i, row, at);
                at += size;
            }
        }
        return Arrays.copyOf(bytes, at);
    }

    private boolean hasNull(final EventBatch batch, final int row)
    {
        for (final int column : columns)
        {
            if (batch.isNull(column, row))
            {
                return true;
            }
        }
        return false;
    }

    private void reserve(final int size)
    {
        if (size > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(size, 2 * bytes.length));
        }
    }

    private void put(final EventBatch batch, final int index, final int row, final int at)
    {
        final int column = columns[index];
        switch (types[index])
        {
            case INT -> WireLayout.INT.set(bytes, at, batch.ints(column)[row]);
            case FLOAT -> WireLayout.FLOAT.set(bytes, at, batch.floats(column)[row]);
            case DOUBLE -> WireLayout.DOUBLE.set(bytes, at, batch.doubles(column)[row]);
            case BOOLEAN -> bytes[at] = batch.bits(column)[row];
            default -> WireLayout.LONG.set(bytes, at, batch.longs(column)[row]);
        }
    }

    @Override
    public String refusal()
    {
        return refusal;
    }
}
