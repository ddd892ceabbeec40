package dev.millrace.client;

import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * The settings of a sender. Immutable.
 *
 * @param host                   name or address of the server
 * @param port                   of the adapter
 * @param columns                in the order of transfer
 * @param stream                 name under which the server stores numbers of rows, or {@code null}
 * @param token                  of the port, or {@code null}
 * @param tls                    {@code null} for plain TCP
 * @param frameBytes             maximum size of a frame
 * @param maxUnacknowledgedBytes maximum size of the frames of a stream that are kept until they are acknowledged
 * @param timeoutNs              maximum time without a connection, of a response to the preamble, and of closing
 */
record SenderSettings(String host, int port, List<Column> columns, String stream, byte[] token, SSLContext tls,
    int frameBytes, long maxUnacknowledgedBytes, long timeoutNs)
{
    /** Host and port, for messages. */
    String where()
    {
        return "host=" + host + " port=" + port + (stream == null ? "" : " stream=" + stream);
    }
}
