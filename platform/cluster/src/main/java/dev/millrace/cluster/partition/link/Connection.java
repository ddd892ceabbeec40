package dev.millrace.cluster.partition.link;

import java.net.Socket;

/**
 * A connection to another member. Immutable.
 *
 * @param socket to read from and write to, encrypted if the cluster is
 * @param wire   the underlying socket; the same socket when not encrypted
 */
public record Connection(Socket socket, Socket wire)
{
    /**
     * Closes the connection, also while another thread blocks in a write to a member that does not read: closing an
     * encrypted socket would wait for that member, to send a TLS close alert.
     */
    public void cut()
    {
        Handshake.close(wire);
        Handshake.close(socket);
    }

    public boolean isCut()
    {
        return wire.isClosed();
    }
}
