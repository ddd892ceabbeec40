package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.internal.FieldParser;

/**
 * Decodes lines of comma-separated text directly to the columns of a {@link BatchAssembler}. Not thread-safe. Allocates
 * only for rejected rows, for numbers of unusual length and for timestamps written as text.
 *
 * <p>A line ends with LF or CR LF; blank lines are skipped; there is no quoting; an empty field is null. An invalid
 * line is rejected, and the stream continues.
 */
public final class CsvDecoder
{
    private static final byte[] BYTE_ORDER_MARK = {(byte)0xEF, (byte)0xBB, (byte)0xBF};

    private final BatchAssembler out;
    private final String peer;
    private final int maxLineBytes;
    private final int columnCount;
    private final CqlType[] types;
    private final DictionaryEncoder[] texts;
    private final FieldParser fields;
    private long lines;

    /**
     * Creates a decoder.
     *
     * @param out          receives rows
     * @param maxLineBytes maximum size of a line, including its end
     * @param peer         name of the connection, for messages
     */
    public CsvDecoder(final BatchAssembler out, final int maxLineBytes, final String peer)
    {
        this.out = out;
        this.peer = peer;
        this.maxLineBytes = maxLineBytes;
        fields = new FieldParser(out.batch);
        columnCount = out.columnCount();
        types = new CqlType[columnCount];
        texts = new DictionaryEncoder[columnCount];
        for (int i = 0; i < columnCount; i++)
        {
            types[i] = out.property(i).type();
            texts[i] = types[i] == CqlType.CHAR ? new DictionaryEncoder(out, i) : null;
        }
    }

    /**
     * Decodes all complete lines at the start of some bytes.
     *
     * @param bytes     contains the stream
     * @param from      first byte of a line
     * @param to        end of the bytes received
     * @param arrivalNs becomes the origin of the rows
     * @return first byte not consumed: {@code to}, or the start of an incomplete line
     * @throws WireFormatException when a line exceeds the maximum size
     */
    public int decode(final byte[] bytes, final int from, final int to, final long arrivalNs) throws WireFormatException
    {
        int lineStart = from;
        for (int i = from; i < to; i++)
        {
            if (bytes[i] == '\n')
            {
                decodeLine(bytes, lineStart, i, arrivalNs);
                lineStart = i + 1;
            }
        }
        if (to - lineStart >= maxLineBytes)
        {
            throw new WireFormatException(InputRejectReason.LINE_TOO_LONG, 1,
                "line does not end, maxFrameBytes=" + maxLineBytes +
                " line=\"" + DictionaryEncoder.excerpt(bytes, lineStart, to - lineStart) + "\" peer=" + peer +
                "; end lines with a newline");
        }
        return lineStart;
    }

    /**
     * Decodes the last line of a stream that ended without newline.
     *
     * @param bytes     contains the stream
     * @param from      first byte of the line
     * @param to        end of the stream
     * @param arrivalNs becomes the origin of the row
     */
    public void decodeLast(final byte[] bytes, final int from, final int to, final long arrivalNs)
    {
        decodeLine(bytes, from, to, arrivalNs);
    }

    /** Number of lines since construction, including blank ones. */
    public long lines()
    {
        return lines;
    }

    private void decodeLine(final byte[] bytes, final int from, final int to, final long arrivalNs)
    {
        final int start = lines == 0 ? behindByteOrderMark(bytes, from, to) : from;
        final int end = to > start && bytes[to - 1] == '\r' ? to - 1 : to;
        lines++;
        if (start >= end)
        {
            return;
        }
        int column = 0;
        int fieldStart = start;
        while (true)
        {
            int fieldEnd = fieldStart;
            while (fieldEnd < end && bytes[fieldEnd] != ',')
            {
                fieldEnd++;
            }
            if (column == columnCount || fieldEnd == end && column + 1 < columnCount)
            {
                rejectColumnCount(bytes, start, end);
                return;
            }
            if (!put(column, bytes, fieldStart, fieldEnd, start, end))
            {
                out.abandonRow();
                return;
            }
            column++;
            if (fieldEnd == end)
            {
                break;
            }
            fieldStart = fieldEnd + 1;
        }
        out.originsNs[out.row++] = arrivalNs;
        if (out.row == EventBatch.CAPACITY)
        {
            out.flush();
        }
    }

    private static int behindByteOrderMark(final byte[] bytes, final int from, final int to)
    {
        final int size = BYTE_ORDER_MARK.length;
        return to - from >= size && java.util.Arrays.equals(bytes, from, from + size, BYTE_ORDER_MARK, 0, size) ?
            from + size : from;
    }

    private void rejectColumnCount(final byte[] bytes, final int start, final int end)
    {
        out.abandonRow();
        int fields = 1;
        for (int i = start; i < end; i++)
        {
            fields += bytes[i] == ',' ? 1 : 0;
        }
        out.reject(1, InputRejectReason.WRONG_COLUMN_COUNT,
            "wrong number of fields, expected=" + columnCount + " actual=" +
            fields + where(bytes, start, end) + "; expected " + FrameDecoder.describe(out) +
            ", comma separated and without quotes");
    }

    private String where(final byte[] bytes, final int start, final int end)
    {
        return " line=" + lines + " text=\"" + DictionaryEncoder.excerpt(bytes, start, end - start) + "\" peer=" + peer;
    }

    /**
     * Writes one value.
     *
     * @return false when the row was rejected
     */
    private boolean put(
        final int column, final byte[] bytes, final int from, final int to, final int lineStart, final int lineEnd)
    {
        final int target = out.column(column);
        if (types[column] == CqlType.CHAR)
        {
            final int result = texts[column].put(out.row, bytes, from, to - from);
            if (result != DictionaryEncoder.WRITTEN)
            {
                texts[column].reject(out, result, bytes, from, to - from, peer + " line=" + lines);
            }
            return result == DictionaryEncoder.WRITTEN;
        }
        if (from == to)
        {
            out.batch.setNull(target, out.row);
            return true;
        }
        if (!fields.put(types[column], target, out.row, bytes, from, to))
        {
            out.reject(1, InputRejectReason.ofField(types[column]), "field is not a valid " +
                types[column].cqlName() + ", column=" + out.property(column).name() + " value=\"" +
                DictionaryEncoder.excerpt(bytes, from, to - from) + "\"" + where(bytes, lineStart, lineEnd) +
                "; correct the line, without blanks around commas");
            return false;
        }
        return true;
    }
}
