package dev.millrace.adapter.jdbc.polling;

/** A row is not an event; the rows after it are not affected. It has no stack trace: the row is the cause. */
final class RowRejectedException extends Exception
{
    /** The row has no position. */
    static final String NULL_POSITION = "null-position";
    /** The position is not greater than that of the row before. */
    static final String NOT_INCREASING = "position-not-increasing";
    /** The position has a fraction, or is outside of the range of positions. */
    static final String BAD_POSITION = "bad-position";
    /** The row has no time. */
    static final String NULL_TIME = "null-time";
    /** A value is outside of the range of its property. */
    static final String OUT_OF_RANGE = "out-of-range";
    /** A string is longer than its property allows. */
    static final String TEXT_TOO_LONG = "text-too-long";
    /** The driver cannot convert a value. */
    static final String BAD_VALUE = "bad-value";

    private static final long serialVersionUID = 1L;

    private final String reason;

    RowRejectedException(final String reason, final String detail)
    {
        super(detail, null, false, false);
        this.reason = reason;
    }

    String reason()
    {
        return reason;
    }
}
