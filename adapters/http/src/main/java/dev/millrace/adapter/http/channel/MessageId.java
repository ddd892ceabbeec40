package dev.millrace.adapter.http.channel;

/** The ids of messages that clients receive and return: the id of the log and the number in it. Stateless. */
public final class MessageId
{
    private static final char SEPARATOR = '-';
    /** The id is not one of the log. */
    private static final long UNKNOWN = -1;

    private MessageId()
    {
    }

    /** The id of a message. */
    public static String of(final String log, final long number)
    {
        return log + SEPARATOR + number;
    }

    /** The number in an id; negative if the id is not one of the log. */
    static long number(final String id, final String log)
    {
        final String prefix = log + SEPARATOR;
        if (!id.startsWith(prefix) || !id.substring(prefix.length()).matches("\\d{1,18}"))
        {
            return UNKNOWN;
        }
        return Long.parseLong(id.substring(prefix.length()));
    }
}
