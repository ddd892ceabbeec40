package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings.Ports;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.DomainSecret;
import dev.millrace.cluster.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Two ranges of ports that were free a moment ago, and that no other test gets, not even in another process.
 *
 * @param ports     for the settings
 * @param addresses of the members of the test
 */
public record TestPorts(Ports ports, List<String> addresses)
{
    /** Secret of the test domain. */
    public static final DomainSecret SECRET = DomainSecret.of(new byte[DomainSecret.BYTES]);

    /** Longer than a pause of a busy machine, which would otherwise remove members. */
    public static final long FAILURE_DETECTION_MS = 60_000;

    static final int COUNT = 4;
    private static final int TRIES = 200;
    private static final int LEAST = 12_000;
    private static final int MOST = 32_000;
    /** Ports are locked in blocks of this size. */
    private static final int BLOCK = 8;
    /** The locked blocks of this process, which it releases when it ends. */
    private static final Map<Integer, FileLock> LOCKED = new ConcurrentHashMap<>();

    /**
     * Finds free ports for four members.
     *
     * @throws IOException when there are not enough
     */
    public static TestPorts free() throws IOException
    {
        return free(COUNT);
    }

    /**
     * Finds free ports.
     *
     * @param count number of members
     * @throws IOException when there are not enough
     */
    public static TestPorts free(final int count) throws IOException
    {
        final int discovery = freeRange(count);
        int communication = freeRange(count);
        while (Math.abs(communication - discovery) < count)
        {
            communication = freeRange(count);
        }
        return new TestPorts(new Ports(discovery, communication, count),
            List.of("127.0.0.1:" + discovery + ".." + (discovery + count - 1)));
    }

    /**
     * A member of the domain {@code shop} on these ports.
     *
     * @param directory parent of the member's own directory
     * @param name      of the server
     * @param groups    of the member
     * @return settings with {@link #FAILURE_DETECTION_MS}
     */
    public ClusterSettings member(final Path directory, final String name, final String... groups)
    {
        return member(directory, name, Member.NO_IDENTITY, null, groups);
    }

    /**
     * A member with options that few tests need.
     *
     * @param directory parent of the member's own directory
     * @param name      of the server
     * @param identity  of the server
     * @param tls       {@code null} for none
     * @param groups    of the member
     * @return settings with {@link #FAILURE_DETECTION_MS}
     */
    public ClusterSettings member(final Path directory, final String name, final int identity,
        final ClusterSettings.Tls tls, final String... groups)
    {
        return new ClusterSettings("shop", name, identity, Set.of(groups), "127.0.0.1", addresses, ports,
            FAILURE_DETECTION_MS, tls, directory.resolve(name), SECRET);
    }

    /** Below the ephemeral port range: the system may assign one of those at any moment. */
    private static int freeRange(final int count) throws IOException
    {
        IOException last = null;
        for (int i = 0; i < TRIES; i++)
        {
            final List<ServerSocket> open = new ArrayList<>();
            final int first = ThreadLocalRandom.current().nextInt(LEAST, MOST);
            if (!lock(first, count))
            {
                continue;
            }
            try
            {
                final InetAddress loopback = InetAddress.getByName("127.0.0.1");
                for (int port = first; port < first + count; port++)
                {
                    open.add(new ServerSocket(port, 1, loopback));
                }
                return first;
            }
            catch (final IOException e)
            {
                last = new IOException("no " + count + " free ports in a row", e);
            }
            finally
            {
                for (final ServerSocket each : open)
                {
                    each.close();
                }
            }
        }
        throw last == null ? new IOException("no " + count + " ports in a row that no other test has") : last;
    }

    /** Reserves ports against other processes: tests of several builds run at the same time. */
    private static boolean lock(final int first, final int count) throws IOException
    {
        final Path directory =
            Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "millrace-test-ports"));
        for (int block = first / BLOCK; block <= (first + count - 1) / BLOCK; block++)
        {
            if (LOCKED.containsKey(block))
            {
                return false;
            }
            final FileChannel file = FileChannel.open(directory.resolve(Integer.toString(block)),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            final FileLock lock = file.tryLock();
            if (lock == null)
            {
                file.close();
                return false;
            }
            LOCKED.put(block, lock);
        }
        return true;
    }
}
