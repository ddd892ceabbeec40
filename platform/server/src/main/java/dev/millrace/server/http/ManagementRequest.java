package dev.millrace.server.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * A request that has arrived completely, of a caller that has shown credentials. For the thread that does it.
 *
 * @param method as the client wrote it
 * @param path   decoded, without the query
 * @param query  as the client wrote it; null when there is none
 * @param caller who asks
 * @param fields its header fields
 * @param bytes  its body
 */
record ManagementRequest(
    String method, String path, String query, Caller caller, HeaderFields fields, IncomingBody bytes)
{
    /**
     * Who asks.
     *
     * @param user name in {@code config/users}, or {@code token}
     * @param peer address and port
     */
    record Caller(String user, String peer)
    {
    }

    /** The header fields of a request. */
    @FunctionalInterface
    interface HeaderFields
    {
        /** The first value of a field; null when it is not there. */
        String first(String name);
    }

    /** The first value of a header field; null when it is not there. */
    String header(final String name)
    {
        return fields.first(name);
    }

    /** The body; closed by the caller. It ends with an exception when it is longer. */
    InputStream body(final long limitBytes) throws IOException
    {
        return bytes.open(limitBytes);
    }
}
