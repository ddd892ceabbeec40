package dev.millrace.cluster.partition;

import java.net.Socket;

/**
 * A connection to another member. Immutable.
 *
 * @param socket to read from and write to, encrypted when the cluster is
 * @param wire   what carries it; the same socket when nothing is encrypted
 */
record Connection(Socket socket, Socket wire)
{
    /**
     * Ends it, also while another thread writes to a member that takes nothing: an encrypted socket would wait for
     * that one, to say good-bye.
     */
    void cut()
    {
        Handshake.close(wire);
        Handshake.close(socket);
    }

    boolean isCut()
    {
        return wire.isClosed();
    }
}
