package dev.millrace.adapter.loadgen;

import java.util.Locale;

/**
 * Why rows or a connection were turned away: the catalogue of reasons that the adapter counts. The reason text of
 * {@code EventBatchSender.reject} is {@link #reason()}; its detail starts with {@link #code()}.
 */
public enum Refusal
{
    /** A field of a number column is no number, or too large for its type. The row is rejected, others go on. */
    NOT_A_NUMBER(201),
    /** A line has too few or too many fields. The row is rejected, others go on. */
    WRONG_COLUMN_COUNT(202),
    /** A boolean or timestamp field cannot be read. The row is rejected, others go on. */
    BAD_VALUE(203),
    /** Text is longer than its property allows. The row is rejected, others go on. */
    TEXT_TOO_LONG(204),
    /** Text is not UTF-8. The row is rejected, others go on. */
    NOT_UTF8(205),
    /** A line has no end within the greatest frame size. The connection is closed. */
    LINE_TOO_LONG(207),

    /** The first byte belongs neither to text nor to a binary stream, or the magic is wrong. Closed. */
    UNKNOWN_PROTOCOL(221),
    /** The preamble or a frame is of a version that is not spoken here. Closed. */
    UNKNOWN_VERSION(222),
    /** A flag that is not known here is set. Closed. */
    UNKNOWN_FLAGS(223),
    /** The preamble announces another number of columns. Closed. */
    WRONG_COLUMNS(224),
    /** The preamble announces a column type that is unknown or does not fit its property. Closed. */
    WRONG_COLUMN_TYPE(225),
    /** The first line of a text is the request line of HTTP. Closed, and no row of it is taken. */
    HTTP_REQUEST(226),
    /** A TLS handshake came to a port without TLS. Closed. */
    TLS_HELLO(227),
    /** The port speaks TLS and the peer does not, or not the same. Closed. */
    TLS_FAILED(228),
    /** The port wants a token and the peer shows none. Closed. */
    TOKEN_MISSING(229),
    /** The peer shows another token than the port wants. Closed. */
    WRONG_TOKEN(230),

    /** The length field of a frame is negative. Closed. */
    NEGATIVE_LENGTH(231),
    /** The length field of a frame is below the header's size. Closed. */
    FRAME_TOO_SHORT(232),
    /** The length field of a frame is above the greatest frame size. Closed. */
    FRAME_TOO_LONG(233),
    /** The rows of a frame do not fill it exactly. Closed. */
    MALFORMED_FRAME(234),
    /** A frame, preamble or line began and did not end in time. Closed. */
    INCOMPLETE(235),
    /** The peer went away in the middle of a frame or preamble. */
    CUT_OFF(236),

    /** A connection said nothing at all in time. Closed. */
    SILENT(241),
    /** More connections than allowed. Closed. */
    TOO_MANY_CONNECTIONS(242),
    /** Unfinished frames and TLS of all connections hold more memory than allowed. Closed. */
    BUFFERS_FULL(243),
    /** A connection was accepted and sent no frame or line in time. Closed. */
    NO_FIRST_FRAME(245),
    /** More connections from one address than allowed. Closed. */
    TOO_MANY_OF_PEER(246);

    private final String code;
    private final String reason;

    Refusal(final int number)
    {
        code = "LDG-0" + number;
        reason = name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The stable code.
     *
     * @return for example {@code LDG-0201}
     */
    public String code()
    {
        return code;
    }

    /**
     * The name under which it is counted.
     *
     * @return for example {@code not-a-number}
     */
    public String reason()
    {
        return reason;
    }
}
