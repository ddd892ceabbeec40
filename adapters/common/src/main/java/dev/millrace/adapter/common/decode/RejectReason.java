package dev.millrace.adapter.common.decode;

import java.util.Locale;

/** Reasons for rejecting rows of files. INBOUND.md describes what to do about each. */
public enum RejectReason
{
    /** A value is not of the type of its property. */
    WRONG_TYPE("FIL-0121"),
    /** A row lacks a value. */
    MISSING_FIELD("FIL-0122"),
    /** A row has more values than columns, or a member twice. */
    EXCESS_FIELD("FIL-0123"),
    /** Quotes are not as RFC 4180 requires. */
    WRONG_QUOTES("FIL-0124"),
    /** A line is no JSON object. */
    BROKEN_JSON("FIL-0125"),
    /** A member is an object or array. */
    NESTED_VALUE("FIL-0126"),
    /** A row is longer than allowed. */
    LINE_TOO_LONG("FIL-0127"),
    /** Bytes are invalid in the charset. */
    INVALID_BYTES("FIL-0128"),
    /** A string is longer than its property allows. */
    TEXT_TOO_LONG("FIL-0129"),
    /** A compressed file or one of Parquet is damaged; its rest is one rejected row. */
    DAMAGED_FILE("FIL-0130"),
    /** The columns of a file of Parquet are not those of the event type. */
    WRONG_COLUMNS("FIL-0131"),
    /** A file of Parquet is encrypted, compressed or encoded in a way that cannot be read, or needs too much memory. */
    UNSUPPORTED_FILE("FIL-0132");

    private final String code;
    private final String reason;

    RejectReason(final String code)
    {
        this.code = code;
        reason = name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The stable error code. */
    public String code()
    {
        return code;
    }

    /** The name of its counter, for example {@code wrong-type}. */
    public String reason()
    {
        return reason;
    }
}
