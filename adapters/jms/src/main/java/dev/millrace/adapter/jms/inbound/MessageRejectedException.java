package dev.millrace.adapter.jms.inbound;

/** A message, or one of its rows, is not an event. */
final class MessageRejectedException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * @param reason of a small set, for example {@code wrong-type}
     * @param detail what helps to find the cause
     */
    MessageRejectedException(final String reason, final String detail)
    {
        super(detail, null, false, false);
        this.reason = reason;
    }

    String reason()
    {
        return reason;
    }
}
