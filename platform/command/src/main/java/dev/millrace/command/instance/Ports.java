package dev.millrace.command.instance;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * The ports of an instance.
 *
 * @param netio    management endpoint, TCP
 * @param loadgen  events of the load generator, TCP
 * @param timesync clock exchange, UDP
 */
public record Ports(int netio, int loadgen, int timesync)
{
    /**
     * Ports that nobody uses at this moment.
     *
     * @return three different free ports of the loopback interface
     * @throws IOException when there are none
     */
    public static Ports free() throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket netio = new ServerSocket(0, 1, loopback);
            ServerSocket loadgen = new ServerSocket(0, 1, loopback);
            DatagramSocket timesync = new DatagramSocket(new InetSocketAddress(loopback, 0)))
        {
            return new Ports(netio.getLocalPort(), loadgen.getLocalPort(), timesync.getLocalPort());
        }
    }
}
