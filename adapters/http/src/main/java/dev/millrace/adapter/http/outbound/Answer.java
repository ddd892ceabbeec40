package dev.millrace.adapter.http.outbound;

import java.util.Set;

/**
 * The response of a receiver.
 *
 * @param status          HTTP status; 0 if there was no response
 * @param text            beginning of the body, or why there was no response
 * @param retryAfterMillis time after which the receiver wants the next attempt; 0 if it does not say
 */
record Answer(int status, String text, long retryAfterMillis)
{
    /** Refusals of the content of a request; the same content is refused again. */
    private static final Set<Integer> OF_CONTENT = Set.of(400, 406, 409, 411, 412, 413, 414, 416, 417, 422, 431, 451);

    boolean isConfirmed()
    {
        return status >= 200 && status < 300;
    }

    /** Whether the receiver refuses some of the rows; otherwise it may accept them later. */
    boolean isRefused()
    {
        return OF_CONTENT.contains(status);
    }

    @Override
    public String toString()
    {
        return status == 0 ? text : "status " + status + (text.isEmpty() ? "" : " " + text);
    }
}
