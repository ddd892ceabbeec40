package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;

/**
 * The {@code Idempotency-Key} of a request: producer and number, for example {@code meters-7:42}. The requests of a
 * producer have increasing numbers, and a row has the number of its request and its index in it.
 *
 * @param producer name that the client chose
 * @param number   of the request, from 1
 */
record RequestKey(String producer, long number)
{
    /** Maximum number of rows of a request with a key. */
    static final int MAX_ROWS = (1 << 16) - 1;

    static final String HEADER = "Idempotency-Key";

    private static final int ROW_BITS = 16;
    private static final long MAX_NUMBER = (1L << 32) - 1;
    private static final Pattern FORM = Pattern.compile("\"?([A-Za-z0-9._~/-]{1,100}):([0-9]{1,10})\"?");

    /**
     * Reads the header.
     *
     * @return {@code null} for a request without a key
     * @throws RefusedRequest if the key has another form
     */
    static RequestKey of(final HttpFields headers) throws RefusedRequest
    {
        final String value = headers.get(HEADER);
        if (value == null)
        {
            return null;
        }
        final Matcher matcher = FORM.matcher(value.strip());
        final long number = matcher.matches() ? Long.parseLong(matcher.group(2)) : 0;
        if (number < 1 || number > MAX_NUMBER)
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.WRONG_KEY,
                "the idempotency key is not a producer and a number", "use " + HEADER + ": PRODUCER:NUMBER with " +
                "letters, digits and ._~/- in the name, and numbers from 1 to " + MAX_NUMBER + " that increase");
        }
        return new RequestKey(matcher.group(1), number);
    }

    /** The number of a row of the request; the first row is 1. */
    long numberOf(final int row)
    {
        return number << ROW_BITS | row;
    }
}
