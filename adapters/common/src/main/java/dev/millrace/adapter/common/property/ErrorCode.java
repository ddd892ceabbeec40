package dev.millrace.adapter.common.property;

/** A stable error code of an adapter, which its page describes. Immutable. */
public interface ErrorCode
{
    /** The code as shown to users, for example {@code FIL-0101}. */
    String text();

    /** Formats a message: code, fact, next step. */
    default String message(final String fact, final String next)
    {
        return text() + ' ' + fact + "; " + next;
    }
}
