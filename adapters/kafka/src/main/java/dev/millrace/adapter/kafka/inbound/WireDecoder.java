package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.adapter.kafka.property.WireLayout;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import java.util.List;
import java.util.stream.IntStream;

/** Decodes values in the wire format. Confined to one thread; allocates only for rejected values. */
final class WireDecoder implements ValueDecoder
{
    private static final String MALFORMED = "KAF-0124";

    private final EventBatch batch;
    private final RowWriter writer;
    private final int[] columns;
    private final CqlType[] types;
    private final String[] names;
    private final int bitmapBytes;
    private Rejection rejection;

    /**
     * @param columns of values, in their order
     * @throws IllegalArgumentException if the format does not contain the type of a column
     */
    WireDecoder(final SourceSettings settings, final EventBatch batch, final RowWriter writer, final int[] columns)
    {
        this.batch = batch;
        this.writer = writer;
        this.columns = columns.clone();
        final List<EventProperty> properties = batch.schema().type().properties();
        types = IntStream.of(columns).mapToObj(column -> column < 0 ? null : properties.get(column).type())
            .toArray(CqlType[]::new);
        names = IntStream.of(columns).mapToObj(column -> column < 0 ? "-" : properties.get(column).name())
            .toArray(String[]::new);
        bitmapBytes = WireLayout.bitmapBytes(columns.length);
        for (int i = 0; i < types.length; i++)
        {
            if (types[i] == null || WireLayout.bytes(types[i]) == 0)
            {
                throw settings.check().wrong("columns", names[i], "with the format wire, list properties of the types" +
                    " bigint, boolean, char, double, float, int, interval and timestamp");
            }
        }
    }

    @Override
    public boolean decode(final String topic, final byte[] bytes, final int from, final int to, final int row)
    {
        writer.begin(row);
        if (to - from < WireLayout.HEADER_BYTES || bytes[from] != WireLayout.VERSION)
        {
            return malformed("the value does not begin with the version " + WireLayout.VERSION, bytes, from, to);
        }
        if ((bytes[from + 1] & ~WireLayout.HAS_NULLS) != 0)
        {
            return malformed("unknown flags=" + bytes[from + 1], bytes, from, to);
        }
        final int bitmap = from + WireLayout.HEADER_BYTES;
        final boolean hasNulls = bytes[from + 1] != 0;
        int at = hasNulls ? bitmap + bitmapBytes : bitmap;
        for (int i = 0; i < columns.length; i++)
        {
            final int size = WireLayout.bytes(types[i]);
            if (to - at < size)
            {
                return malformed("the value ends in column=" + names[i], bytes, from, to);
            }
            final int length = types[i] == CqlType.CHAR ? (short)WireLayout.SHORT.get(bytes, at) & 0xFFFF : 0;
            final int next = at + size + length;
            if (next > to)
            {
                return malformed("the value ends in column=" + names[i], bytes, from, to);
            }
            if (hasNulls && (bytes[bitmap + (i >>> 3)] & 1 << (i & 7)) != 0 || types[i] == CqlType.CHAR && length == 0)
            {
                batch.setNull(columns[i], row);
            }
            else if (!put(i, row, bytes, at, next))
            {
                return false;
            }
            at = next;
        }
        return at == to || malformed("there are bytes after the last column, bytes=" + (to - at), bytes, from, to);
    }

    private boolean put(final int index, final int row, final byte[] bytes, final int at, final int next)
    {
        final int column = columns[index];
        switch (types[index])
        {
            case BIGINT, TIMESTAMP, INTERVAL -> batch.longs(column)[row] = (long)WireLayout.LONG.get(bytes, at);
            case DOUBLE -> batch.doubles(column)[row] = (double)WireLayout.DOUBLE.get(bytes, at);
            case INT -> batch.ints(column)[row] = (int)WireLayout.INT.get(bytes, at);
            case FLOAT -> batch.floats(column)[row] = (float)WireLayout.FLOAT.get(bytes, at);
            case BOOLEAN ->
            {
                if (bytes[at] != 0 && bytes[at] != 1)
                {
                    return reject(RejectReason.WRONG_TYPE, "column=" + names[index] + " byte=" + bytes[at]);
                }
                batch.bits(column)[row] = bytes[at];
            }
            default ->
            {
                final RejectReason refusal = writer.put(column, row, bytes, at + 2, next);
                return refusal == null || reject(refusal, writer.describe(column, bytes, at + 2, next));
            }
        }
        return true;
    }

    private boolean reject(final RejectReason why, final String what)
    {
        rejection = Rejection.of(why, what);
        return false;
    }

    private boolean malformed(final String what, final byte[] bytes, final int from, final int to)
    {
        rejection = new Rejection(MALFORMED, "malformed-value", what + " valueBytes=" + (to - from) +
            " value=\"" + RowWriter.excerpt(bytes, from, to) + '"');
        return false;
    }

    @Override
    public Rejection rejection()
    {
        return rejection;
    }
}
