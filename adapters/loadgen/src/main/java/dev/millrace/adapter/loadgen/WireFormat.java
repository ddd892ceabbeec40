package dev.millrace.adapter.loadgen;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Constants of the binary stream that the load generator sends; README.md of this module describes it byte by byte. All
 * numbers are little-endian.
 */
public final class WireFormat
{
    /** First byte of a binary stream; no line of text starts with it. */
    public static final byte BINARY_MARK = 0;

    /** Version of preamble and frames. */
    public static final int VERSION = 1;

    /** The first four bytes of a stream as a little-endian int: 0, 'M', 'R', 'F'. */
    public static final int MAGIC = 'M' << 8 | 'R' << 16 | 'F' << 24;

    /** Bytes of the preamble before the type codes: magic 4, version 1, flags 1, column count 2. */
    public static final int PREAMBLE_BYTES = 8;

    private static final int FLAGS_OFFSET = 5;

    /** Preamble flag: the token of the port follows the type codes, preceded by 2 bytes of length. */
    public static final byte PREAMBLE_FLAG_TOKEN = 1;

    /**
     * Preamble flag: the name of a stream that can be resumed follows, preceded by 2 bytes of length, after the token.
     * The response then ends with the number of the last row of that stream that the server has stored (8 bytes);
     * frames continue with the next one.
     */
    public static final byte PREAMBLE_FLAG_STREAM = 2;

    /**
     * Preamble flag: the types of the columns were inferred from data. If they do not fill the properties, the server
     * responds with {@link #ANSWER_OTHER_TYPES} instead of a refusal.
     */
    public static final byte PREAMBLE_FLAG_INFERRED = 4;

    /**
     * Preamble flag: the server reports with {@link #ANSWER_ACKNOWLEDGED} which rows it has received, or stored if the
     * stream has a name. The number up to which earlier connections have acknowledged rows follows its name (8 bytes);
     * the response contains at least that number.
     */
    public static final byte PREAMBLE_FLAG_ACKNOWLEDGE = 8;

    /** Maximum length of the name of a stream. */
    public static final int MAX_STREAM_BYTES = 128;

    /** Start of a text stream that presents a token: this, the token and a newline. */
    public static final String TEXT_TOKEN = "token ";

    /** Maximum number of columns of a stream. */
    public static final int MAX_COLUMNS = 1024;

    /** Bytes of a frame before its rows: length 4, version 1, flags 1, row count 2, due time 8. */
    public static final int FRAME_HEADER_BYTES = 16;

    /** Bytes of the length field, which does not count itself. */
    public static final int LENGTH_BYTES = 4;

    /** Frame flag: each row starts with a null bitmap of one bit per column, lowest bit first. */
    public static final int FLAG_NULLS = 1;

    /** Maximum number of rows per frame. */
    public static final int MAX_ROWS = 0xFFFF;

    /** First byte of the server's response to a preamble: the stream may start. */
    public static final byte ANSWER_ACCEPTED = 0;

    /**
     * First byte of the server's response: the stream is refused; the text contains the reason and the connection is
     * closed.
     */
    public static final byte ANSWER_REFUSED = 1;

    /**
     * First byte of the server's response to inferred types: they do not fill the properties; the text contains names
     * and types of these, and the sender may send another preamble.
     */
    public static final byte ANSWER_OTHER_TYPES = 2;

    /** First byte of an acknowledgement: the number of the last acknowledged row follows (8 bytes). */
    public static final byte ANSWER_ACKNOWLEDGED = 3;

    /** Size of the server's response before its text: status 1, length 2. */
    public static final int ANSWER_HEADER_BYTES = 3;

    /** Maximum size of the text of a response. */
    public static final int MAX_ANSWER_TEXT_BYTES = 1024;

    private WireFormat()
    {
    }

    /**
     * Creates the preamble, which a sender sends first.
     *
     * @param columns types in wire order
     * @return the preamble
     */
    public static byte[] preamble(final List<WireType> columns)
    {
        return preamble(columns, null);
    }

    /**
     * Creates the preamble, which a sender sends first.
     *
     * @param columns types in wire order
     * @param token   token of the port, or {@code null} for none
     * @return the preamble
     */
    public static byte[] preamble(final List<WireType> columns, final byte[] token)
    {
        return preamble(columns, token, null);
    }

    /**
     * Creates the preamble, which a sender sends first.
     *
     * @param columns types in wire order
     * @param token   token of the port, or {@code null} for none
     * @param stream  name of a stream that is resumed, or {@code null}
     * @return the preamble
     */
    public static byte[] preamble(final List<WireType> columns, final byte[] token, final String stream)
    {
        final byte[] name = stream == null ? null : stream.getBytes(StandardCharsets.UTF_8);
        final ByteBuffer bytes = ByteBuffer.allocate(PREAMBLE_BYTES + columns.size() +
            (token == null ? 0 : Short.BYTES + token.length) + (name == null ? 0 : Short.BYTES + name.length))
            .order(ByteOrder.LITTLE_ENDIAN);
        final int flags = (token == null ? 0 : PREAMBLE_FLAG_TOKEN) | (name == null ? 0 : PREAMBLE_FLAG_STREAM);
        bytes.putInt(MAGIC).put((byte)VERSION).put((byte)flags).putShort((short)columns.size());
        for (final WireType column : columns)
        {
            bytes.put((byte)column.code());
        }
        for (final byte[] each : new byte[][] {token, name})
        {
            if (each != null)
            {
                bytes.putShort((short)each.length).put(each);
            }
        }
        return bytes.array();
    }

    /**
     * Requests acknowledgements.
     *
     * @param preamble     as created by {@link #preamble}
     * @param acknowledged number up to which rows of the stream were acknowledged, 0 for a new sender; not sent without
     *                     the name of a stream
     * @return the preamble of a sender that waits for acknowledgements
     */
    public static byte[] acknowledged(final byte[] preamble, final long acknowledged)
    {
        final boolean isNamed = (preamble[FLAGS_OFFSET] & PREAMBLE_FLAG_STREAM) != 0;
        final ByteBuffer bytes = ByteBuffer.allocate(preamble.length + (isNamed ? Long.BYTES : 0))
            .order(ByteOrder.LITTLE_ENDIAN).put(preamble);
        if (isNamed)
        {
            bytes.putLong(acknowledged);
        }
        bytes.array()[FLAGS_OFFSET] |= PREAMBLE_FLAG_ACKNOWLEDGE;
        return bytes.array();
    }

    /**
     * Marks the types of a preamble as inferred.
     *
     * @param preamble as created by {@link #preamble}; it is changed
     * @return the same bytes
     */
    public static byte[] inferred(final byte[] preamble)
    {
        preamble[FLAGS_OFFSET] |= PREAMBLE_FLAG_INFERRED;
        return preamble;
    }

    /**
     * Creates a response of the server.
     *
     * @param status {@link #ANSWER_ACCEPTED}, {@link #ANSWER_REFUSED} or {@link #ANSWER_OTHER_TYPES}
     * @param text   for people; truncated to {@value #MAX_ANSWER_TEXT_BYTES} bytes
     * @return the response
     */
    public static byte[] answer(final byte status, final String text)
    {
        final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(utf8.length, MAX_ANSWER_TEXT_BYTES);
        final ByteBuffer bytes = ByteBuffer.allocate(ANSWER_HEADER_BYTES + length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(status).putShort((short)length).put(utf8, 0, length);
        return bytes.array();
    }

    /**
     * Creates an acknowledgement of the server.
     *
     * @param row number of the last row that is acknowledged
     * @return the acknowledgement, from its position on
     */
    static ByteBuffer acknowledgement(final long row)
    {
        return ByteBuffer.allocate(ANSWER_HEADER_BYTES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .put(ANSWER_ACKNOWLEDGED).putShort((short)Long.BYTES).putLong(row).flip();
    }
}
