package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why a join does not make progress: a member whose own address is not in its list does not start a cluster, but
 * waits for a member that is in the list. Waiting continues. A dedicated thread logs until the watch is closed.
 */
final class JoinMonitor implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(JoinMonitor.class);
    private static final long FIRST_MS = 5_000;
    private static final long LATER_MS = 60_000;

    private final CountDownLatch joined = new CountDownLatch(1);

    private JoinMonitor()
    {
    }

    /** Starts to watch a join. */
    static JoinMonitor begin(final ClusterSettings settings)
    {
        return begin(settings, FIRST_MS, LOG::warn);
    }

    static JoinMonitor begin(final ClusterSettings settings, final long firstMs, final Consumer<String> words)
    {
        final JoinMonitor watch = new JoinMonitor();
        if (settings.multicast() == null && !listsItself(settings))
        {
            final Thread thread = new Thread(() -> watch.run(settings, firstMs, words),
                "cluster-join-" + settings.serverName());
            thread.setDaemon(true);
            thread.start();
        }
        return watch;
    }

    private void run(final ClusterSettings settings, final long firstMs, final Consumer<String> words)
    {
        try
        {
            for (long waitMs = firstMs; !joined.await(waitMs, TimeUnit.MILLISECONDS); waitMs = LATER_MS)
            {
                words.accept("CLU-0107 no member responds, and this member does not start a cluster, because its own "
                    + "address is not"
                    + " among those of <address-list>, addresses=" + settings.addresses() + " own=" + settings.host() +
                    ':' + settings.ports().discovery() + ".." + lastPort(settings) +
                    "; it continues to retry: start one of those members, or add its own address to the list");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static int lastPort(final ClusterSettings settings)
    {
        return settings.ports().discovery() + settings.ports().count() - 1;
    }

    /** Whether the list contains an address on which the member may listen. */
    static boolean listsItself(final ClusterSettings settings)
    {
        return settings.addresses().stream().anyMatch(address -> isOwn(address.trim(), settings));
    }

    private static boolean isOwn(final String address, final ClusterSettings settings)
    {
        final int colon = address.lastIndexOf(':');
        try
        {
            final String[] ports = address.substring(colon + 1).split("\\.\\.");
            final int first = Integer.parseInt(ports[0]);
            final int last = Integer.parseInt(ports[ports.length - 1]);
            return first <= lastPort(settings) && last >= settings.ports().discovery() &&
                InetAddress.getByName(address.substring(0, Math.max(0, colon)))
                    .equals(InetAddress.getByName(settings.host()));
        }
        catch (final IOException | NumberFormatException e)
        {
            LOG.debug("not the address of this member, address={}", address, e);
            return false;
        }
    }

    /** The join has succeeded or failed. */
    @Override
    public void close()
    {
        joined.countDown();
    }
}
