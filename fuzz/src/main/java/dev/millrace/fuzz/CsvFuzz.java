package dev.millrace.fuzz;

import dev.millrace.adapter.loadgen.BatchAssembler;
import dev.millrace.adapter.loadgen.CsvDecoder;
import dev.millrace.adapter.loadgen.WireFormatException;

/** Lines of CSV on the data port, whole and split in two: both must accept and reject the same number of rows. */
public final class CsvFuzz
{
    private static final int MAX_LINE_BYTES = 4096;

    private CsvFuzz()
    {
    }

    /**
     * Decodes an input.
     *
     * @param data a byte that selects the split position, and lines
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        final String whole = decode(data, data.length);
        final String pieces = decode(data, 1 + (data[0] & 0xFF) % (data.length - 1));
        if (!whole.equals(pieces))
        {
            throw new IllegalStateException("whole: " + whole + ", in pieces: " + pieces);
        }
    }

    private static String decode(final byte[] data, final int cut)
    {
        final CountingSender sender = new CountingSender(CountingSender.ALL);
        final BatchAssembler batch = new BatchAssembler(sender, BatchAssembler.columnsOf(sender.schema().type(), null));
        final CsvDecoder decoder = new CsvDecoder(batch, MAX_LINE_BYTES, "fuzz");
        String end = "";
        try
        {
            int consumed = decoder.decode(data, 1, cut, 1);
            consumed = decoder.decode(data, consumed, data.length, 1);
            decoder.decodeLast(data, consumed, data.length, 1);
        }
        catch (final WireFormatException e)
        {
            end = " refused=" + e.refusal();
        }
        batch.flush();
        return sender.counts() + end;
    }
}
