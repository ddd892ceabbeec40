package dev.millrace.server.http;

import java.io.IOException;
import java.io.InputStream;

/**
 * A complete request of an authenticated caller. Confined to the thread that executes it.
 *
 * @param method as sent by the client
 * @param path   decoded, without the query
 * @param query  as sent by the client; null without a query
 */
record ManagementRequest(
    String method, String path, String query, Caller caller, HeaderFields fields, IncomingBody bytes)
{
    /**
     * The caller of a request.
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
        /** Returns the first value of a field, or null. */
        String first(String name);
    }

    /** Returns the first value of a header field, or null. */
    String header(final String name)
    {
        return fields.first(name);
    }

    /** Opens the body; the caller closes it. Reading fails when the body exceeds the limit. */
    InputStream body(final long limitBytes) throws IOException
    {
        return bytes.open(limitBytes);
    }
}
