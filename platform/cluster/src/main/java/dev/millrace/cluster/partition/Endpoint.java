package dev.millrace.cluster.partition;

import java.io.IOException;

/** How this member reaches others. Safe for all threads. */
interface Endpoint
{
    /**
     * Connects.
     *
     * @param host of the other member
     * @param port of its links
     * @return encrypted when the cluster is
     * @throws IOException when nobody answers or certificates do not fit
     */
    Connection connect(String host, int port) throws IOException;

    /**
     * What only members know.
     *
     * @return a key for links, of the domain's secret; not to be changed
     */
    byte[] secret();
}
