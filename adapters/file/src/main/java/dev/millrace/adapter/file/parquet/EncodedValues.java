package dev.millrace.adapter.file.parquet;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;

/**
 * Checks the numbers and lengths in encoded values, because the decoders of the library allocate memory for them before
 * they compare them with the size of the page. Stateless. Failure: {@link RefusedFileException} or an exception of the
 * library if the values are damaged.
 */
final class EncodedValues
{
    private static final int MAX_BLOCK = 1 << 16;
    /** Values of a packed run after the last value of the page. */
    private static final int MAX_PADDING = 1 << 10;
    /** A value of a packed run before and after it is unpacked, at most. */
    private static final int DECODED_BYTES = 2 * Integer.BYTES;

    private EncodedValues()
    {
    }

    /**
     * Checks values before a decoder is opened.
     *
     * @param count of the values and nulls of the page
     * @param in    whose position is not changed
     * @param share from which the memory of the decoder is taken
     */
    static void check(final Encoding encoding, final int count, final ByteBufferInputStream in,
        final PageMemory.Share share) throws IOException
    {
        in.mark(in.available());
        final ByteBuffer values = in.slice(in.available());
        in.reset();
        final ByteBufferInputStream copy = ByteBufferInputStream.wrap(values);
        switch (encoding)
        {
            case DELTA_BINARY_PACKED -> checkDelta(count, copy, share);
            case DELTA_LENGTH_BYTE_ARRAY -> checkLengths(null, openDelta(count, copy, share), copy, share);
            case DELTA_BYTE_ARRAY ->
            {
                final Lengths prefixes = openDelta(count, copy, share);
                checkLengths(prefixes, openDelta(count, copy, share), copy, share);
            }
            case RLE_DICTIONARY, PLAIN_DICTIONARY ->
            {
                if (copy.available() > 0)
                {
                    checkRuns(copy.read(), count, copy, share);
                }
            }
            case RLE ->
            {
                final int length = BytesUtils.readIntLittleEndian(copy);
                checkRuns(1, count, copy.sliceStream(length), share);
            }
            case BYTE_STREAM_SPLIT -> share.take(copy.available());
            default ->
            {
                // The decoder needs no memory for a number that the page contains.
            }
        }
    }

    /** Checks runs of equal or of packed values. */
    static void checkRuns(final int bitWidth, final int count, final ByteBufferInputStream in,
        final PageMemory.Share share) throws IOException
    {
        if (bitWidth > Integer.SIZE)
        {
            throw wrong(share, "bitWidth=" + bitWidth);
        }
        long found = 0;
        long largest = 0;
        while (found < count && in.available() > 0)
        {
            final int header = BytesUtils.readUnsignedVarInt(in);
            final boolean isPacked = (header & 1) != 0;
            final int run = header >>> 1;
            final long values = isPacked ? (long)Byte.SIZE * run : run;
            if (isPacked && values > count - found + MAX_PADDING)
            {
                throw wrong(share, "values=" + values);
            }
            largest = isPacked ? Math.max(largest, values) : largest;
            final long bytes = isPacked ? (long)bitWidth * run : (bitWidth + Byte.SIZE - 1) / Byte.SIZE;
            in.skipFully(Math.min(bytes, in.available()));
            found += values;
        }
        share.take(DECODED_BYTES * largest);
    }

    /** Checks the beginning of numbers, and takes the memory for them; returns how many follow. */
    private static int checkDelta(final int count, final ByteBufferInputStream in, final PageMemory.Share share)
        throws IOException
    {
        in.mark(in.available());
        final int block = BytesUtils.readUnsignedVarInt(in);
        final int miniBlocks = BytesUtils.readUnsignedVarInt(in);
        final int total = BytesUtils.readUnsignedVarInt(in);
        in.reset();
        if (block <= 0 || block > MAX_BLOCK || miniBlocks <= 0 || miniBlocks > block || total < 0 || total > count)
        {
            throw wrong(share, "values=" + total);
        }
        share.take((long)Long.BYTES * ((long)total + block));
        return total;
    }

    /** The lengths of strings. */
    private record Lengths(int count, DeltaBinaryPackingValuesReader values)
    {
    }

    private static Lengths openDelta(final int count, final ByteBufferInputStream in, final PageMemory.Share share)
        throws IOException
    {
        final int total = checkDelta(count, in, share);
        final DeltaBinaryPackingValuesReader values = new DeltaBinaryPackingValuesReader();
        values.initFromPage(count, in);
        return new Lengths(total, values);
    }

    /**
     * Checks lengths, and takes the memory for the strings that are decoded together.
     *
     * @param prefixes how much each string has in common with the one before; {@code null} for nothing
     */
    private static void checkLengths(final Lengths prefixes, final Lengths lengths, final InputStream in,
        final PageMemory.Share share) throws IOException
    {
        if (prefixes != null && prefixes.count != lengths.count)
        {
            throw wrong(share, "values=" + lengths.count + " prefixes=" + prefixes.count);
        }
        long left = in.available();
        long previous = 0;
        long longest = 0;
        long sum = 0;
        for (int i = 0; i < lengths.count; i++)
        {
            final int prefix = prefixes == null ? 0 : prefixes.values.readInteger();
            final int length = lengths.values.readInteger();
            left -= length;
            if (prefix < 0 || prefix > previous || length < 0 || left < 0)
            {
                throw wrong(share, "prefix=" + prefix + " length=" + length);
            }
            previous = (long)prefix + length;
            longest = Math.max(longest, previous);
            sum += previous;
        }
        if (prefixes != null)
        {
            share.take(Math.min(sum, EventBatch.CAPACITY * longest));
        }
    }

    private static RefusedFileException wrong(final PageMemory.Share share, final String detail)
    {
        return RefusedFileException.damaged("a number in a page is wrong, column=" + share.column() + ' ' + detail);
    }
}
