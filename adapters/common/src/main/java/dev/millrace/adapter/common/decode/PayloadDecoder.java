package dev.millrace.adapter.common.decode;

import java.util.Arrays;

/**
 * Decodes the rows of a message, whose payload is complete, one after the other. Confined to one thread.
 *
 * <pre>
 *   decoder.begin(payload);
 *   while (decoder.next(row))
 *       decoder.isRow() ? send the row : reject decoder.part() for decoder.reason()
 * </pre>
 */
public final class PayloadDecoder
{
    private final RowDecoder decoder;
    private final RowWriter writer;
    private byte[] payload = new byte[0];
    private int from;
    private int next;

    /**
     * Creates a decoder.
     *
     * @param decoder of the format
     * @param writer  to which it writes
     */
    public PayloadDecoder(final RowDecoder decoder, final RowWriter writer)
    {
        this.decoder = decoder;
        this.writer = writer;
    }

    /** Begins a payload, which belongs to the decoder from now on. */
    public void begin(final byte[] bytes)
    {
        payload = bytes;
        from = 0;
        next = decoder.hasHeader() ? Math.max(0, decoder.header(payload, 0, payload.length, true)) : 0;
    }

    /**
     * Decodes the next record that is not blank. The row of a rejected record can be used again.
     *
     * @param row of the batch
     * @return false at the end of the payload
     */
    public boolean next(final int row)
    {
        boolean isFound = false;
        while (!isFound && next < payload.length)
        {
            from = next;
            final int end = decoder.decode(payload, from, payload.length, true, row);
            next = decoder.isUnbounded() ? afterLine() : end;
            isFound = decoder.outcome() != RowDecoder.Outcome.BLANK;
        }
        if (isFound && !isRow())
        {
            writer.abandon(row);
        }
        return isFound;
    }

    private int afterLine()
    {
        int at = from;
        while (at < payload.length && payload[at] != '\n')
        {
            at++;
        }
        return Math.min(at + 1, payload.length);
    }

    /** Whether the last record is a row, which the batch contains. */
    public boolean isRow()
    {
        return decoder.outcome() == RowDecoder.Outcome.ROW;
    }

    /** Why the last record was rejected. */
    public RejectReason reason()
    {
        return decoder.reason();
    }

    /** The column and value, or other facts that help to find the cause. */
    public String detail()
    {
        return decoder.detail();
    }

    /** A copy of the bytes of the last record. */
    public byte[] part()
    {
        return Arrays.copyOfRange(payload, from, next);
    }
}
