package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the configured addresses for members of the domain that are not in this member's view. A network partition can
 * leave two clusters that both continue, and they do not merge automatically. To ignore members that are just joining,
 * a member must be outside in two checks. Runs on its own thread.
 */
final class UnseenMemberCheck implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(UnseenMemberCheck.class);
    private static final long EVERY_MS = 60_000;
    private static final int CONNECT_MS = 1_000;
    private static final int ANSWER_MS = 2_000;

    private final ClusterSettings settings;
    private final SSLContext tls;
    private final Supplier<Set<InetSocketAddress>> inView;
    private final Consumer<String> words;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Set<InetSocketAddress> seen = Set.of();

    private UnseenMemberCheck(final ClusterSettings settings, final SSLContext tls,
        final Supplier<Set<InetSocketAddress>> inView, final Consumer<String> words)
    {
        this.settings = settings;
        this.tls = tls;
        this.inView = inView;
        this.words = words;
    }

    /**
     * Starts to check.
     *
     * @param tls      authenticates members
     * @param inView   addresses on which the members of the view listen, including this one
     */
    static UnseenMemberCheck begin(
        final ClusterSettings settings, final SSLContext tls, final Supplier<Set<InetSocketAddress>> inView)
    {
        return begin(settings, tls, inView, EVERY_MS, LOG::error);
    }

    static UnseenMemberCheck begin(final ClusterSettings settings, final SSLContext tls,
        final Supplier<Set<InetSocketAddress>> inView, final long everyMs, final Consumer<String> words)
    {
        final UnseenMemberCheck made = new UnseenMemberCheck(settings, tls, inView, words);
        final Thread thread = new Thread(() -> made.run(everyMs), "millrace-outsiders-" + settings.serverName());
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    private void run(final long everyMs)
    {
        try
        {
            while (!closed.await(everyMs, TimeUnit.MILLISECONDS))
            {
                look();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException
    {
        final Set<InetSocketAddress> outside = new HashSet<>();
        for (final InetSocketAddress address : listed())
        {
            if (closed.getCount() == 0)
            {
                return;
            }
            if (!inView.get().contains(address) && isMember(address))
            {
                outside.add(address);
            }
        }
        outside.removeAll(inView.get());
        final List<String> stay =
            outside.stream().filter(seen::contains).map(UnseenMemberCheck::text).sorted().toList();
        seen = outside;
        if (!stay.isEmpty() && closed.getCount() > 0)
        {
            words.accept("CLU-0012 members of this domain are not in the view of this one: the cluster is split into "
                + "two " +
                "parts, and both continue, member=" + settings.serverName() + " outside=" + stay + "; decide which "
                    + "part " +
                "stays and restart the members of the other one, whose changes since the split are lost");
        }
    }

    private static String text(final InetSocketAddress address)
    {
        return address.getHostString() + ':' + address.getPort();
    }

    private List<InetSocketAddress> listed()
    {
        final List<InetSocketAddress> listed = new ArrayList<>();
        for (final String each : settings.addresses())
        {
            final String address = each.trim();
            final int colon = address.lastIndexOf(':');
            final String[] ports = address.substring(colon + 1).split("\\.\\.");
            final int last = Integer.parseInt(ports[ports.length - 1]);
            for (int port = Integer.parseInt(ports[0]); port <= last; port++)
            {
                listed.add(new InetSocketAddress(address.substring(0, colon), port));
            }
        }
        return listed;
    }

    /** Whether a process that listens at the address authenticates as a member. */
    private boolean isMember(final InetSocketAddress address)
    {
        try (Socket wire = new Socket())
        {
            wire.connect(address, CONNECT_MS);
            wire.setSoTimeout(ANSWER_MS);
            try (SSLSocket secure = (SSLSocket)tls.getSocketFactory()
                .createSocket(wire, address.getHostString(), address.getPort(), true))
            {
                secure.startHandshake();
                return true;
            }
        }
        catch (final IOException e)
        {
            LOG.trace("no member at this address, address={}", address, e);
            return false;
        }
    }

    @Override
    public void close()
    {
        closed.countDown();
    }
}
