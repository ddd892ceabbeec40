package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.internal.FieldParser;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decodes the frames of one binary stream from a byte array directly to the columns of a {@link BatchAssembler}. Not
 * thread-safe. Allocates only for rejected rows. Several decoders may fill one batch, so that a batch spans
 * connections.
 *
 * <p>Streams of one short string and one double, the most frequent schema, have a separate loop; all others use a loop
 * over the columns. Strings for properties of other types are converted row by row.
 */
public final class FrameDecoder
{
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLE =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOAT =
        MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private static final String FOREIGN_SENDER = "; use the load generator of this release, or correct the sender: " +
        "PROTOCOL.md of the adapter describes the frames";
    private static final int MIN_LENGTH = WireFormat.FRAME_HEADER_BYTES - WireFormat.LENGTH_BYTES;
    private static final long VERSION_AND_FLAGS_MASK = 0xFFFFL << 32;
    private static final long PLAIN = (long)WireFormat.VERSION << 32;
    private static final long WITH_NULLS = PLAIN | (long)WireFormat.FLAG_NULLS << 40;
    /** Result of reading a value: the frame ends before the value does. */
    private static final int OUT_OF_FRAME = -1;
    /**
     * Result of reading a value: the row was rejected. Results up to it are negative positions, offset by this value.
     */
    private static final int REJECTED = Integer.MIN_VALUE;
    /**
     * The batch has the number of its next row: a frame rejected halfway has already added complete rows, or sent them.
     */
    private static final int IN_TARGET = -1;

    private final BatchAssembler out;
    private final String peer;
    private final int maxLength;
    private final int columnCount;
    private final WireType[] wireTypes;
    private final CqlType[] cqlTypes;
    /** For properties of type char, else {@code null}. */
    private final DictionaryEncoder[] texts;
    private final FieldParser fields;
    private final int minRowBytes;
    private final int nullBytes;
    private final boolean isPair;
    private long frames;
    private long rows;

    /**
     * Creates a decoder for a stream whose preamble was accepted.
     *
     * @param out           receives rows
     * @param columns       types of the wire columns, in order
     * @param maxFrameBytes maximum size of a frame, length field included
     * @param peer          name of the connection, for messages
     * @throws WireFormatException when the columns do not match the batch
     */
    public FrameDecoder(
        final BatchAssembler out, final List<WireType> columns, final int maxFrameBytes, final String peer)
        throws WireFormatException
    {
        checkColumns(out, columns, peer);
        this.out = out;
        this.peer = peer;
        fields = new FieldParser(out.batch);
        maxLength = maxFrameBytes - WireFormat.LENGTH_BYTES;
        columnCount = columns.size();
        wireTypes = columns.toArray(WireType[]::new);
        cqlTypes = new CqlType[columnCount];
        texts = new DictionaryEncoder[columnCount];
        int bytes = 0;
        for (int i = 0; i < columnCount; i++)
        {
            cqlTypes[i] = out.property(i).type();
            texts[i] = cqlTypes[i] == CqlType.CHAR ? new DictionaryEncoder(out, i) : null;
            bytes += wireTypes[i].minBytes();
        }
        minRowBytes = bytes;
        nullBytes = (columnCount + 7) / 8;
        isPair = columnCount == 2 && wireTypes[0] == WireType.CHAR8 && wireTypes[1] == WireType.DOUBLE &&
            cqlTypes[0] == CqlType.CHAR && cqlTypes[1] == CqlType.DOUBLE;
    }

    private static void checkColumns(final BatchAssembler out, final List<WireType> columns, final String peer)
        throws WireFormatException
    {
        if (columns.size() != out.columnCount())
        {
            throw new WireFormatException(InputRejectReason.WRONG_COLUMNS, 1, "wrong number of columns, expected=" +
                out.columnCount() + " actual=" + columns.size() + " columns=" + describe(out) + " peer=" + peer +
                "; send the columns that the adapter lists in eventPropertyNames");
        }
        for (int i = 0; i < columns.size(); i++)
        {
            if (!columns.get(i).fills(out.property(i).type()))
            {
                throw new WireFormatException(InputRejectReason.WRONG_COLUMN_TYPE, 1,
                    "column type does not match, column=" +
                    out.property(i).name() + " expected=" + out.property(i).type().cqlName() + " actual=" +
                    columns.get(i) + " columns=" + describe(out) + " peer=" + peer +
                    "; set test.columnTypes of the load generator");
            }
        }
    }

    /**
     * Whether columns are as many as the properties that they fill, but some are not of a suitable type, or are strings
     * that the sender had better convert.
     */
    static boolean haveOtherTypes(final BatchAssembler out, final List<WireType> columns)
    {
        return columns.size() == out.columnCount() && IntStream.range(0, columns.size())
            .anyMatch(i -> !columns.get(i).fills(out.property(i).type()) ||
                columns.get(i).isText() && out.property(i).type() != CqlType.CHAR);
    }

    /** The expected columns in the syntax of the generator's test.columnTypes. */
    static String describe(final BatchAssembler out)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < out.columnCount(); i++)
        {
            text.append(i == 0 ? "" : ",").append(out.property(i).name()).append(':')
                .append(out.property(i).type().cqlName());
        }
        return text.toString();
    }

    /**
     * Decodes all complete frames at the start of some bytes. Full batches are sent; the last rows stay in the batch
     * until it is flushed.
     *
     * @param bytes contains the stream
     * @param from  first byte of a frame
     * @param to    end of the bytes received
     * @return first byte not consumed: {@code to}, or the start of an incomplete frame
     * @throws WireFormatException when the stream is invalid from here on; rows before that position were accepted
     */
    public int decode(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        final int position = isPair ? decodePairFrames(bytes, from, to) : decodeFrames(bytes, from, to);
        if (to - position >= WireFormat.LENGTH_BYTES)
        {
            checkLength((int)INT.get(bytes, position));
        }
        return position;
    }

    private int decodeFrames(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        int position = from;
        while (to - position >= WireFormat.FRAME_HEADER_BYTES)
        {
            final long head = (long)LONG.get(bytes, position);
            final int length = (int)head;
            final long kind = head & VERSION_AND_FLAGS_MASK;
            if (length < MIN_LENGTH || length > maxLength || kind != PLAIN && kind != WITH_NULLS)
            {
                throw badHeader(length, head);
            }
            final int end = position + WireFormat.LENGTH_BYTES + length;
            if (end > to)
            {
                break;
            }
            final long dueNs = (long)LONG.get(bytes, position + Long.BYTES);
            decodeRows(bytes, position + WireFormat.FRAME_HEADER_BYTES, end, (int)(head >>> 48), dueNs,
                kind == WITH_NULLS);
            frames++;
            rows += head >>> 48;
            position = end;
        }
        return position;
    }

    /**
     * Decodes frames of (short string, double). Everything that does not change is in local variables, and the end of a
     * row is checked once. Stops at the first incomplete frame; other kinds of frames use the general loop.
     */
    private int decodePairFrames(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        final DictionaryEncoder text = texts[0];
        final int packLimit = text.packedLength;
        text.begin();
        final long[] heads = text.heads();
        final int[] lengths = text.lengths();
        final double[] values = out.batch.doubles(out.column(1));
        final long[] origins = out.originsNs;
        int row = out.row;
        int position = from;
        try
        {
            while (to - position >= WireFormat.FRAME_HEADER_BYTES)
            {
                final long head = (long)LONG.get(bytes, position);
                final int length = (int)head;
                if ((head & VERSION_AND_FLAGS_MASK) != PLAIN || length < MIN_LENGTH || length > maxLength)
                {
                    out.row = row;
                    row = IN_TARGET;
                    final int next = decodeOtherFrame(bytes, position, to);
                    row = out.row;
                    text.begin();
                    if (next == position)
                    {
                        break;
                    }
                    position = next;
                    continue;
                }
                final int end = position + WireFormat.LENGTH_BYTES + length;
                if (end > to)
                {
                    break;
                }
                final long dueNs = (long)LONG.get(bytes, position + Long.BYTES);
                position += WireFormat.FRAME_HEADER_BYTES;
                for (int left = (int)(head >>> 48); left > 0; left--)
                {
                    final int valueAt = position < end ? position + 1 + (bytes[position] & 0xFF) : end;
                    checkRowEnd(left, valueAt + Double.BYTES, end);
                    final long key = DictionaryEncoder.packed(bytes, position + 1, valueAt - position - 1, packLimit);
                    if (key != 0)
                    {
                        heads[row] = key;
                        lengths[row] = valueAt - position - 1;
                    }
                    else if (!putLonger(row, bytes, position + 1, valueAt - position - 1))
                    {
                        position = valueAt + Double.BYTES;
                        continue;
                    }
                    values[row] = (double)DOUBLE.get(bytes, valueAt);
                    origins[row] = dueNs;
                    position = valueAt + Double.BYTES;
                    if (++row == EventBatch.CAPACITY)
                    {
                        row = 0;
                        flushPairs(text);
                    }
                }
                endFrame(position, end, head >>> 48);
            }
        }
        finally
        {
            endRows(text, row == IN_TARGET ? out.row : row);
        }
        return position;
    }

    private void checkRowEnd(final int left, final int rowEnd, final int end) throws WireFormatException
    {
        if (rowEnd > end)
        {
            throw malformed(left, "a row extends beyond its frame");
        }
    }

    private void endFrame(final int position, final int end, final long rowCount) throws WireFormatException
    {
        checkEnd(position, end);
        frames++;
        rows += rowCount;
    }

    /** Sends a full batch and starts the next one. */
    private void flushPairs(final DictionaryEncoder text)
    {
        text.wrote(EventBatch.CAPACITY);
        flushFull();
        text.begin();
    }

    private void endRows(final DictionaryEncoder text, final int rows)
    {
        out.row = rows;
        text.wrote(rows);
    }

    /** Writes a string of a pair that is too long for the short form; false when it is rejected. */
    private boolean putLonger(final int row, final byte[] bytes, final int from, final int length)
    {
        final DictionaryEncoder text = texts[0];
        text.wrote(row);
        final int result = text.put(row, bytes, from, length);
        if (result != DictionaryEncoder.WRITTEN)
        {
            // The rows before it have lower numbers.
            out.row = row;
            text.reject(out, result, bytes, from, length, peer);
        }
        return result == DictionaryEncoder.WRITTEN;
    }

    /**
     * Decodes a frame with nulls or an invalid header.
     *
     * @return the same position when the frame is incomplete
     */
    private int decodeOtherFrame(final byte[] bytes, final int position, final int to) throws WireFormatException
    {
        final long head = (long)LONG.get(bytes, position);
        final int length = (int)head;
        if (length < MIN_LENGTH || length > maxLength || (head & VERSION_AND_FLAGS_MASK) != WITH_NULLS)
        {
            throw badHeader(length, head);
        }
        final int end = position + WireFormat.LENGTH_BYTES + length;
        return end > to ? position : decodeFrames(bytes, position, end);
    }

    private void flushFull()
    {
        out.row = EventBatch.CAPACITY;
        out.flush();
    }

    private void checkEnd(final int position, final int end) throws WireFormatException
    {
        if (position != end)
        {
            throw malformed(1, "bytes follow the last row");
        }
    }

    /**
     * The size of the incomplete frame at the start of some bytes.
     *
     * @param bytes contains the stream
     * @param from  first byte of the frame
     * @param to    end of the bytes received
     * @return bytes of the complete frame, or of its header while the size is unknown
     */
    int frameBytes(final byte[] bytes, final int from, final int to)
    {
        return to - from < WireFormat.LENGTH_BYTES ? WireFormat.FRAME_HEADER_BYTES :
            WireFormat.LENGTH_BYTES + (int)INT.get(bytes, from);
    }

    /** Number of rows of these frames, with those that were rejected. */
    long rows()
    {
        return rows;
    }

    /** Number of frames decoded since construction. */
    public long frames()
    {
        return frames;
    }

    private void decodeRows(
        final byte[] bytes, final int start, final int end, final int rows, final long dueNs, final boolean hasNulls)
        throws WireFormatException
    {
        int position = start;
        final int headBytes = hasNulls ? nullBytes : 0;
        for (int i = 0; i < rows; i++)
        {
            if (end - position < headBytes + minRowBytes)
            {
                throw malformed(rows - i, "a row extends beyond its frame");
            }
            final int nulls = hasNulls ? position : -1;
            position = decodeRow(bytes, position + headBytes, end, nulls);
            if (position == OUT_OF_FRAME)
            {
                out.abandonRow();
                throw malformed(rows - i, "a row extends beyond its frame");
            }
            if (position < 0)
            {
                out.abandonRow();
                position -= REJECTED;
                continue;
            }
            out.originsNs[out.row++] = dueNs;
            if (out.row == EventBatch.CAPACITY)
            {
                out.flush();
            }
        }
        checkEnd(position, end);
    }

    /**
     * Decodes one row.
     *
     * @return the position after it, offset by REJECTED when it was rejected
     */
    private int decodeRow(final byte[] bytes, final int start, final int end, final int nulls)
    {
        int position = start;
        boolean isRejected = false;
        for (int i = 0; i < columnCount; i++)
        {
            final WireType wireType = wireTypes[i];
            int size = wireType.minBytes();
            if (end - position < size)
            {
                return OUT_OF_FRAME;
            }
            final boolean isNull = nulls >= 0 && (bytes[nulls + (i >> 3)] >> (i & 7) & 1) != 0;
            if (wireType.isText())
            {
                final int length = wireType == WireType.CHAR8 ? bytes[position] & 0xFF :
                    (short)SHORT.get(bytes, position) & 0xFFFF;
                if (end - position - size < length)
                {
                    return OUT_OF_FRAME;
                }
                if (!isRejected)
                {
                    isRejected = !putText(i, bytes, position + size, isNull ? 0 : length);
                }
                size += length;
            }
            else if (isNull)
            {
                out.batch.setNull(out.column(i), out.row);
            }
            else
            {
                putNumber(i, wireType, bytes, position);
            }
            position += size;
        }
        return isRejected ? position + REJECTED : position;
    }

    private boolean putText(final int wireColumn, final byte[] bytes, final int from, final int length)
    {
        if (texts[wireColumn] == null)
        {
            return putConverted(wireColumn, bytes, from, length);
        }
        final int result = texts[wireColumn].put(out.row, bytes, from, length);
        if (result != DictionaryEncoder.WRITTEN)
        {
            texts[wireColumn].reject(out, result, bytes, from, length, peer);
        }
        return result == DictionaryEncoder.WRITTEN;
    }

    /** Writes a string to a property of another type; false when it is rejected. */
    private boolean putConverted(final int wireColumn, final byte[] bytes, final int from, final int length)
    {
        final CqlType type = cqlTypes[wireColumn];
        final int column = out.column(wireColumn);
        if (length == 0)
        {
            out.batch.setNull(column, out.row);
            return true;
        }
        final boolean isPut = fields.put(type, column, out.row, bytes, from, from + length);
        if (!isPut)
        {
            out.reject(1, InputRejectReason.ofField(type), "string is not a valid " + type.cqlName() + ", column=" +
                out.property(wireColumn).name() + " value=\"" + DictionaryEncoder.excerpt(bytes, from, length) +
                "\" peer=" + peer + "; correct the data, without blanks around the value");
        }
        return isPut;
    }

    private void putNumber(final int wireColumn, final WireType wireType, final byte[] bytes, final int position)
    {
        final EventBatch batch = out.batch;
        final int column = out.column(wireColumn);
        final int row = out.row;
        switch (wireType)
        {
            case INT -> putInteger(cqlTypes[wireColumn], column, row, (int)INT.get(bytes, position));
            case BIGINT, TIMESTAMP ->
                putInteger(cqlTypes[wireColumn], column, row, (long)LONG.get(bytes, position));
            case FLOAT -> putFloating(cqlTypes[wireColumn], column, row, (float)FLOAT.get(bytes, position));
            case DOUBLE -> putFloating(cqlTypes[wireColumn], column, row, (double)DOUBLE.get(bytes, position));
            default -> batch.bits(column)[row] = (byte)(bytes[position] == 0 ? 0 : 1);
        }
    }

    private void putInteger(final CqlType type, final int column, final int row, final long value)
    {
        switch (type)
        {
            case INT -> out.batch.ints(column)[row] = (int)value;
            case FLOAT -> out.batch.floats(column)[row] = value;
            case DOUBLE -> out.batch.doubles(column)[row] = value;
            default -> out.batch.longs(column)[row] = value;
        }
    }

    private void putFloating(final CqlType type, final int column, final int row, final double value)
    {
        if (type == CqlType.FLOAT)
        {
            out.batch.floats(column)[row] = (float)value;
        }
        else
        {
            out.batch.doubles(column)[row] = value;
        }
    }

    private void checkLength(final int length) throws WireFormatException
    {
        if (length < 0)
        {
            throw new WireFormatException(InputRejectReason.NEGATIVE_LENGTH, 1,
                "frame length is negative, length=" + length +
                " peer=" + peer + FOREIGN_SENDER);
        }
        if (length < MIN_LENGTH)
        {
            throw new WireFormatException(InputRejectReason.FRAME_TOO_SHORT, 1,
                "frame length is less than its header, length=" +
                length + " min=" + MIN_LENGTH + " peer=" + peer + FOREIGN_SENDER);
        }
        if (length > maxLength)
        {
            throw new WireFormatException(InputRejectReason.FRAME_TOO_LONG, 1, "frame is too long, frameBytes=" +
                (WireFormat.LENGTH_BYTES + (long)length) + " maxFrameBytes=" +
                (maxLength + WireFormat.LENGTH_BYTES) + " peer=" + peer +
                "; send fewer rows per frame (test.ticksPerPacket) or raise maxFrameBytes of the adapter");
        }
    }

    private WireFormatException badHeader(final int length, final long head) throws WireFormatException
    {
        checkLength(length);
        final int version = (int)(head >>> 32) & 0xFF;
        if (version != WireFormat.VERSION)
        {
            return new WireFormatException(InputRejectReason.UNKNOWN_VERSION, 1, "unknown frame version, expected=" +
                WireFormat.VERSION + " actual=" + version + " peer=" + peer +
                "; use the load generator of this release");
        }
        return new WireFormatException(InputRejectReason.UNKNOWN_FLAGS, 1, "unknown frame flags, flags=0x" +
            Integer.toHexString((int)(head >>> 40) & 0xFF) + " peer=" + peer +
            "; use the load generator of this release");
    }

    private WireFormatException malformed(final int rowsLost, final String fact)
    {
        return new WireFormatException(InputRejectReason.MALFORMED_FRAME, rowsLost, fact + ", rowsLost=" + rowsLost +
            " columns=" + Arrays.toString(wireTypes) + " peer=" + peer +
            "; row count, column types and frame length do not match" + FOREIGN_SENDER);
    }
}
