package dev.millrace.cluster.partition;

import java.io.IOException;

/** Connects to other members. Thread-safe. */
interface Endpoint
{
    /**
     * Opens a connection.
     *
     * @param host of the other member
     * @param port of its links
     * @return encrypted if the cluster is
     * @throws IOException when nothing listens there or the certificates are not accepted
     */
    Connection connect(String host, int port) throws IOException;

    /**
     * Key for authenticating links, derived from the domain's secret.
     *
     * @return must not be modified
     */
    byte[] secret();
}
