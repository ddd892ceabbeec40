package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowDecoder;
import dev.millrace.adapter.common.decode.RowWriter;

/** Decodes values that are a record of CSV or JSON. Confined to one thread. */
final class TextDecoder implements ValueDecoder
{
    private final RowDecoder decoder;
    private Rejection rejection;

    TextDecoder(final RowDecoder decoder)
    {
        this.decoder = decoder;
    }

    @Override
    public boolean decode(final String topic, final byte[] bytes, final int from, final int to, final int row)
    {
        final int end = decoder.decode(bytes, from, to, true, row);
        rejection = null;
        switch (decoder.outcome())
        {
            case ROW ->
            {
                if (end < to)
                {
                    reject(RejectReason.EXCESS_FIELD, "the value contains more than one record, text=\"" +
                        RowWriter.excerpt(bytes, end, to) + '"');
                }
            }
            case REJECTED -> reject(decoder.reason(), decoder.detail());
            default -> reject(RejectReason.MISSING_FIELD, "the value is blank");
        }
        return rejection == null;
    }

    private void reject(final RejectReason why, final String what)
    {
        rejection = Rejection.of(why, what);
    }

    @Override
    public Rejection rejection()
    {
        return rejection;
    }
}
