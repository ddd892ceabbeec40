package dev.millrace.cluster.partition.link;

import java.io.IOException;

/** Connects to other members. Thread-safe. */
public interface Endpoint
{
    /**
     * Opens a connection.
     *
     * @param host of the other member
     * @param port of its links
     * @return encrypted if the cluster is
     * @throws IOException when nothing listens there or the certificates are not accepted
     */
    public Connection connect(String host, int port) throws IOException;

    /**
     * Key for authenticating links, derived from the domain's secret.
     *
     * @return must not be modified
     */
    public byte[] secret();
}
