package dev.millrace.client;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Collects rows as a frame of the protocol. Not thread-safe. A row that is refused is removed, the rows before it stay.
 *
 * <p>The buffer has twice the size of a frame: a row may begin in a frame that it does not fit, and then moves to the
 * next one.
 */
final class FrameBuffer
{
    /** Length 4, version 1, flags 1, number of rows 2, due time 8. */
    static final int HEADER_BYTES = 16;
    private static final int LENGTH_BYTES = 4;
    private static final byte VERSION = 1;
    private static final byte FLAG_NULLS = 1;
    private static final int MAX_ROWS = 0xFFFF;
    private static final int MAX_ASCII = 0x7F;

    private final Column[] columns;
    private final int frameBytes;
    private final int bitmapBytes;
    private final ByteBuffer buffer;
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
    private int rows;
    /** Each row of the frame begins with a bitmap of nulls. */
    private boolean hasBitmaps;
    private int rowStart = HEADER_BYTES;
    private int column;
    private boolean hasRowBitmap;

    /**
     * Creates an empty frame.
     *
     * @param frameBytes maximum size of a frame
     */
    FrameBuffer(final List<Column> columns, final int frameBytes)
    {
        this.columns = columns.toArray(Column[]::new);
        this.frameBytes = frameBytes;
        bitmapBytes = (columns.size() + 7) / 8;
        buffer = ByteBuffer.allocate(2 * frameBytes).order(ByteOrder.LITTLE_ENDIAN).position(HEADER_BYTES);
    }

    /** Number of rows that are complete. */
    int rows()
    {
        return rows;
    }

    void putString(final String value)
    {
        if (value == null)
        {
            putNull();
            return;
        }
        if (column == columns.length || !columns[column].type().isText())
        {
            throw wrongType("string");
        }
        final int lengthBytes = columns[column].type().bytes();
        final int length = value.length();
        ensure(lengthBytes + (long)length);
        final int start = buffer.position() + lengthBytes;
        for (int i = 0; i < length; i++)
        {
            final char each = value.charAt(i);
            if (each > MAX_ASCII)
            {
                endString(start, encode(value, start));
                return;
            }
            buffer.put(start + i, (byte)each);
        }
        endString(start, length);
    }

    /** Writes a string that is not ASCII; returns the number of bytes. */
    private int encode(final String value, final int start)
    {
        try
        {
            final ByteBuffer bytes = utf8.encode(CharBuffer.wrap(value));
            final int length = bytes.remaining();
            ensure(columns[column].type().bytes() + length);
            buffer.put(start, bytes.array(), 0, length);
            return length;
        }
        catch (final CharacterCodingException ex)
        {
            throw refuse("CLN-0105 a string cannot be encoded in UTF-8, column=" + columns[column].name() +
                "; remove unpaired surrogates");
        }
    }

    private void endString(final int start, final int length)
    {
        final boolean isShort = columns[column].type() == ColumnType.CHAR8;
        final int max = isShort ? 0xFF : 0xFFFF;
        if (length > max)
        {
            throw refuse("CLN-0104 a string is too long, column=" + columns[column].name() + " bytes=" + length +
                " max=" + max + "; use CHAR16 for up to 65535 bytes, or shorten it");
        }
        if (isShort)
        {
            buffer.put((byte)length);
        }
        else
        {
            buffer.putShort((short)length);
        }
        buffer.position(start + length);
        column++;
    }

    void putInt(final int value)
    {
        expect(ColumnType.INT);
        buffer.putInt(value);
    }

    void putLong(final long value, final ColumnType type)
    {
        expect(type);
        buffer.putLong(value);
    }

    void putInstant(final Instant value)
    {
        if (value == null)
        {
            putNull();
            return;
        }
        final long ns;
        try
        {
            ns = Math.addExact(Math.multiplyExact(value.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)),
                value.getNano());
        }
        catch (final ArithmeticException ex)
        {
            throw column == columns.length ? wrongType("TIMESTAMP") : refuse(
                "CLN-0109 a timestamp is out of range, column=" + columns[column].name() + " value=" + value +
                "; send one of the years 1678 to 2261");
        }
        putLong(ns, ColumnType.TIMESTAMP);
    }

    void putFloat(final float value)
    {
        expect(ColumnType.FLOAT);
        buffer.putFloat(value);
    }

    void putDouble(final double value)
    {
        expect(ColumnType.DOUBLE);
        buffer.putDouble(value);
    }

    void putBoolean(final boolean value)
    {
        expect(ColumnType.BOOLEAN);
        buffer.put((byte)(value ? 1 : 0));
    }

    void putNull()
    {
        if (column == columns.length)
        {
            throw wrongType("null");
        }
        final ColumnType type = columns[column].type();
        if (!type.isText())
        {
            addBitmap();
            final int at = rowStart + (column >> 3);
            buffer.put(at, (byte)(buffer.get(at) | 1 << (column & 7)));
        }
        ensure(type.bytes());
        for (int i = 0; i < type.bytes(); i++)
        {
            buffer.put((byte)0);
        }
        column++;
    }

    /** Inserts the bitmap of the row. */
    private void addBitmap()
    {
        if (!hasRowBitmap)
        {
            final int end = buffer.position();
            System.arraycopy(buffer.array(), rowStart, buffer.array(), rowStart + bitmapBytes, end - rowStart);
            Arrays.fill(buffer.array(), rowStart, rowStart + bitmapBytes, (byte)0);
            buffer.position(end + bitmapBytes);
            hasRowBitmap = true;
        }
    }

    /**
     * Ends the row.
     *
     * @return the frame of the rows before it if it belongs to the next one, else {@code null}
     */
    byte[] endRow()
    {
        if (column < columns.length)
        {
            throw refuse("CLN-0103 a row has too few values, expected=" + columns.length + " actual=" + column +
                "; add a value or null for each column");
        }
        // Rows of frames with bitmaps have one, so a frame changes its kind only once.
        if (hasBitmaps)
        {
            addBitmap();
        }
        final byte[] before = rows > 0 && (buffer.position() > frameBytes || hasRowBitmap != hasBitmaps ||
            rows == MAX_ROWS) ? take() : null;
        hasBitmaps = hasRowBitmap;
        rows++;
        rowStart = buffer.position();
        column = 0;
        hasRowBitmap = false;
        return before;
    }

    /** Removes the complete rows. Returns their frame, {@code null} without any. */
    byte[] take()
    {
        if (rows == 0)
        {
            return null;
        }
        final byte[] frame = frame(buffer.array(), rowStart, rows, hasBitmaps);
        final int rowBytes = buffer.position() - rowStart;
        System.arraycopy(buffer.array(), rowStart, buffer.array(), HEADER_BYTES, rowBytes);
        buffer.position(HEADER_BYTES + rowBytes);
        rowStart = HEADER_BYTES;
        rows = 0;
        return frame;
    }

    /** A frame without rows, after which the server does not expect rows within a certain time. */
    static byte[] empty()
    {
        return frame(new byte[HEADER_BYTES], HEADER_BYTES, 0, false);
    }

    /** Returns the first bytes of an array with the header of a frame. */
    private static byte[] frame(final byte[] bytes, final int length, final int rows, final boolean hasBitmaps)
    {
        final byte[] frame = Arrays.copyOf(bytes, length);
        final Instant now = Instant.now();
        header(frame, rows, hasBitmaps, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
        return frame;
    }

    private static void header(final byte[] frame, final int rows, final boolean hasBitmaps, final long dueNs)
    {
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length - LENGTH_BYTES).put(VERSION)
            .put(hasBitmaps ? FLAG_NULLS : 0).putShort((short)rows).putLong(dueNs);
    }

    /**
     * Removes rows from the start of a frame.
     *
     * @param count less than the number of its rows
     * @return a frame with the others
     */
    byte[] without(final byte[] frame, final int count)
    {
        final ByteBuffer rest = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        final boolean hadBitmaps = rest.get(5) == FLAG_NULLS;
        int position = HEADER_BYTES;
        for (int row = 0; row < count; row++)
        {
            position += hadBitmaps ? bitmapBytes : 0;
            for (final Column each : columns)
            {
                position += each.type().bytes() + switch (each.type())
                {
                    case CHAR8 -> rest.get(position) & 0xFF;
                    case CHAR16 -> rest.getShort(position) & 0xFFFF;
                    default -> 0;
                };
            }
        }
        final byte[] shorter = new byte[HEADER_BYTES + frame.length - position];
        System.arraycopy(frame, position, shorter, HEADER_BYTES, frame.length - position);
        header(shorter, (rest.getShort(6) & 0xFFFF) - count, hadBitmaps, rest.getLong(8));
        return shorter;
    }

    private void expect(final ColumnType type)
    {
        if (column == columns.length || columns[column].type() != type)
        {
            throw wrongType(type.name());
        }
        ensure(type.bytes());
        column++;
    }

    /** Checks that the row fits a frame with more bytes, and the bitmap that it may still get. */
    private void ensure(final long bytes)
    {
        if (buffer.position() - rowStart + bytes > frameBytes - HEADER_BYTES - bitmapBytes)
        {
            throw refuse("CLN-0106 a row does not fit a frame, frameBytes=" + frameBytes +
                "; raise frameBytes of the sender, up to maxFrameBytes of the adapter, or shorten its strings");
        }
    }

    private IllegalArgumentException wrongType(final String actual)
    {
        if (column == columns.length)
        {
            return refuse("CLN-0103 a row has too many values, expected=" + columns.length +
                "; end the row after the last column");
        }
        return refuse("CLN-0102 a value is not of the type of its column, column=" + columns[column].name() +
            " expected=" + columns[column].type() + " actual=" + actual +
            "; add the values in the order of the columns");
    }

    /** Removes the row, so that a caller can add the next one. */
    private IllegalArgumentException refuse(final String message)
    {
        buffer.position(rowStart);
        column = 0;
        hasRowBitmap = false;
        return new IllegalArgumentException(message);
    }
}
