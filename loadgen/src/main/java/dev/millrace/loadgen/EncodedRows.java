package dev.millrace.loadgen;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** The rows of one connection as consecutive bytes, ready to be copied to packets. Immutable. */
final class EncodedRows
{
    private final byte[] bytes;
    private final int[] starts;
    private final int longest;

    EncodedRows(final RowAssignment plan, final int connection, final RowEncoder encoder, final boolean asLines)
        throws GeneratorException
    {
        final int count = plan.rowCount(connection);
        starts = new int[count + 1];
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        int max = 0;
        for (int i = 0; i < count; i++)
        {
            final int row = plan.row(connection, i);
            final byte[] one = asLines ? encoder.encodeLine(row) : encoder.encode(row);
            all.writeBytes(one);
            starts[i + 1] = all.size();
            max = Math.max(max, one.length);
        }
        bytes = all.toByteArray();
        longest = max;
    }

    int longestRow()
    {
        return longest;
    }

    /** Copies rows, restarting at the first after the last. */
    void copy(final long position, final int rowCount, final ByteBuffer to)
    {
        final int count = starts.length - 1;
        int from = (int)(position % count);
        int remaining = rowCount;
        while (remaining > 0)
        {
            final int until = Math.min(count, from + remaining);
            to.put(bytes, starts[from], starts[until] - starts[from]);
            remaining -= until - from;
            from = 0;
        }
    }

    /** Number of bytes that {@link #copy} would copy. */
    int bytes(final long position, final int rowCount)
    {
        final int count = starts.length - 1;
        int from = (int)(position % count);
        int remaining = rowCount;
        int sum = 0;
        while (remaining > 0)
        {
            final int until = Math.min(count, from + remaining);
            sum += starts[until] - starts[from];
            remaining -= until - from;
            from = 0;
        }
        return sum;
    }
}
