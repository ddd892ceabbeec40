package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.security.AccessToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The first bytes of a stream of frames (PROTOCOL.md). Immutable.
 *
 * @param columns        types of the sender's columns
 * @param isInferred     the sender derived the types from its data and can use others
 * @param isNamed        the sender can resume the stream, whose name is in the bytes from nameStart to nameEnd
 * @param nameStart      position of the name in the bytes that were read
 * @param nameEnd        position after the name
 * @param isAcknowledged the sender waits for acknowledgements
 * @param acknowledged   number of the last acknowledged row that the sender of a named stream knows; 0 otherwise
 * @param end            position of the first frame
 */
record Preamble(List<WireType> columns, boolean isInferred, boolean isNamed, int nameStart, int nameEnd,
    boolean isAcknowledged, long acknowledged, int end)
{
    private static final int FLAGS = WireFormat.PREAMBLE_FLAG_TOKEN | WireFormat.PREAMBLE_FLAG_STREAM |
        WireFormat.PREAMBLE_FLAG_INFERRED | WireFormat.PREAMBLE_FLAG_ACKNOWLEDGE;
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * Reads a preamble, and checks the token of the sender.
     *
     * @return {@code null} if more bytes must arrive
     * @throws WireFormatException if the adapter refuses the sender
     */
    static Preamble read(final byte[] bytes, final int from, final int to, final AdapterContext adapter,
        final String peer) throws WireFormatException
    {
        if (to - from < WireFormat.PREAMBLE_BYTES)
        {
            return null;
        }
        final int columnCount = (short)SHORT.get(bytes, from + 6) & 0xFFFF;
        check(bytes, from, columnCount, adapter, peer);
        final byte flags = bytes[from + 5];
        final int columnsEnd = from + WireFormat.PREAMBLE_BYTES + columnCount;
        final int tokenEnd = has(flags, WireFormat.PREAMBLE_FLAG_TOKEN) ?
            tokenEnd(bytes, columnsEnd, to, adapter, peer) : columnsEnd;
        final boolean isNamed = has(flags, WireFormat.PREAMBLE_FLAG_STREAM);
        final int nameEnd = isNamed && tokenEnd <= to ? nameEnd(bytes, tokenEnd, to, peer) : tokenEnd;
        final boolean isAcknowledged = has(flags, WireFormat.PREAMBLE_FLAG_ACKNOWLEDGE);
        final boolean hasNumber = isNamed && isAcknowledged;
        final int end = hasNumber ? nameEnd + Long.BYTES : nameEnd;
        return end > to ? null : new Preamble(columns(bytes, from + WireFormat.PREAMBLE_BYTES, columnsEnd, peer),
            has(flags, WireFormat.PREAMBLE_FLAG_INFERRED), isNamed, tokenEnd + Short.BYTES, nameEnd, isAcknowledged,
            hasNumber ? (long)LONG.get(bytes, nameEnd) : 0, end);
    }

    private static boolean has(final byte flags, final byte flag)
    {
        return (flags & flag) != 0;
    }

    private static void check(final byte[] bytes, final int from, final int columnCount, final AdapterContext adapter,
        final String peer) throws WireFormatException
    {
        if ((int)INT.get(bytes, from) != WireFormat.MAGIC)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_PROTOCOL, 1,
                "stream starts with byte 0 but not with the magic" +
                ", first4Bytes=0x" + Integer.toHexString(Integer.reverseBytes((int)INT.get(bytes, from))) + " peer=" +
                peer + "; send CSV text or use the load generator");
        }
        if (bytes[from + 4] != WireFormat.VERSION)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_VERSION, 1, "unknown stream version, expected=" +
                WireFormat.VERSION + " actual=" + (bytes[from + 4] & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        final byte flags = bytes[from + 5];
        if ((flags & ~FLAGS) != 0)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_FLAGS, 1, "unknown preamble flags, flags=0x" +
                Integer.toHexString(flags & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        if (!has(flags, WireFormat.PREAMBLE_FLAG_TOKEN))
        {
            adapter.checkNoneWanted(peer);
        }
        if (columnCount == 0 || columnCount > WireFormat.MAX_COLUMNS)
        {
            // Do not reveal the columns to a peer without a token.
            final String columns = adapter.wantsToken() ? "" : " columns=" + FrameDecoder.describe(adapter.out);
            throw new WireFormatException(InputRejectReason.WRONG_COLUMNS, 1, "wrong number of columns, expected=" +
                adapter.out.columnCount() + " actual=" + columnCount + columns + " peer=" + peer +
                "; send the columns that the adapter lists in eventPropertyNames");
        }
    }

    /**
     * Checks the token after the columns.
     *
     * @return position after the token, which may not have arrived yet
     */
    private static int tokenEnd(final byte[] bytes, final int columnsEnd, final int to, final AdapterContext adapter,
        final String peer) throws WireFormatException
    {
        final int start = columnsEnd + Short.BYTES;
        if (start > to)
        {
            return start;
        }
        final int end = start + ((short)SHORT.get(bytes, columnsEnd) & 0xFFFF);
        if (end - start > AccessToken.MAX_BYTES)
        {
            throw new WireFormatException(InputRejectReason.WRONG_TOKEN, 1,
                "the token is too long, bytes=" + (end - start) +
                " max=" + AccessToken.MAX_BYTES + " peer=" + peer + "; give the sender the token file of the adapter");
        }
        if (end <= to)
        {
            adapter.check(bytes, start, end, peer);
        }
        return end;
    }

    /** Returns the position after the name of a stream, which may not have arrived yet. */
    private static int nameEnd(final byte[] bytes, final int from, final int to, final String peer)
        throws WireFormatException
    {
        final int start = from + Short.BYTES;
        final int length = start > to ? 0 : (short)SHORT.get(bytes, from) & 0xFFFF;
        if (length > WireFormat.MAX_STREAM_BYTES)
        {
            throw new WireFormatException(InputRejectReason.WRONG_STREAM, 1, "the name of the stream is too long, " +
                "bytes=" + length + " max=" + WireFormat.MAX_STREAM_BYTES + " peer=" + peer +
                "; shorten the name (test.stream of the load generator)");
        }
        return start + length;
    }

    private static List<WireType> columns(final byte[] bytes, final int from, final int to, final String peer)
        throws WireFormatException
    {
        final List<WireType> columns = new ArrayList<>(to - from);
        for (int i = from; i < to; i++)
        {
            final WireType type = WireType.byCode(bytes[i]);
            if (type == null)
            {
                throw new WireFormatException(InputRejectReason.WRONG_COLUMN_TYPE, 1,
                    "unknown column type code, code=" +
                    (bytes[i] & 0xFF) + " column=" + (i - from + 1) + " peer=" + peer +
                    "; use the load generator of this release");
            }
            columns.add(type);
        }
        return columns;
    }
}
