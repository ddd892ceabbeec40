package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.CqlType;
import java.util.Locale;

/**
 * Reasons for rejecting rows or a connection, which the adapter counts. The reason string passed to
 * {@code EventBatchSender.reject} is {@link #reason()}; its detail starts with {@link #code()}.
 */
public enum InputRejectReason
{
    /**
     * A field of a number column is not a number, or exceeds its type. The row is rejected, others are not affected.
     */
    NOT_A_NUMBER(201),
    /** A line has too few or too many fields. The row is rejected, others are not affected. */
    WRONG_COLUMN_COUNT(202),
    /** A boolean or timestamp field is invalid. The row is rejected, others are not affected. */
    BAD_VALUE(203),
    /** A string is longer than its property allows. The row is rejected, others are not affected. */
    TEXT_TOO_LONG(204),
    /** A string is not UTF-8. The row is rejected, others are not affected. */
    NOT_UTF8(205),
    /** A line does not end within the maximum frame size. The connection is closed. */
    LINE_TOO_LONG(207),

    /** The first byte starts neither text nor a binary stream, or the magic is wrong. Closed. */
    UNKNOWN_PROTOCOL(221),
    /** The version of the preamble or a frame is not supported. Closed. */
    UNKNOWN_VERSION(222),
    /** An unknown flag is set. Closed. */
    UNKNOWN_FLAGS(223),
    /** The number of columns in the preamble is wrong. Closed. */
    WRONG_COLUMNS(224),
    /** A column type in the preamble is unknown or does not match its property. Closed. */
    WRONG_COLUMN_TYPE(225),
    /** The first line of text is an HTTP request line. Closed, and none of its rows is accepted. */
    HTTP_REQUEST(226),
    /** A TLS handshake arrived at a port without TLS. Closed. */
    TLS_HELLO(227),
    /** The port requires TLS, and the peer does not use it or uses another version. Closed. */
    TLS_FAILED(228),
    /** The port requires a token, and the peer presented none. Closed. */
    TOKEN_MISSING(229),
    /** The peer presented a wrong token. Closed. */
    WRONG_TOKEN(230),

    /** The length field of a frame is negative. Closed. */
    NEGATIVE_LENGTH(231),
    /** The length field of a frame is less than the size of the header. Closed. */
    FRAME_TOO_SHORT(232),
    /** The length field of a frame exceeds the maximum frame size. Closed. */
    FRAME_TOO_LONG(233),
    /** The rows of a frame do not fill it exactly. Closed. */
    MALFORMED_FRAME(234),
    /** A frame, preamble or line was not completed in time. Closed. */
    INCOMPLETE(235),
    /** The peer disconnected within a frame or preamble. */
    CUT_OFF(236),

    /** A connection sent nothing at all in time. Closed. */
    SILENT(241),
    /** More connections than allowed. Closed. */
    TOO_MANY_CONNECTIONS(242),
    /** Incomplete frames and TLS of all connections exceed the memory limit. Closed. */
    BUFFERS_FULL(243),
    /** A connection was accepted and sent no frame or line in time. Closed. */
    NO_FIRST_FRAME(245),
    /** More connections from one address than allowed. Closed. */
    TOO_MANY_OF_PEER(246),
    /** The name of a stream is invalid. Closed. */
    WRONG_STREAM(247),
    /** A sender wants to resume a stream, but no stage stores the numbers of rows. Closed. */
    STREAM_NOT_STORED(248);

    private final String code;
    private final String reason;

    InputRejectReason(final int number)
    {
        code = "LDG-0" + number;
        reason = name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The reason for which the row of a field that is not a value of the type is rejected. */
    static InputRejectReason ofField(final CqlType type)
    {
        return type.isNumeric() || type == CqlType.INTERVAL ? NOT_A_NUMBER : BAD_VALUE;
    }

    /**
     * The stable error code.
     *
     * @return for example {@code LDG-0201}
     */
    public String code()
    {
        return code;
    }

    /**
     * The name of its counter.
     *
     * @return for example {@code not-a-number}
     */
    public String reason()
    {
        return reason;
    }
}
